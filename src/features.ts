import { accounts } from '#features/accounts/accounts.feature.ts'
import { apps } from '#features/apps/apps.feature.ts'
import { clientApi } from '#features/client-api/client-api.feature.ts'
import { licenses } from '#features/licenses/licenses.feature.ts'
import { profile } from '#features/profile/profile.feature.ts'
import { sellerApi } from '#features/seller-api/seller-api.feature.ts'
import { sellerKeys } from '#features/seller-keys/seller-keys.feature.ts'
import { sessions } from '#features/sessions/sessions.feature.ts'
import { subscriptions } from '#features/subscriptions/subscriptions.feature.ts'
import { users } from '#features/users/users.feature.ts'
import type { Feature } from '#server/endpoint.ts'

/** Every feature of the server, one line each. */
export const features: readonly Feature[] = [
  accounts,
  profile,
  apps,
  licenses,
  subscriptions,
  users,
  sessions,
  sellerKeys,
  sellerApi,
  clientApi,
]
