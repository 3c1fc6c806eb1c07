import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { keptText } from './kept-text.ts'

/**
 * Megabytes in use for the last 22 characters of 1,000 texts of 100,000 characters, in a process of its own, whose
 * memory holds nothing else.
 */
function megabytesFor(keep: 'keptText' | 'String'): number {
  const script = `
    import { keptText } from ${JSON.stringify(new URL('./kept-text.ts', import.meta.url).href)}
    const textOf = (n) => Buffer.alloc(100_000, n + ' ').toString('latin1').slice(-22)
    gc()
    const before = process.memoryUsage().heapUsed
    const kept = Array.from({ length: 1000 }, (_, n) => ${keep}(textOf(n)))
    gc()
    console.log((process.memoryUsage().heapUsed - before) / 1_000_000, kept.length)`
  const output = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', script])
  return Number.parseFloat(output.toString())
}

test('a kept part of a text does not keep the whole text', () => {
  expect(megabytesFor('String')).toBeGreaterThan(90)
  expect(megabytesFor('keptText')).toBeLessThan(20)
})

test('it is the same text', () => {
  for (const text of ['', '203.0.113.7', 'AZaz09-_'.repeat(8)]) expect(keptText(text)).toBe(text)
})
