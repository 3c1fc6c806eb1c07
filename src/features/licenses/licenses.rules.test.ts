import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DurationUnit, maxDurationSeconds, unitSeconds } from '#contract/duration.ts'
import { randomKeys } from './license-keys.ts'
import {
  addTimeUnits,
  createProblem,
  createUnits,
  defaultDurationDays,
  defaultMask,
  durationProblem,
  expirySeconds,
  type LicenseSpec,
  licenseStatus,
  maxMaskLength,
  maskAlphabet,
  maskEntropyBits,
  maskProblem,
  requiredEntropyBits,
} from './licenses.rules.ts'

const form: LicenseSpec = {
  amount: 1,
  mask: defaultMask,
  lowercase: true,
  uppercase: true,
  level: 1,
  notes: '',
  expiryUnit: 'days',
  duration: defaultDurationDays,
}

const flags = fc.record({ lowercase: fc.boolean(), uppercase: fc.boolean() })
const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
})
const places = fc.integer({ min: 0, max: 60 })
const amounts = fc.integer({ min: 1, max: 1000 })
const units = fc.constantFrom(...(Object.keys(unitSeconds) as DurationUnit[]))

describe('the form of new licenses (part 1 §5, §9)', () => {
  test('the defaults of the specification are a form without a problem', () => {
    expect(createProblem(form)).toBeUndefined()
    expect({ defaultMask, defaultDurationDays }).toEqual({
      defaultMask: '####-####-####-####',
      defaultDurationDays: 30,
    })
    expect(createUnits).toEqual(['days', 'weeks', 'months', 'years', 'lifetime'])
    expect(addTimeUnits).toEqual(['seconds', 'minutes', 'days', 'weeks', 'months', 'years'])
  })

  test.each([0, -1, 1001, 1.5, Number.NaN, Infinity, 1e308])('an amount of %s is refused', (amount) => {
    expect(createProblem({ ...form, amount })).toBe('Please enter a valid amount')
  })

  test.each([1, 1000])('an amount of %s is allowed', (amount) => {
    expect(createProblem({ ...form, amount })).toBeUndefined()
  })

  test('the problems come in the order of the form', () => {
    const wrong = { ...form, amount: 0, mask: ' ', level: undefined, duration: 0 }
    expect(createProblem(wrong)).toBe('Please enter a valid amount')
    expect(createProblem({ ...wrong, amount: 1 })).toBe('Please enter a license mask')
    expect(createProblem({ ...wrong, amount: 1, mask: defaultMask })).toBe('Please select a subscription')
    expect(createProblem({ ...wrong, amount: 1, mask: defaultMask, level: 1 })).toBe('Please enter a duration')
  })
})

describe('masks', () => {
  test('the alphabet holds digits always and letters as chosen', () => {
    expect(maskAlphabet({ lowercase: false, uppercase: false })).toBe('0123456789')
    expect(maskAlphabet({ lowercase: true, uppercase: false })).toHaveLength(36)
    expect(maskAlphabet({ lowercase: true, uppercase: true })).toHaveLength(62)
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

  test('a mask is taken exactly when its keys cannot be guessed: 40 bits, and 20 more than the amount needs (R-LIC-04)', () => {
    fc.assert(
      fc.property(places, flags, amounts, (count, chosen, amount) => {
        const mask = `K${'#'.repeat(count)}`
        const bits = count * Math.log2(maskAlphabet(chosen).length)
        const enough = bits >= 40 && bits >= Math.log2(amount) + 20
        expect(maskProblem({ mask, amount, ...chosen }) === undefined).toBe(enough)
      }),
    )
  })

  test('entropy counts the # and nothing else', () => {
    fc.assert(
      fc.property(places, visible, (count, around) => {
        const fixed = around.replaceAll('#', '')
        expect(maskEntropyBits(`${fixed}${'#'.repeat(count)}${fixed}`, '01')).toBe(count)
      }),
    )
    expect(requiredEntropyBits(1)).toBe(40)
    expect(requiredEntropyBits(2 ** 30)).toBe(50)
  })

  test('the problem says how many # are enough, and that many are', () => {
    fc.assert(
      fc.property(flags, amounts, (chosen, amount) => {
        const problem = maskProblem({ mask: '#', amount, ...chosen })
        const min = Number(/at least (\d+) #/.exec(problem ?? '')?.[1])
        expect(maskProblem({ mask: '#'.repeat(min), amount, ...chosen })).toBeUndefined()
        expect(maskProblem({ mask: '#'.repeat(min - 1), amount, ...chosen })).toBeDefined()
      }),
    )
  })

  test.each(['', ' ', '\t', '   '])('a blank mask %j has the text of the specification', (mask) => {
    expect(maskProblem({ ...form, mask })).toBe('Please enter a license mask')
  })

  test.each([
    `${defaultMask} `,
    `a ${defaultMask}`,
    `é${defaultMask}`,
    `${defaultMask}\n`,
    `\0${defaultMask}`,
    `🦊${defaultMask}`,
  ])('the mask %j is refused: keys are typed and pasted', (mask) =>
    expect(maskProblem({ ...form, mask })).toMatch(/visible characters/),
  )

  test('a mask may have 128 characters and no more', () => {
    expect(maskProblem({ ...form, mask: '#'.repeat(maxMaskLength) })).toBeUndefined()
    expect(maskProblem({ ...form, mask: '#'.repeat(maxMaskLength + 1) })).toMatch(/at most 128/)
  })
})

describe('durations', () => {
  test('a duration is taken exactly when it is a whole number of at least 1 and at most 1000 years', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger()), units, (duration, unit) => {
        const fits = Number.isInteger(duration) && duration >= 1 && duration * unitSeconds[unit] <= maxDurationSeconds
        expect(durationProblem(duration, unit) === undefined).toBe(fits)
      }),
    )
  })

  test('what is taken gives its exact seconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), units, (duration, expiryUnit) => {
        expect(expirySeconds({ duration, expiryUnit })).toBe(duration * unitSeconds[expiryUnit])
      }),
    )
  })

  test.each([undefined, 0, -5, Number.NaN, 1e308])(
    'a lifetime is 0 seconds whatever the duration says: %s',
    (duration) => {
      expect(durationProblem(duration, 'lifetime')).toBeUndefined()
      expect(expirySeconds({ duration, expiryUnit: 'lifetime' })).toBe(0)
    },
  )

  test('the texts say what is wrong', () => {
    expect(durationProblem(undefined, 'days')).toBe('Please enter a duration')
    expect(durationProblem(1001, 'years')).toBe('The duration can be at most 1000 years')
    expect(durationProblem(1000, 'years')).toBeUndefined()
  })
})

test('a ban outweighs use', () => {
  expect(licenseStatus({ used: false, banned: false })).toBe('unused')
  expect(licenseStatus({ used: true, banned: false })).toBe('used')
  expect(licenseStatus({ used: false, banned: true })).toBe('banned')
  expect(licenseStatus({ used: true, banned: true })).toBe('banned')
})
