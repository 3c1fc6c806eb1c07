import type { Feature } from '#server/http/endpoint.ts'
import { appVariableCalls } from './api/app-variables.ts'
import { downloadCalls } from './api/downloads.ts'
import { licenseCalls } from './api/licenses.ts'
import { logCalls } from './api/logs.ts'
import { me } from './api/me.ts'
import { sessionCalls } from './api/sessions.ts'
import { settingsCalls } from './api/settings.ts'
import { stats } from './api/stats.ts'
import { subscriptionCalls } from './api/subscriptions.ts'
import { variableCalls } from './api/user-variables.ts'
import { userCalls } from './api/users.ts'
import { listenerCalls } from './api/webhook-listeners.ts'
import { sellerAppVariablesContract } from './seller-app-variables.contract.ts'
import { sellerDownloadsContract } from './seller-downloads.contract.ts'
import { sellerKeyContract } from './seller-key.contract.ts'
import { sellerLicensesContract } from './seller-licenses.contract.ts'
import { sellerLogsContract } from './seller-logs.contract.ts'
import { sellerSessionsContract } from './seller-sessions.contract.ts'
import { sellerSettingsContract } from './seller-settings.contract.ts'
import { sellerSubscriptionsContract } from './seller-subscriptions.contract.ts'
import { sellerUsersContract } from './seller-users.contract.ts'
import { sellerVariablesContract } from './seller-variables.contract.ts'
import { sellerWebhooksContract } from './seller-webhooks.contract.ts'

/** Calls for shops, bots and release pipelines, authenticated by a seller key (docs/seller-api.md). */
export const sellerApi: Feature = {
  name: 'seller-api',
  contract: {
    ...sellerLicensesContract,
    ...sellerUsersContract,
    ...sellerSubscriptionsContract,
    ...sellerVariablesContract,
    ...sellerSettingsContract,
    ...sellerAppVariablesContract,
    ...sellerDownloadsContract,
    ...sellerSessionsContract,
    ...sellerLogsContract,
    ...sellerKeyContract,
    ...sellerWebhooksContract,
  },
  endpoints: [
    ...licenseCalls,
    ...userCalls,
    ...subscriptionCalls,
    ...variableCalls,
    ...settingsCalls,
    ...appVariableCalls,
    ...downloadCalls,
    ...sessionCalls,
    ...logCalls,
    me,
    stats,
    ...listenerCalls,
  ],
}
