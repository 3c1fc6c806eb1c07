import type { Feature } from '#server/http/endpoint.ts'
import {
  createResellerLicenses,
  deleteResellerLicense,
  listResellerLicenses,
  resellerLicenseStats,
} from './api/reseller-licenses.ts'
import { resellerApps, resellerCreditHistory, resellerCredits, resellerDashboard } from './api/reseller-overview.ts'
import * as preferences from './api/reseller-preferences.ts'
import * as security from './api/reseller-security.ts'
import { confirmEmail, resellerCheckAuth, resellerLogin, setUp, setupLink } from './api/reseller-session.ts'
import { listResellerUsers, resetResellerUserHwid } from './api/reseller-users.ts'
import { resellerApiContract, resellerPreferencesContract, resellerSecurityContract } from './reseller-api.contract.ts'

/** Calls for resellers, built on the actions of other features. */
export const resellerApi: Feature = {
  name: 'reseller-api',
  contract: { ...resellerApiContract, ...resellerSecurityContract, ...resellerPreferencesContract },
  endpoints: [
    setupLink,
    setUp,
    confirmEmail,
    resellerLogin,
    resellerCheckAuth,
    resellerDashboard,
    resellerApps,
    createResellerLicenses,
    listResellerLicenses,
    deleteResellerLicense,
    resellerLicenseStats,
    listResellerUsers,
    resetResellerUserHwid,
    resellerCredits,
    resellerCreditHistory,
    ...Object.values(security),
    ...Object.values(preferences),
  ],
}
