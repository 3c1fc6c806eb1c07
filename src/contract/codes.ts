import type { commonErrors } from './common-errors.ts'
import type { Contract } from './define-call.ts'

/**
 * Every code that a reply to the dashboard can carry. Each contract adds its own:
 * `declare module '#contract/codes.ts' { interface Codes extends CodesOf<typeof licensesContract> {} }`
 * The dashboard shows their texts in the reader's language, by the catalogs that are made from the contracts.
 */
export interface Codes extends Record<keyof typeof commonErrors, true> {}

export type Code = keyof Codes & string

type CodesIn<D> =
  | (D extends { errors: infer R } ? keyof R : never)
  | (D extends { successes: infer S } ? keyof S : never)

/** The codes of a contract's errors and successes. */
export type CodesOf<C extends Contract> = Record<{ [K in keyof C]: CodesIn<C[K]> }[keyof C] & string, true>
