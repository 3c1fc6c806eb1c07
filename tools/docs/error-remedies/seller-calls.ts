import { type Remedy, type SellerCall, sellerCallOf, type SellerError, sellerCalls } from '../error-codes.ts'

/** A code of the seller API. `calls` is empty for an address that belongs to no call. */
export interface SellerRemedy extends Remedy {
  calls: readonly SellerCall[]
}

export type SellerRemedies = Partial<Record<SellerError, SellerRemedy>>

export const everyCall = sellerCalls
const hasFields = (schema: unknown): boolean =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}).length > 0

export const callsWithBody = sellerCalls.filter((call) => sellerCallOf(call).body !== undefined)
export const callsWithFields = sellerCalls.filter((call) => {
  const { body, query, params } = sellerCallOf(call)
  return [body, query, params].some(hasFields)
})
export const idempotentCalls = sellerCalls.filter((call) => sellerCallOf(call).idempotent)
const pathHas = (part: string) => sellerCalls.filter((call) => sellerCallOf(call).path.includes(part))
/** Calls that name a license, or a user, in their path. */
export const callsOnLicense = pathHas('{license}')
export const callsOnUser = pathHas('{username}')
export const hashingCalls = ['createUser', 'editUser'] as const satisfies SellerCall[]
export const durationCalls = [
  'createLicenses',
  'addTimeLicense',
  'extendUser',
  'subtractUser',
] as const satisfies SellerCall[]
