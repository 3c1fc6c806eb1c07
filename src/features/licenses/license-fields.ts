import { refuse } from '#contract/refusals.ts'
import { licensesRefusals } from './licenses.contract.ts'

/** The key under either of its names. */
export function keyOf(body: { license?: string; licenseKey?: string }): string {
  return body.licenseKey ?? body.license ?? refuse(licensesRefusals, 'NO_LICENSES_SELECTED')
}

/** The flag under its singular or plural name (conflicts C63). */
export const shouldDeleteUsers = (body: { deleteUser?: boolean; deleteUsers?: boolean }): boolean =>
  body.deleteUsers === true || body.deleteUser === true
