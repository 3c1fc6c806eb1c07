import { t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
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
import { notify } from '../browser/notify.ts'
import type { CallReply } from '../api/call-types.ts'
import { isResellerArea, paths } from '../navigation/paths.ts'
import { recordSession, recordSignIn, recordSignOut, signInAgain } from '../api/session-end.ts'
import { queryClient } from '../api/query-client.ts'
import { accountKey } from '../api/query-keys.ts'

export type Account = NonNullable<CallReply<'GET /check-auth'>['user']>
export type App = CallReply<'GET /apps'>['apps'][number]

const sessionKey = accountKey('session')
const knownAccount = () => queryClient.getQueryData<Account | null>(sessionKey)

const sessionChecks = ['GET /check-auth', 'GET /reseller/check-auth'] as const
type SessionCheck = (typeof sessionChecks)[number]

const checkOf = ({ role }: Account): SessionCheck => sessionChecks[role === 'reseller' ? 1 : 0]

/** Under which path the calls of the own account stand. */
export const profileCalls = () => (knownAccount()?.role === 'reseller' ? '/reseller/profile' : '/profile')

/** A browser may be signed in as an owner and as a reseller (R-SES-02): the address says whom a page is for. */
async function findSession(signal: AbortSignal): Promise<Account> {
  const [first, second] = isResellerArea(location.pathname) ? sessionChecks.toReversed() : sessionChecks
  try {
    return (await call(first as SessionCheck, { signal })).user
  } catch (error) {
    // Without any session it would be 401.
    if (!(error instanceof CallFailed && error.status === 403)) throw error
    return (await call(second as SessionCheck, { signal })).user
  }
}

const isSessionMissing = (error: unknown): boolean =>
  error instanceof CallFailed && (error.status === 401 || error.status === 403)

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Account | null> => {
    const known = knownAccount()
    try {
      const user = known ? (await call(checkOf(known), { signal })).user : await findSession(signal)
      recordSession(user)
      return user
    } catch (error) {
      if (!isSessionMissing(error)) throw error
      if (!known) return null
      // The page is in use: its account stays while the session is asked back.
      if (await signInAgain()) return knownAccount() ?? null
      throw error
    }
  },
})

export const appsQuery = queryOptions({
  queryKey: accountKey('apps'),
  queryFn: async ({ signal }) => (await call('GET /apps', { signal })).apps,
})

export const loadSession = () => queryClient.ensureQueryData(sessionQuery)

let autoSelectedFor: string | undefined

/**
 * One of these apps is selected if none was remembered. Once per sign-in: an app that is deleted, or taken
 * from a reseller, later leaves "No App Selected" behind.
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

/** The apps of the owner; one of them is selected. */
export async function loadApps(owner: Account): Promise<App[]> {
  const apps = await queryClient.ensureQueryData(appsQuery)
  selectOneOf(owner.ownerid, apps)
  return apps
}

/** The app that a link names, as one in a chat message does: what it leads to is that app's. */
export function selectLinkedApp(owner: Account, apps: readonly App[], appId: string): void {
  const app = apps.find((each) => each.appId === appId)
  if (app) rememberSelectedApp(owner.ownerid, app)
  else notify.warning(t`The app of this link is not available. It may have been deleted.`)
}

export async function selectApp(owner: Account, app: App) {
  await call('POST /select_app', { body: { appName: app.appName }, appId: app.appId })
  rememberSelectedApp(owner.ownerid, app)
}

const adminSeenKey = 'signet.admin-landed'

/** An admin goes to the admin dashboard once per browser session; Owner View stays reachable. */
function isAdminsFirstLanding(): boolean {
  try {
    if (sessionStorage.getItem(adminSeenKey)) return false
    sessionStorage.setItem(adminSeenKey, '1')
  } catch {
    return false
  }
  return true
}

/** Where `/`, `/login` and `/register` send somebody who is signed in. */
export function landingPath(account: Account): string {
  if (account.role === 'reseller') return paths.resellerDashboard()
  if (account.role === 'admin' && isAdminsFirstLanding()) return paths.adminDashboard()
  return paths.settings()
}

/** Asks the server, whose reply also brings the token for calls of that session. */
export async function hasSessionOf(accountId: string): Promise<boolean> {
  const known = knownAccount()
  const check = known ? checkOf(known) : sessionChecks[0]
  return (await call(check).catch(() => undefined))?.user.id === accountId
}

/** Somebody has just signed in. What another account left in memory must not be seen. */
export function enterSession(account: Account) {
  queryClient.clear()
  queryClient.setQueryData(sessionKey, account)
  recordSignIn(account)
}

/** The session is over: nothing of it stays in memory. */
export function dropSession() {
  recordSignOut()
  clearSelectedApp()
  queryClient.clear()
}

export async function signOut() {
  try {
    await call(knownAccount()?.role === 'reseller' ? 'POST /reseller/logout' : 'POST /logout')
  } catch (error) {
    notify.error(failureText(error, t`Failed to sign out`))
    return
  }
  recordSignOut()
  // A full load drops every cached answer with the session.
  location.assign(paths.login())
}
