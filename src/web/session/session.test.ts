import { beforeEach, expect, test } from 'vitest'
import { notificationStore, notify } from '../browser/notify.ts'
import { type Account, dropSession, enterSession } from './session.ts'

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
