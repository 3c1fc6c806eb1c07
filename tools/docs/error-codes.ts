import { commonErrors, cooldownErrors, sellerKeyErrors } from '#contract/common-errors.ts'
import type { Calls } from '#contract/calls.ts'
import type { CallDefinition, Contract } from '#contract/define-call.ts'
import type { ErrorDefinition, ErrorDefinitions } from '#contract/errors.ts'
import type { accountSecurityContract } from '#features/accounts/account-security.contract.ts'
import type { accountsContract } from '#features/accounts/accounts.contract.ts'
import type { passwordResetContract } from '#features/accounts/password-reset.contract.ts'
import type { adminSettingsContract } from '#features/admin/admin-settings.contract.ts'
import type { adminContract } from '#features/admin/admin.contract.ts'
import type { dashboardContract } from '#features/admin/dashboard.contract.ts'
import type { failedJobsContract } from '#features/admin/failed-jobs.contract.ts'
import type { alertsContract } from '#features/alerts/alerts.contract.ts'
import type { appExportContract } from '#features/app-export/app-export.contract.ts'
import type { appsContract } from '#features/apps/apps.contract.ts'
import type { auditContract } from '#features/audit/audit.contract.ts'
import type { binContract } from '#features/bin/bin.contract.ts'
import type { brandingContract } from '#features/branding/branding.contract.ts'
import { clientErrors } from '#features/client-api/client-api.errors.ts'
import type { diagnosisContract } from '#features/diagnosis/diagnosis.contract.ts'
import type { downloadsContract } from '#features/downloads/downloads.contract.ts'
import type { importsContract } from '#features/imports/imports.contract.ts'
import type { licensesContract } from '#features/licenses/licenses.contract.ts'
import type { logsContract } from '#features/logs/logs.contract.ts'
import type { overviewContract } from '#features/overview/overview.contract.ts'
import type { plansContract } from '#features/plans/plans.contract.ts'
import type { preferencesContract } from '#features/preferences/preferences.contract.ts'
import type { profileContract } from '#features/profile/profile.contract.ts'
import type { programSessionsContract } from '#features/program-sessions/program-sessions.contract.ts'
import type { resellerApiContract, resellerSecurityContract } from '#features/reseller-api/reseller-api.contract.ts'
import type { resellerDomainsContract } from '#features/resellers/reseller-domains.contract.ts'
import type { resellersContract } from '#features/resellers/resellers.contract.ts'
import { sellerAppVariablesContract } from '#features/seller-api/seller-app-variables.contract.ts'
import { sellerDownloadsContract } from '#features/seller-api/seller-downloads.contract.ts'
import { sellerLicensesContract } from '#features/seller-api/seller-licenses.contract.ts'
import { sellerLogsContract } from '#features/seller-api/seller-logs.contract.ts'
import { sellerSessionsContract } from '#features/seller-api/seller-sessions.contract.ts'
import { sellerSettingsContract } from '#features/seller-api/seller-settings.contract.ts'
import { sellerKeyContract } from '#features/seller-api/seller-key.contract.ts'
import { sellerSubscriptionsContract } from '#features/seller-api/seller-subscriptions.contract.ts'
import { sellerUsersContract } from '#features/seller-api/seller-users.contract.ts'
import { sellerVariablesContract } from '#features/seller-api/seller-variables.contract.ts'
import { sellerWebhooksContract } from '#features/seller-api/seller-webhooks.contract.ts'
import type { sellerKeysContract } from '#features/seller-keys/seller-keys.contract.ts'
import type { statusContract } from '#features/status/status.contract.ts'
import type { subscriptionsContract } from '#features/subscriptions/subscriptions.contract.ts'
import type { userPasswordResetContract } from '#features/users/user-password-reset.contract.ts'
import type { userSubscriptionsContract } from '#features/users/user-subscriptions.contract.ts'
import type { userVariablesContract } from '#features/users/user-variables.contract.ts'
import type { usersBulkContract } from '#features/users/users-bulk.contract.ts'
import type { usersContract } from '#features/users/users.contract.ts'
import type { variablesContract } from '#features/variables/variables.contract.ts'
import type { webhooksContract } from '#features/webhooks/webhooks.contract.ts'
import { features } from '#features.ts'
import { codes } from '#sdk/codes.ts'

/**
 * The error codes of each API, as types and as values. The records of error-remedies/ are tied to the types, so a code
 * without a remedy doesn't compile, and neither does a remedy without a code.
 */

type DashboardContract =
  | typeof accountSecurityContract
  | typeof accountsContract
  | typeof passwordResetContract
  | typeof adminSettingsContract
  | typeof adminContract
  | typeof dashboardContract
  | typeof failedJobsContract
  | typeof alertsContract
  | typeof appExportContract
  | typeof appsContract
  | typeof auditContract
  | typeof binContract
  | typeof brandingContract
  | typeof diagnosisContract
  | typeof downloadsContract
  | typeof importsContract
  | typeof licensesContract
  | typeof logsContract
  | typeof overviewContract
  | typeof plansContract
  | typeof preferencesContract
  | typeof profileContract
  | typeof programSessionsContract
  | typeof resellerApiContract
  | typeof resellerSecurityContract
  | typeof resellerDomainsContract
  | typeof resellersContract
  | typeof sellerKeysContract
  | typeof statusContract
  | typeof subscriptionsContract
  | typeof userPasswordResetContract
  | typeof userSubscriptionsContract
  | typeof userVariablesContract
  | typeof usersBulkContract
  | typeof usersContract
  | typeof variablesContract
  | typeof webhooksContract

