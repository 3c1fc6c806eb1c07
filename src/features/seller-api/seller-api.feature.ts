import type { Feature } from '#server/http/endpoint.ts'
import { licenseCalls } from './api/licenses.ts'
import { stats } from './api/stats.ts'
import { subscriptionCalls } from './api/subscriptions.ts'
import { variableCalls } from './api/user-variables.ts'
import { userCalls } from './api/users.ts'
import { sellerLicensesContract } from './seller-licenses.contract.ts'
import { sellerStatsContract, sellerSubscriptionsContract } from './seller-subscriptions.contract.ts'
import { sellerUsersContract } from './seller-users.contract.ts'
import { sellerVariablesContract } from './seller-variables.contract.ts'

/** Calls for shops and bots, authenticated by a seller key (docs/seller-api.md). */
export const sellerApi: Feature = {
  name: 'seller-api',
  contract: {
    ...sellerLicensesContract,
    ...sellerUsersContract,
    ...sellerSubscriptionsContract,
    ...sellerVariablesContract,
    ...sellerStatsContract,
  },
  endpoints: [...licenseCalls, ...userCalls, ...subscriptionCalls, ...variableCalls, stats],
}
