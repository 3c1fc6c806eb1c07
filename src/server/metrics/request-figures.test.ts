import { expect, test } from 'vitest'
import { RequestFigures } from './request-figures.ts'

const minute = 60_000

test('what happened in the last five minutes counts, and nothing older', () => {
  const figures = new RequestFigures()
  figures.record({ status: 500, seconds: 0.01 }, 0)
  figures.record({ status: 200, seconds: 0.01 }, 3 * minute)
  expect(figures.recent(4 * minute)).toMatchObject({ requests: 2, failed: 1 })
  expect(figures.recent(5 * minute)).toMatchObject({ requests: 1, failed: 0 })
  expect(figures.recent(60 * minute)).toEqual({ requests: 0, failed: 0, p95Ms: undefined })
})

test('95 of 100 requests are as quick as it says; what a receiver takes its time for is no slow answer', () => {
  const figures = new RequestFigures()
  for (let n = 0; n < 95; n++) figures.record({ status: 200, seconds: 0.02 }, 0)
  for (let n = 0; n < 5; n++) figures.record({ status: 200, seconds: 2 }, 0)
  for (let n = 0; n < 50; n++) figures.record({ status: 200, seconds: 600, isTransfer: true }, 0)
  const { p95Ms = 0, requests } = figures.recent(0)
  expect(requests).toBe(150)
  expect(p95Ms).toBeGreaterThanOrEqual(20)
  expect(p95Ms).toBeLessThan(25)
  for (let n = 0; n < 5; n++) figures.record({ status: 200, seconds: 1e9 }, 0)
  expect(figures.recent(0).p95Ms).toBeGreaterThan(2000)
})

test('a clock that goes back breaks nothing and lets nothing grow', () => {
  const figures = new RequestFigures()
  for (let n = 1000; n > 0; n--) figures.record({ status: 200, seconds: 0.01 }, n * minute)
  expect(figures.recent(minute).requests).toBeLessThanOrEqual(6)
})
