import { i18n } from '@lingui/core'
import { beforeEach, expect, test } from 'vitest'
import { dismissNotification, notificationStore, notify, notifyUndoable } from './notify.ts'

const shown = () => notificationStore.get().map(({ message }) => message)

beforeEach(() => notificationStore.set([]))

test('shows three at once and each text once, and drops the oldest', () => {
  for (const message of ['one', 'two', 'three', 'four']) notify.success(message)
  expect(shown()).toEqual(['two', 'three', 'four'])
  notify.success('three')
  expect(shown()).toEqual(['two', 'four', 'three'])
})

test('a repeated text keeps the Undo of another row, and replaces a Retry of the same', () => {
  i18n.loadAndActivate({ locale: 'en', messages: {} })
  const undone: string[] = []
  notifyUndoable('License banned', () => undone.push('first'))
  notifyUndoable('License banned', () => undone.push('second'))
  for (const { action } of notificationStore.get()) action?.onAction()
  expect(undone).toEqual(['first', 'second'])

  notificationStore.set([])
  for (const subject of ['one', 'one', 'two']) {
    notify.error('Failed', { action: { label: 'Retry', onAction: () => undefined, subject } })
  }
  expect(notificationStore.get().map(({ action }) => action?.subject)).toEqual(['one', 'two'])
})

test('what stays until it is dismissed is not pushed away', () => {
  const id = notify.error('unsaved', { duration: Infinity })
  for (const message of ['one', 'two', 'three', 'four']) notify.success(message)
  expect(shown()).toEqual(['unsaved', 'two', 'three', 'four'])
  dismissNotification(id)
  expect(shown()).toEqual(['two', 'three', 'four'])
})
