import { beforeEach, expect, test } from 'vitest'
import { notificationStore, notify } from './notify.ts'

const shown = () => notificationStore.get().map(({ message }) => message)

beforeEach(() => notificationStore.set([]))

test('shows three at once and each text once, and drops the oldest', () => {
  for (const message of ['one', 'two', 'three', 'four']) notify.success(message)
  expect(shown()).toEqual(['two', 'three', 'four'])
  notify.success('three')
  expect(shown()).toEqual(['two', 'four', 'three'])
})
