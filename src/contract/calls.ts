import type { commonErrors } from './common-errors.ts'
import type { CallTypes, Contract } from './define-call.ts'

/**
 * Every website call, by its name (`'GET /licenses'`). Each contract adds its own calls and codes:
 * `declare module '#contract/calls.ts' { interface Calls extends CallsOf<typeof licensesContract> {} … }`
 */
// oxlint-disable-next-line typescript/no-empty-interface -- features merge into it
export interface Calls {}

/** The calls of a contract by name. */
export type CallsOf<C extends Contract> = {
  [K in keyof C as `${C[K]['method']} ${C[K]['path']}`]: CallTypes<C[K]>
}

/** Every code of those calls, and those that any call can reply with. */
export interface Codes extends Record<keyof typeof commonErrors, true> {}

type CodesIn<D> =
  | (D extends { errors: infer R } ? keyof R : never)
  | (D extends { successes: infer S } ? keyof S : never)

/** The codes of a contract's errors and successes. */
export type CodesOf<C extends Contract> = Record<{ [K in keyof C]: CodesIn<C[K]> }[keyof C] & string, true>
