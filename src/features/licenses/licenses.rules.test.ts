import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DurationUnit, maxDurationSeconds, unitSeconds } from '#contract/duration.ts'
import {
  addTimeProblem,
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

const spec: LicenseSpec = {
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

describe('the form of new licenses', () => {
  test('the specified defaults are valid', () => {
    expect(createProblem(spec)).toBeUndefined()
    expect({ defaultMask, defaultDurationDays }).toEqual({
      defaultMask: '####-####-####-####',
      defaultDurationDays: 30,
    })
    expect(createUnits).toEqual(['days', 'weeks', 'months', 'years', 'lifetime'])
    expect(addTimeUnits).toEqual(['seconds', 'minutes', 'days', 'weeks', 'months', 'years'])
  })

  test.each([0, -1, 1001, 1.5, Number.NaN, Infinity, 1e308])('rejects an amount of %s', (amount) => {
    expect(createProblem({ ...spec, amount })).toEqual({ code: 'AMOUNT_INVALID', field: 'amount' })
  })

  test.each([1, 1000])('accepts an amount of %s', (amount) => {
    expect(createProblem({ ...spec, amount })).toBeUndefined()
  })

  test('problems are reported in the order of the form', () => {
    const wrong = { ...spec, amount: 0, mask: ' ', level: undefined, duration: 0 }
    expect(createProblem(wrong)).toEqual({ code: 'AMOUNT_INVALID', field: 'amount' })
    expect(createProblem({ ...wrong, amount: 1 })).toEqual({ code: 'MASK_REQUIRED', field: 'mask' })
    const masked = { ...wrong, amount: 1, mask: defaultMask }
    expect(createProblem(masked)).toEqual({ code: 'SUBSCRIPTION_REQUIRED', field: 'subscription' })
    expect(createProblem({ ...masked, level: 1 })).toEqual({ code: 'DURATION_REQUIRED', field: 'duration' })
  })
})

describe('masks', () => {
  test('the alphabet always has digits, and letters as chosen', () => {
    expect(maskAlphabet({ lowercase: false, uppercase: false })).toBe('0123456789')
    expect(maskAlphabet({ lowercase: true, uppercase: false })).toHaveLength(36)
    expect(maskAlphabet({ lowercase: true, uppercase: true })).toHaveLength(62)
  })

  test("accepts a mask only if its keys can't be guessed: 40 bits, and 20 more than the amount needs (R-LIC-04)", () => {
    fc.assert(
      fc.property(places, flags, amounts, (count, chosen, amount) => {
        const mask = `K${'#'.repeat(count)}`
        const bits = count * Math.log2(maskAlphabet(chosen).length)
        const enough = bits >= 40 && bits >= Math.log2(amount) + 20
        expect(maskProblem({ mask, amount, ...chosen }) === undefined).toBe(enough)
      }),
    )
  })

  test('only # adds entropy', () => {
    fc.assert(
      fc.property(places, visible, (count, around) => {
        const fixed = around.replaceAll('#', '')
        expect(maskEntropyBits(`${fixed}${'#'.repeat(count)}${fixed}`, '01')).toBe(count)
      }),
    )
    expect(requiredEntropyBits(1)).toBe(40)
    expect(requiredEntropyBits(2 ** 30)).toBe(50)
  })

  test('the error says how many # are enough, and that number is accepted', () => {
    fc.assert(
      fc.property(flags, amounts, (chosen, amount) => {
        const problem = maskProblem({ mask: '#', amount, ...chosen })
        expect(problem).toEqual({ code: 'MASK_GUESSABLE', values: { min: expect.any(Number) }, field: 'mask' })
        const min = Number(problem?.values?.['min'])
        expect(maskProblem({ mask: '#'.repeat(min), amount, ...chosen })).toBeUndefined()
        expect(maskProblem({ mask: '#'.repeat(min - 1), amount, ...chosen })).toBeDefined()
      }),
    )
  })

  test.each(['', ' ', '\t', '   '])('treats the blank mask %j as missing', (mask) => {
    expect(maskProblem({ ...spec, mask })).toEqual({ code: 'MASK_REQUIRED', field: 'mask' })
  })

  test.each([
    `${defaultMask} `,
    `a ${defaultMask}`,
    `é${defaultMask}`,
    `${defaultMask}\n`,
    `\0${defaultMask}`,
    `🦊${defaultMask}`,
  ])("rejects the mask %j, which can't be typed or pasted reliably", (mask) =>
    expect(maskProblem({ ...spec, mask })).toEqual({ code: 'MASK_CHARACTERS', field: 'mask' }),
  )

  test('a mask has at most 128 characters', () => {
    expect(maskProblem({ ...spec, mask: '#'.repeat(maxMaskLength) })).toBeUndefined()
    expect(maskProblem({ ...spec, mask: '#'.repeat(maxMaskLength + 1) })).toEqual({
      code: 'MASK_TOO_LONG',
      values: { max: 128 },
      field: 'mask',
    })
  })
})

describe('durations', () => {
  test('accepts a duration only if it is a whole number of at least 1 and at most 1,000 years', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger()), units, (duration, unit) => {
        const fits = Number.isInteger(duration) && duration >= 1 && duration * unitSeconds[unit] <= maxDurationSeconds
        expect(durationProblem(duration, unit) === undefined).toBe(fits)
      }),
    )
  })

  test('converts accepted durations to exact seconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), units, (duration, expiryUnit) => {
        expect(expirySeconds({ duration, expiryUnit })).toBe(duration * unitSeconds[expiryUnit])
      }),
    )
  })

  test.each([undefined, 0, -5, Number.NaN, 1e308])(
    'a lifetime is 0 seconds, whatever the duration is: %s',
    (duration) => {
      expect(durationProblem(duration, 'lifetime')).toBeUndefined()
      expect(expirySeconds({ duration, expiryUnit: 'lifetime' })).toBe(0)
    },
  )

  test('a missing duration and one that is too long have different errors', () => {
    expect(durationProblem(undefined, 'days')).toEqual({ code: 'DURATION_REQUIRED', field: 'duration' })
    expect(durationProblem(1001, 'years')).toEqual({ code: 'DURATION_TOO_LONG', field: 'duration' })
    expect(durationProblem(1000, 'years')).toBeUndefined()
  })

  test("time to add has a unit, which can't be lifetime", () => {
    for (const unit of [undefined, 'lifetime'] as const) {
      expect(addTimeProblem(5, unit)).toEqual({ code: 'TIME_UNIT_REQUIRED', field: 'expiryUnit' })
    }
    expect(addTimeProblem(0, 'hours')).toEqual({ code: 'DURATION_REQUIRED', field: 'duration' })
    expect(addTimeProblem(1, 'hours')).toBeUndefined()
  })
})

test('a banned license counts as banned, used or not', () => {
  expect(licenseStatus({ used: false, banned: false })).toBe('unused')
  expect(licenseStatus({ used: true, banned: false })).toBe('used')
  expect(licenseStatus({ used: false, banned: true })).toBe('banned')
  expect(licenseStatus({ used: true, banned: true })).toBe('banned')
})
