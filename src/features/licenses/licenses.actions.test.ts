import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomKeys } from './licenses.actions.ts'
import { maskAlphabet } from './licenses.rules.ts'

const flags = fc.record({ lowercase: fc.boolean(), uppercase: fc.boolean() })
const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
})

test('every key follows its mask: # becomes a character of the alphabet, the rest stays', () => {
  fc.assert(
    fc.property(visible, flags, fc.integer({ min: 1, max: 5 }), (mask, chosen, amount) => {
      const alphabet = maskAlphabet(chosen)
      const keys = randomKeys(mask, alphabet, amount)
      expect(keys).toHaveLength(amount)
      for (const key of keys) {
        expect(key).toHaveLength(mask.length)
        for (const [at, character] of [...mask].entries()) {
          if (character === '#') expect(alphabet).toContain(key[at])
          else expect(key[at]).toBe(character)
        }
      }
    }),
  )
})

test('keys use the whole alphabet, about evenly', () => {
  const alphabet = maskAlphabet({ lowercase: true, uppercase: true })
  const seen = new Map<string, number>()
  for (const key of randomKeys('#'.repeat(100), alphabet, 620)) {
    for (const character of key) seen.set(character, (seen.get(character) ?? 0) + 1)
  }
  // 1,000 of each are due; six standard deviations are about 190.
  expect([...seen.keys()].toSorted()).toEqual([...alphabet].toSorted())
  expect(Math.min(...seen.values())).toBeGreaterThan(810)
  expect(Math.max(...seen.values())).toBeLessThan(1190)
})
