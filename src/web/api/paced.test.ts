import { CancelledError } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { paced } from './paced.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const failing = (error: Error) => {
  const work = vi.fn<() => Promise<void>>(async () => {
    if (work.mock.calls.length === 1) throw error
  })
  paced(work, 1000).request()
  return work
}

test('a read that a change of this tab canceled is made again soon, and one that failed after a rest', async () => {
  const canceled = failing(new CancelledError())
  const failed = failing(new Error('away'))
  await vi.advanceTimersByTimeAsync(5000)
  expect(canceled).toHaveBeenCalledTimes(2)
  expect(failed).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(failed).toHaveBeenCalledTimes(2)
})
