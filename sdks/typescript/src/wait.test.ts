import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitInBackground } from './wait.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const begin = (seconds: number, signal = new AbortController().signal) => {
  let isOver = false
  void waitInBackground(seconds, signal).then(() => (isOver = true))
  return () => isOver
}

test('lasts as long as asked', async () => {
  const isOver = begin(65)
  await vi.advanceTimersByTimeAsync(64_900)
  expect(isOver()).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  expect(isOver()).toBe(true)
})

test('ends soon after the program stood still, as a debugger lets it', async () => {
  const isOver = begin(60)
  await vi.advanceTimersByTimeAsync(5000)
  const moved = performance.now() + 300_000
  vi.setSystemTime(Date.now() + 300_000)
  vi.spyOn(performance, 'now').mockReturnValue(moved)
  await vi.advanceTimersByTimeAsync(5000)
  expect(isOver()).toBe(true)
})

test('ends soon after the computer slept', async () => {
  const isOver = begin(3600)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(isOver()).toBe(false)
  vi.setSystemTime(Date.now() + 8 * 3_600_000)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(isOver()).toBe(true)
})

test('is not ended by small corrections of the clock, nor by one that goes back', async () => {
  const isOver = begin(60)
  vi.setSystemTime(Date.now() + 2000)
  await vi.advanceTimersByTimeAsync(10_000)
  vi.setSystemTime(Date.now() - 86_400_000)
  await vi.advanceTimersByTimeAsync(40_000)
  expect(isOver()).toBe(false)
})

test('ends at once when it is aborted', async () => {
  const controller = new AbortController()
  const isOver = begin(3600, controller.signal)
  controller.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(isOver()).toBe(true)
})
