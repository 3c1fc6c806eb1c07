import type { Feature } from '#server/http/endpoint.ts'
import { getBranding } from './api/get-branding.ts'
import { pageBrandOf } from './branding.actions.ts'
import { brandingContract } from './branding.contract.ts'

/** The brand of a reseller on a domain of the reseller's own. */
export const branding: Feature = {
  name: 'branding',
  contract: brandingContract,
  endpoints: [getBranding],
  pageBrand: pageBrandOf,
}
