import type { Problem } from './errors.ts'

export type NumberProblem = Problem<'NUMBER_TOO_SMALL' | 'NUMBER_TOO_LARGE' | 'INTEGER_REQUIRED'> | undefined

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
