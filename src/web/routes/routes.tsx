import { msg } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router'
import { appRewrite } from './app-rewrite.ts'
import {
  guardAdmin,
  guardHome,
  guardMissing,
  guardOwner,
  guardPublic,
  guardReseller,
  guardResellerLogin,
  guardSignedIn,
} from './guards.ts'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { lazyPage } from '../shell/lazy-page.tsx'
import { selectedAppStore } from '../api/app-selection.ts'
import { paths } from '../navigation/paths.ts'
import { parseSearch, type SearchParams, stringifySearch } from '../navigation/search-params.ts'
import { LoadErrorPage } from '../shell/load-error-page.tsx'
import { Root } from '../shell/root.tsx'

const SignInAgain = lazyPart(() => import('#features/accounts/web/sign-in-again-dialog.tsx'), 'SignInAgainDialog')

const root = createRootRoute({
  component: () => <Root signInAgain={SignInAgain} />,
  errorComponent: LoadErrorPage,
  validateSearch: (search: SearchParams): SearchParams => search,
})

const at = (parent: AnyRoute, path: string, title: MessageDescriptor, component: RouteComponent): AnyRoute =>
  createRoute({ getParentRoute: () => parent, path, component, staticData: { title } })

const goTo = (parent: AnyRoute, path: string, to: string): AnyRoute =>
  createRoute({
    getParentRoute: () => parent,
    path,
    beforeLoad: () => {
      throw redirect({ to, replace: true })
    },
  })

const guests = createRoute({ getParentRoute: () => root, id: 'guests', beforeLoad: guardPublic })
const login = lazyPage(() => import('#features/accounts/web/login-page.tsx'), 'LoginPage', 'kept')
const register = lazyPage(() => import('#features/accounts/web/register-page.tsx'), 'RegisterPage', 'kept')
guests.addChildren([
  at(guests, paths.login(), msg`Sign in`, login),
  at(guests, paths.register(), msg`Create account`, register),
])

const licenses = lazyPage(() => import('#features/licenses/web/licenses-page.tsx'), 'LicensesPage')
const alerts = lazyPage(() => import('#features/alerts/web/alerts-page.tsx'), 'AlertsPage')
const appSettings = lazyPage(() => import('#features/apps/web/app-settings-page.tsx'), 'AppSettingsPage')
const connect = lazyPage(() => import('#features/first-run/web/connect-page.tsx'), 'ConnectPage')
const manageApps = lazyPage(() => import('#features/apps/web/manage-apps-page.tsx'), 'ManageAppsPage')
const createApp = lazyPage(() => import('#features/apps/web/create-app-page.tsx'), 'CreateAppPage')

