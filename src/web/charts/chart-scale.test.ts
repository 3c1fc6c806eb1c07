import { expect, test } from 'vitest'
import { labeledPoints, scaleTicks } from './chart-scale.ts'

test.each([0, 1, 2, 3, 4, 5, 7, 9, 10, 11, 23, 99, 100, 101, 999, 12_345, 1_000_000])(
  'a scale to %i is whole, even, reaches it and has few steps',
  (max) => {
    const ticks = scaleTicks(max)
    expect(ticks[0]).toBe(0)
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(max)
    expect(ticks.length).toBeGreaterThanOrEqual(2)
    expect(ticks.length).toBeLessThanOrEqual(5)
    expect(ticks.every(Number.isInteger)).toBe(true)
    const steps = new Set(ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0)))
    expect(steps.size).toBe(1)
    // At most one step above what is drawn: a chart is not mostly empty.
    expect((ticks.at(-1) ?? 0) - max).toBeLessThanOrEqual([...steps][0] ?? 0)
  },
)

test.each([
  [7, 7, 7],
  [24, 8, 8],
  [30, 5, 5],
  [90, 6, 6],
  [90, 0, 1],
])('of %i points at most %i are labeled, evenly, the last one always', (count, atMost, expected) => {
  const labeled = labeledPoints(count, atMost)
  expect(labeled.length).toBeLessThanOrEqual(expected)
  expect(labeled.at(-1)).toBe(count - 1)
})
