import type { Feature } from '#server/http/endpoint.ts'
import { getBranding } from './api/get-branding.ts'
import { pageBrandOf } from './branding.actions.ts'
import { brandingContract } from './branding.contract.ts'

/** A reseller's brand on the reseller's own domain. */
export const branding: Feature = {
  name: 'branding',
  contract: brandingContract,
  endpoints: [getBranding],
  pageBrand: pageBrandOf,
}
