import { accounts } from '#features/accounts/accounts.feature.ts'
import { apps } from '#features/apps/apps.feature.ts'
import { subscriptions } from '#features/subscriptions/subscriptions.feature.ts'
import type { Feature } from '#server/endpoint.ts'

/** Every feature of the server, one line each. */
export const features: readonly Feature[] = [accounts, apps, subscriptions]
