import { beforeEach, expect, test } from 'vitest'
import { dismissNotification, notificationStore, notify } from './notify.ts'

const shown = () => notificationStore.get().map(({ message }) => message)

beforeEach(() => notificationStore.set([]))

test('shows three at once and each text once, and drops the oldest', () => {
  for (const message of ['one', 'two', 'three', 'four']) notify.success(message)
  expect(shown()).toEqual(['two', 'three', 'four'])
  notify.success('three')
  expect(shown()).toEqual(['two', 'four', 'three'])
})

test('what stays until it is dismissed is not pushed away', () => {
  const id = notify.error('unsaved', { duration: Infinity })
  for (const message of ['one', 'two', 'three', 'four']) notify.success(message)
  expect(shown()).toEqual(['unsaved', 'two', 'three', 'four'])
  dismissNotification(id)
  expect(shown()).toEqual(['two', 'three', 'four'])
})
