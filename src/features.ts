import { accounts } from '#features/accounts/accounts.feature.ts'
import { alerts } from '#features/alerts/alerts.feature.ts'
import { admin } from '#features/admin/admin.feature.ts'
import { audit } from '#features/audit/audit.feature.ts'
import { apps } from '#features/apps/apps.feature.ts'
import { appExport } from '#features/app-export/app-export.feature.ts'
import { bin } from '#features/bin/bin.feature.ts'
import { branding } from '#features/branding/branding.feature.ts'
import { clientApi } from '#features/client-api/client-api.feature.ts'
import { credits } from '#features/credits/credits.feature.ts'
import { diagnosis } from '#features/diagnosis/diagnosis.feature.ts'
import { downloads } from '#features/downloads/downloads.feature.ts'
import { entitlements } from '#features/entitlements/entitlements.feature.ts'
import { imports } from '#features/imports/imports.feature.ts'
import { levels } from '#features/levels/levels.feature.ts'
import { firstRun } from '#features/first-run/first-run.feature.ts'
import { licenses } from '#features/licenses/licenses.feature.ts'
import { live } from '#features/live/live.feature.ts'
import { logs } from '#features/logs/logs.feature.ts'
import { overview } from '#features/overview/overview.feature.ts'
import { plans } from '#features/plans/plans.feature.ts'
import { preferences } from '#features/preferences/preferences.feature.ts'
import { profile } from '#features/profile/profile.feature.ts'
import { programSessions } from '#features/program-sessions/program-sessions.feature.ts'
import { resellerApi } from '#features/reseller-api/reseller-api.feature.ts'
import { resellers } from '#features/resellers/resellers.feature.ts'
import { sellerApi } from '#features/seller-api/seller-api.feature.ts'
import { sellerKeys } from '#features/seller-keys/seller-keys.feature.ts'
import { sessionStore } from '#features/session-store/session-store.feature.ts'
import { status } from '#features/status/status.feature.ts'
import { subscriptions } from '#features/subscriptions/subscriptions.feature.ts'
import { users } from '#features/users/users.feature.ts'
import { variables } from '#features/variables/variables.feature.ts'
import { webhooks } from '#features/webhooks/webhooks.feature.ts'
import type { Feature } from './server/http/endpoint.ts'

/** All features, in order: a feature imports only from features above it. oxlint.config.ts reads this list. */
export const features: readonly Feature[] = [
  accounts,
  preferences,
  sessionStore,
  levels,
  plans,
  apps,
  entitlements,
  variables,
  users,
  programSessions,
  credits,
  licenses,
  subscriptions,
  imports,
  profile,
  sellerKeys,
  downloads,
  webhooks,
  logs,
  resellers,
  alerts,
  appExport,
  branding,
  audit,
  bin,
  live,
  diagnosis,
  firstRun,
  overview,
  status,
  admin,
  sellerApi,
  resellerApi,
  clientApi,
]
