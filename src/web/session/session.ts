import { t } from '@lingui/core/macro'
import { hashKey, queryOptions } from '@tanstack/react-query'
import {
  clearSelectedApp,
  recallSelectedApp,
  rememberSelectedApp,
  type SelectedApp,
  selectedAppStore,
} from '../api/app-selection.ts'
import { call } from '../api/call.ts'
import { CallFailed } from '../api/call-failed.ts'
import { failureText } from '../api/errors.ts'
import { forgetNotifications } from '../browser/notification-history.ts'
import { notificationStore, notify } from '../browser/notify.ts'
import { forgetSessionValues } from '../browser/stored.ts'
import type { CallReply } from '../api/call-types.ts'
import { isResellerArea, paths } from '../navigation/paths.ts'
import {
  hasSessionEnded,
  leaveQuestions,
  recordSession,
  recordSignIn,
  recordSignOut,
  type SessionEnd,
  signInAgain,
} from '../api/session-end.ts'
import { queryClient } from '../api/query-client.ts'
import { accountKey } from '../api/query-keys.ts'
import { showTimeZone } from '../browser/time-zone.ts'

export type Account = NonNullable<CallReply<'GET /check-auth'>['user']>
export type App = CallReply<'GET /apps'>['apps'][number]

const sessionKey = accountKey('session')
export const knownAccount = () => queryClient.getQueryData<Account | null>(sessionKey)

const sessionChecks = ['GET /check-auth', 'GET /reseller/check-auth'] as const
type SessionCheck = (typeof sessionChecks)[number]

const checkOf = ({ role }: Account): SessionCheck => sessionChecks[role === 'reseller' ? 1 : 0]

/** A browser may be signed in both as an owner and as a reseller (R-SES-02): the URL decides which one a page uses. */
async function findSession(signal: AbortSignal): Promise<Account> {
  const [first, second] = isResellerArea(location.pathname) ? sessionChecks.toReversed() : sessionChecks
  try {
    return (await call(first as SessionCheck, { signal })).user
  } catch (error) {
    // 403: there is one of the other kind. 401: there may be one, unless nobody has signed in here.
    if (!isSessionMissing(error) || ((error as CallFailed).status === 401 && !hasSessionEnded())) throw error
    return (await call(second as SessionCheck, { signal })).user
  }
}

const isSessionMissing = (error: unknown): boolean =>
  error instanceof CallFailed && (error.status === 401 || error.status === 403)

/** Who was last signed in: the toasts are theirs. */
let person: string | undefined

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Account | null> => {
    const known = knownAccount()
    let end: SessionEnd = 'ended'
    try {
      const user = known ? (await call(checkOf(known), { signal })).user : await findSession(signal)
      if (known && user.id !== known.id) {
        end = 'somebody-else'
        throw new CallFailed(401, {})
      }
      recordSession(user)
      person = user.id
      return user
    } catch (error) {
      if (!isSessionMissing(error)) throw error
      if (!known) return null
      // The page is in use: the account stays visible while the session is checked.
      if (await signInAgain(end)) return knownAccount() ?? null
      throw error
    }
  },
})

queryClient.getQueryCache().subscribe(({ query }) => {
  if (query.queryHash === hashKey(sessionKey)) showTimeZone(knownAccount()?.timeZone)
})

export const appsQuery = queryOptions({
  queryKey: accountKey('apps'),
  queryFn: async ({ signal }) => (await call('GET /apps', { signal })).apps,
})

export const loadSession = () => queryClient.ensureQueryData(sessionQuery)

let autoSelectedFor: string | undefined

/**
 * Selects one of these apps if none was remembered. Only once per sign-in: after the app is deleted, or removed from a
 * reseller, the page shows "No App Selected".
 */
export function selectOneOf(accountId: string, apps: readonly SelectedApp[]): void {
  recallSelectedApp(accountId)
  const selected = selectedAppStore.get()
  const current = apps.find(({ appId }) => appId === selected?.appId)
  if (current) rememberSelectedApp(accountId, current)
  else if (selected) clearSelectedApp()
  const [first] = apps
  if (!current && first && autoSelectedFor !== accountId) rememberSelectedApp(accountId, first)
  autoSelectedFor = accountId
}

/** The owner's apps; makes sure that one of them is selected. */
export async function loadApps(owner: Account): Promise<App[]> {
  const apps = await queryClient.ensureQueryData(appsQuery)
  selectOneOf(owner.ownerid, apps)
  return apps
}

/** Selects the app named in a link, e.g. from a chat message, because the page shows data of that app. */
export function selectLinkedApp(owner: Account, apps: readonly App[], appId: string): void {
  const app = apps.find((each) => each.appId === appId)
  if (app) rememberSelectedApp(owner.ownerid, app)
  else notify.warning(t`The app in this link is not available. It may have been deleted.`)
}

const adminSeenKey = 'signet.admin-landed'

/** Sends an administrator to the admin dashboard once per browser session; Owner View stays available. */
function isAdminsFirstLanding(): boolean {
  try {
    if (sessionStorage.getItem(adminSeenKey)) return false
    sessionStorage.setItem(adminSeenKey, '1')
  } catch {
    return false
  }
  return true
}

/** Where `/`, `/login` and `/register` redirect signed-in users. */
export function landingPath(account: Account): string {
  if (account.role === 'reseller') return paths.resellerDashboard()
  if (account.role === 'admin' && isAdminsFirstLanding()) return paths.adminDashboard()
  return paths.overview()
}

/** Asks the server; its reply also carries the CSRF token of the session. */
export async function hasSessionOf(accountId: string): Promise<boolean> {
  const known = knownAccount()
  const check = known ? checkOf(known) : sessionChecks[0]
  return (await call(check).catch(() => undefined))?.user.id === accountId
}

/** Called after sign-in: clears cached data and toasts of another account. */
export function enterSession(account: Account) {
  queryClient.clear()
  forgetNotifications()
  if (person !== undefined && person !== account.id) notificationStore.set([])
  person = account.id
  autoSelectedFor = undefined
  queryClient.setQueryData(sessionKey, account)
  recordSignIn(account)
}

/** Called when the session is over: clears all cached data. */
export function dropSession() {
  recordSignOut()
  forgetSessionValues()
  clearSelectedApp()
  queryClient.clear()
  forgetNotifications()
}

export async function signOut() {
  for (const mayLeave of leaveQuestions) if (!(await mayLeave())) return
  try {
    await call(knownAccount()?.role === 'reseller' ? 'POST /reseller/logout' : 'POST /logout')
  } catch (error) {
    notify.error(failureText(error, t`Failed to sign out`))
    return
  }
  recordSignOut()
  forgetSessionValues()
  // A full page load drops all cached data of the session.
  location.assign(paths.login())
}
