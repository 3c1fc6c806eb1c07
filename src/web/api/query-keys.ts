import type { QueryKey } from '@tanstack/react-query'
import { selectedAppStore } from './app-selection.ts'

/** What is cached of the account, and what of each app. A name that isn't here doesn't compile. */
type AccountKey =
  | ['session']
  | ['apps']
  | ['assigned-apps']
  | ['setup-link', registrationToken: string]
  | ['profile', part?: 'plan-usage' | 'stats' | 'sessions' | 'two-factor']
  | ['two-factor-setup']
  | ['ssl-sha256']
  | ['ip-data']
  | ['plans']
  | ['status']
  | ['admin', 'owners' | 'plans' | 'stats' | 'settings' | 'health', ...unknown[]]
  | ['resellers', part?: 'list' | 'one' | 'history' | 'domain', ...unknown[]]
  | ['audit', ...unknown[]]
  | ['admin', 'owners' | 'plans' | 'stats' | 'settings' | 'audit', ...unknown[]]
type AppSubject =
  | 'licenses'
  | 'license-count'
  | 'users'
  | 'user-totals'
  | 'subscriptions'
  | 'seller-keys'
  | 'sessions'
  | 'variables'
  | 'downloads'
  | 'logs'
  | 'diagnosis'
  | 'alerts'
  | 'alert-count'
  | 'alert-stats'
  | 'alert-thresholds'
  | 'user-activity'
  | 'overview'
  | 'webhooks'
  | 'webhook-deliveries'
  | 'reseller-licenses'
  | 'reseller-users'
  | 'reseller-stats'
  | 'credit-history'
  | 'bulk-counts'

/** Every key of the query cache is made here: a mistyped one would be a list that is never refreshed. */
export const accountKey = (...key: AccountKey): QueryKey => key

/** The key of a query about the selected app: another app never shows this one's rows. */
export const appKey = (subject: AppSubject, ...parts: readonly unknown[]): QueryKey =>
  appKeyOf(selectedAppStore.get()?.appId, subject, ...parts)

/** The same for an app that need not be selected. Without a subject: all that is cached of it. */
export const appKeyOf = (appId: string | undefined, ...key: [AppSubject?, ...unknown[]]): QueryKey => [
  'app',
  appId,
  ...key,
]
