import { type DurationUnit, durationSeconds } from '#contract/duration.ts'
import type { Problem } from '#contract/errors.ts'
import { timeProblem } from '#features/entitlements/entitlements.rules.ts'
import type { licensesErrors } from './licenses.errors.ts'

/** Validation of licenses. Runs in the server and the dashboard. */

export const defaultMask = '####-####-####-####'
export const amountRange = { min: 1, max: 1000 } as const
export const defaultDurationDays = 30
export const maxMaskLength = 128
export const maxNotesLength = 500
export const createUnits = ['days', 'weeks', 'months', 'years', 'lifetime'] as const
export const addTimeUnits = ['seconds', 'minutes', 'days', 'weeks', 'months', 'years'] as const

/** What the list of licenses sorts by; each has an index. */
export const licenseSorts = ['license', 'status', 'subscription', 'expiry', 'created'] as const

export type ExpiryUnit = DurationUnit | 'lifetime'

/** The licenses to create. */
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

/** Keys are unique in an app in any case, because the user who redeems one by a sign-in is named like it (LIC-48). */
export const keyInAnyCase = (key: string): string => key.toLowerCase()

const lower = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'

/** Characters that replace `#`: always digits, letters as chosen. */
export function maskAlphabet({ lowercase, uppercase }: { lowercase: boolean; uppercase: boolean }): string {
  return (uppercase ? lower.toUpperCase() : '') + (lowercase ? lower : '') + digits
}

/** Entropy of a key in bits. */
export function maskEntropyBits(mask: string, alphabet: string): number {
  return [...mask].filter((character) => character === '#').length * Math.log2(alphabet.length)
}

/** Keys must not be guessable, so a mask must allow many more keys than are created from it (R-LIC-04). */
export function requiredEntropyBits(amount: number): number {
  return Math.max(40, Math.log2(Math.max(1, amount)) + 20)
}

/** A problem and the field of the call that has it. */
type LicenseProblem<F extends string> = Problem<keyof typeof licensesErrors, F>

export function maskProblem(
  spec: Pick<LicenseSpec, 'amount' | 'mask' | 'lowercase' | 'uppercase'>,
): LicenseProblem<'mask'> | undefined {
  const { mask, amount } = spec
  if (mask.trim() === '') return { code: 'MASK_REQUIRED', field: 'mask' }
  if (mask.length > maxMaskLength) return { code: 'MASK_TOO_LONG', values: { max: maxMaskLength }, field: 'mask' }
  if (!/^[\x21-\x7e]+$/.test(mask)) return { code: 'MASK_CHARACTERS', field: 'mask' }
  const alphabet = maskAlphabet(spec)
  const required = requiredEntropyBits(amount)
  if (maskEntropyBits(mask, alphabet) < required) {
    const min = Math.ceil(required / Math.log2(alphabet.length))
    return { code: 'MASK_GUESSABLE', values: { min }, field: 'mask' }
  }
  return undefined
}

export type CreateField = 'amount' | 'mask' | 'subscription' | 'duration'

/** The first problem in the order of the form; undefined if the licenses can be created. */
export function createProblem(spec: LicenseSpec): LicenseProblem<CreateField> | undefined {
  const { amount, level, duration, expiryUnit } = spec
  if (!Number.isInteger(amount) || amount < amountRange.min || amount > amountRange.max) {
    return { code: 'AMOUNT_INVALID', field: 'amount' }
  }
  const mask = maskProblem(spec)
  if (mask) return mask
  if (level === undefined) return { code: 'SUBSCRIPTION_REQUIRED', field: 'subscription' }
  return durationProblem(duration, expiryUnit)
}

export function durationProblem(
  duration: number | undefined,
  unit: ExpiryUnit,
): LicenseProblem<'duration'> | undefined {
  if (unit === 'lifetime') return undefined
  const problem = timeProblem(duration, unit)
  return problem && { ...problem, field: 'duration' }
}

/** Time can be added in any unit except lifetime. */
export function addTimeProblem(
  duration: number | undefined,
  unit: ExpiryUnit | undefined,
): LicenseProblem<'duration' | 'expiryUnit'> | undefined {
  if (unit === undefined || unit === 'lifetime') return { code: 'TIME_UNIT_REQUIRED', field: 'expiryUnit' }
  return durationProblem(duration, unit)
}

/** Duration that redeeming the license grants, in seconds; 0 is a lifetime license. */
export const expirySeconds = ({ duration, expiryUnit }: Pick<LicenseSpec, 'duration' | 'expiryUnit'>): number =>
  durationSeconds(duration ?? 0, expiryUnit)

/** Columns of an exported file, in its order. */
export const licenseExportColumns = [
  'license',
  'subscription',
  'level',
  'expiry',
  'expiresAt',
  'status',
  'usedBy',
  'generatedBy',
  'notes',
  'created',
] as const

export type LicenseExportColumn = (typeof licenseExportColumns)[number]

/** Their titles in a CSV file, by which an import recognizes it. */
export const licenseExportTitles = {
  license: 'License',
  subscription: 'Subscription',
  level: 'Level',
  expiry: 'Expiry',
  expiresAt: 'Expires at',
  status: 'Status',
  usedBy: 'Used by',
  generatedBy: 'Generated by',
  notes: 'Notes',
  created: 'Created',
} as const satisfies Record<LicenseExportColumn, string>

export type LicenseStatus = 'unused' | 'used' | 'banned'

export function licenseStatus({ used, banned }: { used: boolean; banned: boolean }): LicenseStatus {
  if (banned) return 'banned'
  return used ? 'used' : 'unused'
}
