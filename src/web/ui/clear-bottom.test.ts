import { expect, test } from 'vitest'
import { liftOver } from './clear-bottom.ts'

const toast = { top: 840, bottom: 876, left: 1056, right: 1416 }
const pagination = { top: 820, bottom: 852, left: 256, right: 1416 }

test('a toast stays where it covers nothing', () => {
  expect(liftOver(toast, [])).toBe(0)
  expect(liftOver(toast, [{ ...pagination, top: 700, bottom: 732 }])).toBe(0)
  expect(liftOver(toast, [{ ...pagination, right: 900 }])).toBe(0)
})

test('a toast rises above what it would cover, and above what it covers then', () => {
  expect(liftOver(toast, [pagination], 12)).toBe(876 - 820 + 12)
  const bulkBar = { top: 770, bottom: 812, left: 500, right: 1200 }
  expect(liftOver(toast, [pagination, bulkBar], 12)).toBe(876 - 770 + 12)
})
