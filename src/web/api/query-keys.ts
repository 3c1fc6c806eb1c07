import type { QueryKey } from '@tanstack/react-query'
import type { TableId } from '#contract/table-ids.ts'
import { selectedAppStore } from './app-selection.ts'

/** Subjects of cached data, per account and per app. Other names do not compile. */
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
  | ['admin', 'owners' | 'plans' | 'stats' | 'settings' | 'health' | 'needs' | 'growth' | 'jobs', ...unknown[]]
  | ['resellers', part?: 'list' | 'one' | 'history' | 'domain' | 'palette', ...unknown[]]
  | ['audit', ...unknown[]]
  | ['preferences']
  | ['views', table: TableId]
  | ['admin', 'owners' | 'plans' | 'stats' | 'settings' | 'audit', ...unknown[]]
type AppSubject =
  | 'licenses'
  | 'license-count'
  | 'license-facets'
  | 'session-facets'
  | 'users'
  | 'user-totals'
  | 'user-facets'
  | 'subscriptions'
  | 'seller-keys'
  | 'sessions'
  | 'variables'
  | 'bin'
  | 'imports'
  | 'downloads'
  | 'logs'
  | 'diagnosis'
  | 'alerts'
  | 'alert-count'
  | 'alert-stats'
  | 'alert-thresholds'
  | 'user-activity'
  | 'overview'
  | 'first-run'
  | 'webhooks'
  | 'webhook-deliveries'
  | 'webhook-test'
  | 'reseller-licenses'
  | 'reseller-users'
  | 'reseller-stats'
  | 'reseller-credits'
  | 'credit-history'
  | 'bulk-counts'
  | 'replaced-keys'
  | 'palette'

/** All keys of the query cache are made here: a mistyped key would be a list that never refreshes. */
export const accountKey = (...key: AccountKey): QueryKey => key

/** Key of a query about the selected app, so that rows of different apps are never mixed. */
export const appKey = (subject: AppSubject, ...parts: readonly unknown[]): QueryKey =>
  appKeyOf(selectedAppStore.get()?.appId, subject, ...parts)

/** The same for any app. Without a subject: everything cached of the app. */
export const appKeyOf = (appId: string | undefined, ...key: [AppSubject?, ...unknown[]]): QueryKey => [
  'app',
  appId,
  ...key,
]

/** Of what is read beside the query of a list, whose rows it must not replace. */
export const liveKey = (key: QueryKey): QueryKey => [...key, 'live']
