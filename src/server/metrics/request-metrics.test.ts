import { expect, test } from 'vitest'
import { RequestMetrics } from './request-metrics.ts'

const minute = 60_000

test('only requests of the last five minutes count', () => {
  const metrics = new RequestMetrics()
  metrics.record({ status: 500, seconds: 0.01 }, 0)
  metrics.record({ status: 200, seconds: 0.01 }, 3 * minute)
  expect(metrics.recent(4 * minute)).toMatchObject({ requests: 2, failed: 1 })
  expect(metrics.recent(5 * minute)).toMatchObject({ requests: 1, failed: 0 })
  expect(metrics.recent(60 * minute)).toEqual({ requests: 0, failed: 0, p95Ms: undefined })
})

test("95 of 100 requests are at most as slow as p95; a transfer to a slow receiver doesn't count as slow", () => {
  const metrics = new RequestMetrics()
  for (let n = 0; n < 95; n++) metrics.record({ status: 200, seconds: 0.02 }, 0)
  for (let n = 0; n < 5; n++) metrics.record({ status: 200, seconds: 2 }, 0)
  for (let n = 0; n < 50; n++) metrics.record({ status: 200, seconds: 600, isTransfer: true }, 0)
  const { p95Ms = 0, requests } = metrics.recent(0)
  expect(requests).toBe(150)
  expect(p95Ms).toBeGreaterThanOrEqual(20)
  expect(p95Ms).toBeLessThan(25)
  for (let n = 0; n < 5; n++) metrics.record({ status: 200, seconds: 1e9 }, 0)
  expect(metrics.recent(0).p95Ms).toBeGreaterThan(2000)
})

test('a clock that goes back causes no errors and no growth', () => {
  const metrics = new RequestMetrics()
  for (let n = 1000; n > 0; n--) metrics.record({ status: 200, seconds: 0.01 }, n * minute)
  expect(metrics.recent(minute).requests).toBeLessThanOrEqual(6)
})