const sellerContract = {
  ...sellerLicensesContract,
  ...sellerUsersContract,
  ...sellerVariablesContract,
  ...sellerSubscriptionsContract,
  ...sellerSettingsContract,
  ...sellerAppVariablesContract,
  ...sellerDownloadsContract,
  ...sellerSessionsContract,
  ...sellerLogsContract,
  ...sellerWebhooksContract,
  ...sellerKeyContract,
}

/** Distributes over the contracts and their calls. */
type ErrorsOf<C> = C extends Contract
  ? { [K in keyof C]: C[K] extends { errors: infer E } ? keyof E & string : never }[keyof C]
  : never

export type CommonError = keyof typeof commonErrors
/** Codes that a program meets, from the server or from its client. */
export type ProgramError = keyof typeof codes
type DeclaredSellerError = ErrorsOf<typeof sellerContract> | keyof typeof sellerKeyErrors | CommonError

/** Declared by calls of the seller API, which share the errors of dashboard calls, but never their answer. */
export const neverOfSeller = [
  // Of sessions, and of calls that name their app: a key has one app.
  'SESSION_REQUIRED',
  'FORBIDDEN',
  'REAUTH_REQUIRED',
  'CSRF_INVALID',
  'NO_APP_SELECTED',
  'APP_MISMATCH',
  // Of fields that only the dashboard sends.
  'LIST_TOO_LONG',
  // Of actions on many rows, of resellers, and of forms that only create.
  'UNDO_NOT_FOUND',
  'SELECTION_CHANGED',
  'NO_LICENSES_SELECTED',
  'OWNER_LICENSE_LIMIT_REACHED',
  'NO_SUBSCRIPTIONS_SELECTED',
  'NO_VARIABLES_SELECTED',
  'VARIABLE_EXISTS',
  'VARIABLE_NAME_FIXED',
] as const satisfies readonly DeclaredSellerError[]

export type SellerError = Exclude<DeclaredSellerError, (typeof neverOfSeller)[number]>
export type PageError = ProgramError | SellerError
type DashboardError = ErrorsOf<DashboardContract> | CommonError
/** Codes that neither a program nor a seller's integration meets. */
export type DashboardOnlyError = Exclude<DashboardError, PageError>
/** Codes of a page of their own that calls of the dashboard declare too. */
export type SharedDashboardError = Exclude<Extract<ErrorsOf<DashboardContract>, PageError>, CommonError>

export type SellerCall = keyof typeof sellerContract
/** `POST /create_app` */
export type DashboardCall = keyof Calls & string

export interface Remedy {
  /** What happened. The first sentence also describes the page, so it names its subject. */
  cause: string
  /** Who can do what, on which screen or with which call. */
  remedy: string
}

const isSeller = ({ area }: CallDefinition): boolean => area === 'seller'
const allCalls = features.flatMap(({ contract }) => Object.values(contract))

export const sellerCallOf = (name: SellerCall): CallDefinition => sellerContract[name]
export const sellerCalls = Object.keys(sellerContract) as SellerCall[]

export const nameOfCall = ({ method, path }: CallDefinition): string => `${method} ${path}`

const dashboardCalls = new Map(allCalls.filter((call) => !isSeller(call)).map((call) => [nameOfCall(call), call]))

/** Throws if the call doesn't declare the code. */
export function requireDeclared(name: string, call: CallDefinition | undefined, code: string): void {
  const declared = { ...commonErrors, ...(call && isSeller(call) && sellerKeyErrors), ...call?.errors }
  if (!call || !(code in declared)) throw new Error(`${name} does not declare ${code}`)
}

export const requireDeclaredByDashboard = (name: DashboardCall, code: string): void =>
  requireDeclared(name, dashboardCalls.get(name), code)

/** What programs can be answered; codes without an entry are raised by their clients. */
export const programErrors: ErrorDefinitions = { ...commonErrors, ...cooldownErrors, ...clientErrors }
const sellerErrors = errorsOf(allCalls.filter(isSeller), { ...commonErrors, ...sellerKeyErrors })
const dashboardErrors = errorsOf([...dashboardCalls.values()], commonErrors)

function errorsOf(calls: readonly CallDefinition[], shared: ErrorDefinitions): ErrorDefinitions {
  return Object.assign({}, shared, ...calls.map(({ errors }) => errors ?? {})) as ErrorDefinitions
}

const known = (errors: ErrorDefinitions, code: string): ErrorDefinition | undefined =>
  Object.hasOwn(errors, code) ? errors[code] : undefined

export const programError = (code: string): ErrorDefinition | undefined =>
  Object.hasOwn(codes, code) ? known(programErrors, code) : undefined

export const sellerError = (code: string): ErrorDefinition | undefined =>
  (neverOfSeller as readonly string[]).includes(code) ? undefined : known(sellerErrors, code)

export const dashboardError = (code: string): ErrorDefinition | undefined => known(dashboardErrors, code)

/** All codes that the server or a client can answer, sorted. */
export const everyCode: readonly string[] = [
  ...new Set([...Object.keys(codes), ...Object.keys(sellerErrors), ...Object.keys(dashboardErrors)]),
].toSorted()

export const hasPage = (code: string): code is PageError =>
  Object.hasOwn(codes, code) || sellerError(code) !== undefined

/** What the client of a program makes of a code: its verdict, and the sentence for customers. */
export const clientEntry = (code: string) => (Object.hasOwn(codes, code) ? codes[code as ProgramError] : undefined)
