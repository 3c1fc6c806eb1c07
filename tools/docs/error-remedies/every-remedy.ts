import type { DashboardOnlyError, ProgramError, SellerError } from '../error-codes.ts'
import { dashboardAccounts } from './dashboard-accounts.ts'
import { dashboardAdmin } from './dashboard-admin.ts'
import { dashboardAny } from './dashboard-any.ts'
import { dashboardApps } from './dashboard-apps.ts'
import type { DashboardRemedy } from './dashboard-calls.ts'
import { dashboardImports } from './dashboard-imports.ts'
import { dashboardIntegrations } from './dashboard-integrations.ts'
import { dashboardResellers } from './dashboard-resellers.ts'
import { dashboardViews } from './dashboard-views.ts'
import { programAccess } from './program-access.ts'
import type { ProgramRemedy } from './program-calls.ts'
import { programClients } from './program-clients.ts'
import { programData } from './program-data.ts'
import { programProtocol } from './program-protocol.ts'
import { sellerApps } from './seller-apps.ts'
import type { SellerRemedy } from './seller-calls.ts'
import { sellerObjects } from './seller-objects.ts'
import { sellerRequests } from './seller-requests.ts'

/** Cause and remedy of each code, by API: what a program's customer has to do differs from what a shop has to do. */

export const programRemedies: Record<ProgramError, ProgramRemedy> = {
  ...programAccess,
  ...programProtocol,
  ...programData,
  ...programClients,
}

export const sellerRemedies: Record<SellerError, SellerRemedy> = {
  ...sellerRequests,
  ...sellerObjects,
  ...sellerApps,
}

export const dashboardRemedies: Record<DashboardOnlyError, DashboardRemedy> = {
  ...dashboardAny,
  ...dashboardAccounts,
  ...dashboardApps,
  ...dashboardImports,
  ...dashboardIntegrations,
  ...dashboardResellers,
  ...dashboardViews,
  ...dashboardAdmin,
}
