import type { NumberProblem } from '#contract/integer-problem.ts'

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

export const priceProblem = (value: number | undefined, field: string): NumberProblem =>
  value === undefined || value < 0 ? { code: 'NUMBER_TOO_SMALL', values: { field, min: 0 } } : undefined
