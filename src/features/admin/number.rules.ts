import type { Problem } from '#contract/errors.ts'

export interface NumberLimits {
  min: number
  max: number
}

/** Limits of the numbers in the platform settings. */
export const settingsLimits = {
  maxFailedLoginAttempts: { min: 1, max: 1000 },
  loginCooldownMinutes: { min: 1, max: 10_080 },
  smtpPort: { min: 1, max: 65_535 },
  rateLimitPerMinute: { min: 1, max: 1_000_000 },
  rateLimitPerHour: { min: 1, max: 100_000_000 },
  sessionTimeout: { min: 1, max: 8760 },
  passwordMinLength: { min: 4, max: 128 },
} satisfies Record<string, NumberLimits>

/** A stored object as a form edits it: the field of a number may be empty. */
export type WithEmptyNumbers<T> = { [K in keyof T]: T[K] extends number ? number | undefined : T[K] }

type NumberProblem = Problem<'NUMBER_TOO_SMALL' | 'NUMBER_TOO_LARGE' | 'INTEGER_REQUIRED'> | undefined

/** `field` is the field's label. */
export function integerProblem(
  value: number | undefined,
  field: string,
  { min, max }: { min: number; max?: number },
): NumberProblem {
  if (value !== undefined && !Number.isInteger(value)) return { code: 'INTEGER_REQUIRED', values: { field } }
  if (value === undefined || value < min) return { code: 'NUMBER_TOO_SMALL', values: { field, min } }
  return max !== undefined && value > max ? { code: 'NUMBER_TOO_LARGE', values: { field, max } } : undefined
}

export const priceProblem = (value: number | undefined, field: string): NumberProblem =>
  value === undefined || value < 0 ? { code: 'NUMBER_TOO_SMALL', values: { field, min: 0 } } : undefined