const subscriptions = lazyPage(() => import('#features/subscriptions/web/subscriptions-page.tsx'), 'SubscriptionsPage')
const profile = lazyPage(() => import('#features/profile/web/profile-page.tsx'), 'ProfilePage')
const sessions = lazyPage(
  () => import('#features/program-sessions/web/program-sessions-page.tsx'),
  'ProgramSessionsPage',
)
const sellerKeys = lazyPage(() => import('#features/seller-keys/web/seller-keys-page.tsx'), 'SellerKeysPage')
const users = lazyPage(() => import('#features/users/web/users-page.tsx'), 'UsersPage')
const downloads = lazyPage(() => import('#features/downloads/web/downloads-page.tsx'), 'DownloadsPage')
const variables = lazyPage(() => import('#features/variables/web/variables-page.tsx'), 'VariablesPage')
const logs = lazyPage(() => import('#features/logs/web/logs-page.tsx'), 'LogsPage')
const why = lazyPage(() => import('#features/diagnosis/web/why-page.tsx'), 'WhyPage')
const overview = lazyPage(() => import('#features/overview/web/overview-page.tsx'), 'OverviewPage')
const deleted = lazyPage(() => import('#features/bin/web/deleted-page.tsx'), 'DeletedPage')
const imports = lazyPage(() => import('#features/imports/web/imports-page.tsx'), 'ImportsPage')
const audit = lazyPage(() => import('#features/audit/web/audit-page.tsx'), 'AuditPage')
const webhooks = lazyPage(() => import('#features/webhooks/web/webhooks-page.tsx'), 'WebhooksPage')
const resellers = lazyPage(() => import('#features/resellers/web/resellers-page.tsx'), 'ResellersPage')
const resellerDetail = lazyPage(() => import('#features/resellers/web/reseller-page.tsx'), 'ResellerDetailPage')
const owner = createRoute({
  getParentRoute: () => root,
  id: 'owner',
  beforeLoad: guardOwner,
  component: lazyPage(() => import('./owner-area.tsx'), 'OwnerArea'),
})
owner.addChildren([
  at(owner, paths.settings(), msg`Settings`, appSettings),
  at(owner, paths.connect(), msg`Connect`, connect),
  at(owner, paths.licenses(), msg`Licenses`, licenses),
  at(owner, paths.users(), msg`Users`, users),
  at(owner, paths.subscriptions(), msg`Subscriptions`, subscriptions),
  at(owner, paths.sessions(), msg`Sessions`, sessions),
  at(owner, paths.variables(), msg`Variables`, variables),
  at(owner, paths.webhooks(), msg`Webhooks`, webhooks),
  at(owner, paths.downloads(), msg`Downloads`, downloads),
  at(owner, paths.sellerApi(), msg`Seller API`, sellerKeys),
  at(owner, paths.manageResellers(), msg`Manage Resellers`, resellers),
  at(owner, '/resellers/$username', msg`Reseller`, resellerDetail),
  at(owner, paths.logs(), msg`Logs`, logs),
  at(owner, paths.why(), msg`Why was this rejected?`, why),
  at(owner, paths.overview(), msg`Overview`, overview),
  at(owner, paths.alerts(), msg`Alerts`, alerts),
  at(owner, paths.deleted(), msg`Deleted`, deleted),
  at(owner, paths.imports(), msg`Import`, imports),
  at(owner, paths.audit(), msg`Audit`, audit),
  at(owner, paths.manageApps(), msg`Manage Apps`, manageApps),
  at(owner, paths.createApp(), msg`Create New App`, createApp),
  at(owner, paths.profile(), msg`Profile`, profile),
])

const adminDashboard = lazyPage(() => import('#features/admin/web/admin-dashboard-page.tsx'), 'AdminDashboardPage')
const owners = lazyPage(() => import('#features/admin/web/owners-page.tsx'), 'OwnersPage')
const plans = lazyPage(() => import('#features/admin/web/plans-page.tsx'), 'PlansPage')
const failedJobs = lazyPage(() => import('#features/admin/web/failed-jobs-page.tsx'), 'FailedJobsPage')
const systemSettings = lazyPage(() => import('#features/admin/web/settings-page.tsx'), 'SettingsPage')
const platformAudit = lazyPage(() => import('#features/audit/web/audit-page.tsx'), 'PlatformAuditPage')
const adminArea = lazyPage(() => import('./admin-area.tsx'), 'AdminArea')
const admin = createRoute({ getParentRoute: () => root, path: '/admin', beforeLoad: guardAdmin, component: adminArea })
admin.addChildren([
  goTo(admin, '/', paths.adminDashboard()),
  at(admin, '/dashboard', msg`Admin`, adminDashboard),
  at(admin, '/owners', msg`Owners`, owners),
  at(admin, '/plans', msg`Plans`, plans),
  at(admin, '/jobs', msg`Failed jobs`, failedJobs),
  at(admin, '/audit', msg`Audit`, platformAudit),
  at(admin, '/settings', msg`System Settings`, systemSettings),
])

