import { endpoint } from '#server/http/endpoint.ts'
import { appsContract } from '../apps.contract.ts'

export const ipDataStatus = endpoint(appsContract.ipDataStatus, {
  read: async ({ services: { ipData } }) => {
    const { country, vpn } = ipData.status()
    return { country, vpn }
  },
})
