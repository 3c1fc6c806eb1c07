/** All paths of the dashboard. Links and redirects use only these. */

const segment = encodeURIComponent

export const paths = {
  home: () => '/',
  login: () => '/login',
  register: () => '/register',
  terms: () => '/terms',
  resetPassword: () => '/reset-password',
  resetUserPassword: () => '/reset-user-password',
  status: () => '/status',

  settings: () => '/dashboard',
  connect: () => '/connect',
  licenses: () => '/licenses',
  subscriptions: () => '/subscriptions',
  users: () => '/users',
  sellerApi: () => '/sellerapi',
  variables: () => '/variables',
  sessions: () => '/sessions',
  downloads: () => '/downloads',
  webhooks: () => '/webhooks',
  logs: () => '/logs',
  why: () => '/why',
  alerts: () => '/alerts',
  overview: () => '/overview',
  deleted: () => '/deleted',
  imports: () => '/import',
  audit: () => '/audit',
  profile: () => '/profile',
  manageApps: () => '/manage-apps',
  createApp: () => '/create-app',
  manageResellers: () => '/manage-resellers',
  reseller: (username: string) => `/resellers/${segment(username)}`,

  resellerLogin: () => '/reseller/login',
  resellerSetup: (registrationToken: string) => `/reseller/setup/${segment(registrationToken)}`,
  resellerConfirmEmail: () => '/reseller/confirm-email',
  resellerDashboard: () => '/reseller/dashboard',
  resellerLicenses: () => '/reseller/licenses',
  resellerUsers: () => '/reseller/users',
  resellerCredits: () => '/reseller/credits',
  resellerProfile: () => '/reseller/profile',

  adminDashboard: () => '/admin/dashboard',
  adminOwners: () => '/admin/owners',
  adminPlans: () => '/admin/plans',
  adminJobs: () => '/admin/jobs',
  adminAudit: () => '/admin/audit',
  adminSettings: () => '/admin/settings',
} as const

/** The part of the profile about the plan, as the hash of an address. */
export const planSection = 'plan'

/** Paths of the reseller area; account setup is for visitors who are not signed in. */
export const isResellerArea = (pathname: string): boolean => /^\/reseller(\/|$)/.test(pathname)