const resellerSetup = lazyPage(() => import('#features/reseller-api/web/setup-page.tsx'), 'SetupPage', 'kept')
const resellerConfirmEmail = lazyPage(
  () => import('#features/reseller-api/web/confirm-email-page.tsx'),
  'ConfirmEmailPage',
  'kept',
)
const resellerDashboard = lazyPage(() => import('#features/reseller-api/web/dashboard-page.tsx'), 'DashboardPage')
const ownLicenses = lazyPage(() => import('#features/reseller-api/web/own-licenses-page.tsx'), 'OwnLicensesPage')
const ownUsers = lazyPage(() => import('#features/reseller-api/web/own-users-page.tsx'), 'OwnUsersPage')
const credits = lazyPage(() => import('#features/reseller-api/web/credits-page.tsx'), 'CreditsPage')
const ownProfile = lazyPage(() => import('#features/reseller-api/web/own-profile-page.tsx'), 'OwnProfilePage')
const resellerShell = lazyPage(() => import('#features/reseller-api/web/reseller-shell.tsx'), 'ResellerShell')
const reseller = createRoute({
  getParentRoute: () => root,
  id: 'reseller',
  beforeLoad: guardReseller,
  component: resellerShell,
})
reseller.addChildren([
  goTo(reseller, '/reseller', paths.resellerDashboard()),
  at(reseller, paths.resellerDashboard(), msg`Dashboard`, resellerDashboard),
  at(reseller, paths.resellerLicenses(), msg`Licenses`, ownLicenses),
  at(reseller, paths.resellerUsers(), msg`Users`, ownUsers),
  at(reseller, paths.resellerCredits(), msg`Credits`, credits),
  at(reseller, paths.resellerProfile(), msg`Profile`, ownProfile),
])

const plainShell = lazyPage(() => import('../shell/plain-shell.tsx'), 'PlainShell')
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: guardSignedIn,
  component: plainShell,
})
const status = lazyPage(() => import('#features/status/web/status-page.tsx'), 'StatusPage')
signedIn.addChildren([at(signedIn, paths.status(), msg`System status`, status)])

const terms = lazyPage(() => import('#features/accounts/web/terms-page.tsx'), 'TermsPage')

const resetPassword = lazyPage(
  () => import('#features/accounts/web/reset-password-page.tsx'),
  'ResetPasswordPage',
  'kept',
)
const resetUserPassword = lazyPage(
  () => import('#features/accounts/web/reset-password-page.tsx'),
  'ResetUserPasswordPage',
  'kept',
)

const missing = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: guardMissing,
  component: lazyPage(() => import('./missing-page.tsx'), 'MissingPage'),
  staticData: { title: msg`Page not found` },
})

root.addChildren([
  createRoute({ getParentRoute: () => root, path: '/', beforeLoad: guardHome }),
  goTo(root, '/signup', paths.register()),
  createRoute({ getParentRoute: () => root, path: paths.resellerLogin(), beforeLoad: guardResellerLogin }),
  at(root, paths.terms(), msg`Terms`, terms),
  at(root, '/reseller/setup/$registrationToken', msg`Complete Setup`, resellerSetup),
  at(root, paths.resellerConfirmEmail(), msg`Confirm email`, resellerConfirmEmail),
  at(root, paths.resetPassword(), msg`New password`, resetPassword),
  at(root, paths.resetUserPassword(), msg`New password`, resetUserPassword),
  guests,
  owner,
  admin,
  reseller,
  signedIn,
  missing,
])

export const router = createRouter({
  routeTree: root,
  rewrite: appRewrite,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  // The data belongs to the query cache; the router only preloads code.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultErrorComponent: LoadErrorPage,
  defaultPendingMs: 300,
})

declare global {
  /** Of `public/start.js`: loads the chunks of a page side by side, before its first one has named the others. */
  var signetPreload: ((path: string) => void) | undefined
}
router.subscribe('onBeforeNavigate', ({ toLocation }) => globalThis.signetPreload?.(toLocation.pathname))

// Links keep the address that they were built with, which names the app.
selectedAppStore.subscribe(() => router.update(router.options))
