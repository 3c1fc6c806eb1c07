import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fingerprintOf, FingerprintSet } from './fingerprint-set.ts'

test('a set says of any text whether it was added before', () => {
  const texts = fc.array(fc.string({ maxLength: 4 }), { maxLength: 200 })
  fc.assert(
    fc.property(texts, (added) => {
      const set = new FingerprintSet()
      const model = new Set<string>()
      for (const text of added) {
        const fingerprint = fingerprintOf(text)
        expect(set.has(fingerprint)).toBe(model.has(text))
        expect(set.add(fingerprint)).toBe(!model.has(text))
        model.add(text)
      }
    }),
  )
})

const makers: [string, (at: number) => string][] = [
  ['count up', (at) => String(at).padStart(22, '0')],
  ['differ in front', (at) => String(at).padEnd(64, '-')],
  ['differ in one bit each', (at) => at.toString(2).padStart(22, '0')],
]

test.each(makers)('100,000 texts that %s are told apart, and all are found again', (_, make) => {
  const set = new FingerprintSet()
  const fingerprints = Array.from({ length: 100_000 }, (_none, at) => fingerprintOf(make(at)))
  expect(fingerprints.filter((each) => !set.add(each))).toEqual([])
  expect(fingerprints.filter((each) => set.add(each) || !set.has(each))).toEqual([])
})
