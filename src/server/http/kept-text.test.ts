import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { keptText } from './kept-text.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Megabytes that remain in use for the last 22 characters of 1,000 texts of 100,000 characters. */
function remaining(keep: (text: string) => string): number {
  // What other tests of this process left behind; some of it is only found the second time.
  for (let time = 0; time < 3; time++) collectGarbage()
  const before = process.memoryUsage().heapUsed
  const kept = Array.from({ length: 1000 }, (_, n) =>
    keep(Buffer.alloc(100_000, `${n} `).toString('latin1').slice(-22)),
  )
  collectGarbage()
  const used = process.memoryUsage().heapUsed - before
  expect(kept).toHaveLength(1000)
  return used / 1_000_000
}

test('a kept part of a text does not keep the whole text', () => {
  expect(remaining((text) => text)).toBeGreaterThan(60)
  expect(remaining(keptText)).toBeLessThan(40)
})

test('it is the same text', () => {
  for (const text of ['', '203.0.113.7', 'AZaz09-_'.repeat(8)]) expect(keptText(text)).toBe(text)
})
