import { type DurationUnit, durationSeconds, unitSeconds } from '#contract/duration.ts'

/** What a license may look like and what may be done with it (part 1 §5, §9). Runs in the server and the dashboard. */

export const defaultMask = '####-####-####-####'
export const amountRange = { min: 1, max: 1000 } as const
export const defaultDurationDays = 30
export const maxMaskLength = 128
export const maxNotesLength = 500
export const createUnits = ['days', 'weeks', 'months', 'years', 'lifetime'] as const
export const addTimeUnits = ['seconds', 'minutes', 'days', 'weeks', 'months', 'years'] as const

export type ExpiryUnit = DurationUnit | 'lifetime'

export interface LicenseSpec {
  amount: number
  mask: string
  lowercase: boolean
  uppercase: boolean
  level: number | undefined
  notes: string
  expiryUnit: ExpiryUnit
  duration: number | undefined
}

const lower = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'

/** What `#` may become: digits always, letters as chosen. */
export function maskAlphabet({ lowercase, uppercase }: { lowercase: boolean; uppercase: boolean }): string {
  return (uppercase ? lower.toUpperCase() : '') + (lowercase ? lower : '') + digits
}

/** How many bits a stranger has to guess. */
export function maskEntropyBits(mask: string, alphabet: string): number {
  return [...mask].filter((character) => character === '#').length * Math.log2(alphabet.length)
}

/** A key must not be guessable, nor run out of room for the amount asked for (R-LIC-04). */
export function requiredEntropyBits(amount: number): number {
  return Math.max(40, Math.log2(Math.max(1, amount)) + 20)
}

export function maskProblem(
  form: Pick<LicenseSpec, 'amount' | 'mask' | 'lowercase' | 'uppercase'>,
): string | undefined {
  const { mask, amount } = form
  if (mask.trim() === '') return 'Please enter a license mask'
  if (mask.length > maxMaskLength) return `The license mask can have at most ${maxMaskLength} characters`
  if (!/^[\x21-\x7e]+$/.test(mask)) return 'The license mask can only contain visible characters without spaces'
  const alphabet = maskAlphabet(form)
  const required = requiredEntropyBits(amount)
  if (maskEntropyBits(mask, alphabet) < required) {
    return `Keys of this mask could be guessed: use at least ${Math.ceil(required / Math.log2(alphabet.length))} # characters`
  }
  return undefined
}

/** The first problem in the order of the form; undefined when licenses can be made. */
export function createProblem(form: LicenseSpec): string | undefined {
  const { amount } = form
  if (!Number.isInteger(amount) || amount < amountRange.min || amount > amountRange.max) {
    return 'Please enter a valid amount'
  }
  const mask = maskProblem(form)
  if (mask) return mask
  if (form.level === undefined) return 'Please select a subscription'
  return durationProblem(form.duration, form.expiryUnit)
}

export function durationProblem(duration: number | undefined, unit: ExpiryUnit): string | undefined {
  if (unit === 'lifetime') return undefined
  if (duration === undefined || !Number.isInteger(duration) || duration < 1) return 'Please enter a duration'
  if (duration * unitSeconds[unit] > 1000 * unitSeconds.years) return 'The duration can be at most 1000 years'
  return undefined
}

/** Seconds that redeeming such a license gives; 0 is a lifetime. */
export const expirySeconds = (form: Pick<LicenseSpec, 'duration' | 'expiryUnit'>): number =>
  durationSeconds(form.duration ?? 0, form.expiryUnit)

export type LicenseStatus = 'unused' | 'used' | 'banned'

export function licenseStatus({ used, banned }: { used: boolean; banned: boolean }): LicenseStatus {
  if (banned) return 'banned'
  return used ? 'used' : 'unused'
}
