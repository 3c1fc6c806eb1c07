import { endpoint } from '#server/http/endpoint.ts'
import { brandingOf } from '../branding.actions.ts'
import { brandingContract } from '../branding.contract.ts'

export const getBranding = endpoint(brandingContract.branding, {
  read: async ({ services, host }) => ({ branding: await brandingOf(services, host) }),
})
