import { beforeEach, expect, test } from 'vitest'
import { selectedAppStore } from '../api/app-selection.ts'
import { notificationStore, notify } from '../browser/notify.ts'
import { type Account, dropSession, enterSession, selectOneOf } from './session.ts'

const account = (id: string) => ({ id }) as Account
const shown = () => notificationStore.get().map(({ message }) => message)

beforeEach(() => notificationStore.set([]))

test('toasts stay for whoever signs in again, and are not for the next person at this tab', () => {
  enterSession(account('ana'))
  notify.error('The note of KEY-1 was not saved', { duration: Infinity })
  dropSession()
  enterSession(account('ana'))
  expect(shown()).toEqual(['The note of KEY-1 was not saved'])
  dropSession()
  enterSession(account('bea'))
  expect(shown()).toEqual([])
})

test('an app is selected at each sign-in, and not again once it is gone', () => {
  const app = { appId: 'ap_1', appName: 'Prism Studio' }
  for (const time of ['first', 'second']) {
    enterSession(account('ana'))
    selectOneOf('ana', [app])
    expect(selectedAppStore.get(), time).toEqual(app)
    dropSession()
  }
  enterSession(account('ana'))
  selectOneOf('ana', [app])
  const other = { appId: 'ap_2', appName: 'Other' }
  selectOneOf('ana', [other])
  expect(selectedAppStore.get()).toBeUndefined()
})
