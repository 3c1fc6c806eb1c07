import { redirect } from '@tanstack/react-router'
import { appOfAddress, isAppPage } from '../navigation/app-address.ts'
import { ownPath } from '../navigation/own-path.ts'
import { paths } from '../navigation/paths.ts'
import type { SearchParams } from '../navigation/search-params.ts'
import { selectedAppStore } from '../api/app-selection.ts'
import { hasSessionEnded } from '../api/session-end.ts'
import { registrationState } from '#features/accounts/web/registration-state.ts'
import { loadAssignedApps } from '#features/reseller-api/web/assigned-apps.ts'
import { type Account, type App, landingPath, loadApps, loadSession, selectLinkedApp } from '../session/session.ts'

interface Destination {
  location: { pathname: string; publicHref: string; search: SearchParams }
  /** The page is only prepared, for a link under the pointer. */
  preload: boolean
}

/** Redirects to sign-in, with the reason and the page to return to. */
function goToLogin({ publicHref }: Destination['location']) {
  const search = { next: ownPath(publicHref), reason: hasSessionEnded() ? 'ended' : undefined }
  return redirect({ to: paths.login(), search, replace: true })
}

/** Pages available before the first app exists. */
const withoutApps = new Set<string>([paths.createApp(), paths.profile()])

export async function guardPublic({ location }: Destination) {
  const account = await loadSession()
  if (!account) return
  // The administrators' own start page follows sign-in, not sign-up.
  const isSignUp = location.pathname === paths.register() && account.role !== 'reseller'
  const landing = isSignUp ? paths.overview() : landingPath(account)
  throw redirect({ href: ownPath(location.search.next) ?? landing, replace: true })
}

/** The address of an app, without a page, leads to its Overview; `/` of a server without an administrator to setting it up. */
export async function guardHome({ location }: Destination) {
  const account = await loadSession()
  const appId = location.search.appId ?? appOfAddress(location.publicHref)
  if (!account && appId !== undefined) throw goToLogin(location)
  const entry = registrationState() === 'no-admin' ? paths.register() : paths.login()
  if (!account) throw redirect({ to: entry, replace: true })
  if (appId === undefined || account.role === 'reseller') throw redirect({ to: landingPath(account), replace: true })
  throw redirect({ to: paths.overview(), search: { appId }, replace: true })
}

/** Loads what the area of the account shows beside the page; an address without a page redirects nobody. */
export async function guardMissing() {
  const account = await loadSession()
  if (account?.role === 'reseller') await loadAssignedApps(account)
  else if (account) await loadApps(account)
}

export async function guardSignedIn({ location }: Destination) {
  if (!(await loadSession())) throw goToLogin(location)
}

export async function guardOwner({ location, preload }: Destination) {
  const account = await loadSession()
  if (!account) throw goToLogin(location)
  if (account.role === 'reseller') throw redirect({ to: paths.resellerDashboard(), replace: true })
  const apps = await loadApps(account)
  if (!preload) selectAddressedApp(account, apps, location)
  if (apps.length === 0 && !withoutApps.has(location.pathname)) throw redirect({ to: paths.createApp(), replace: true })
}

/** Selects the app that the address names, or puts the selected one into the address. */
function selectAddressedApp(account: Account, apps: readonly App[], location: Destination['location']): void {
  const { appId: linked, ...search } = location.search
  const addressed = appOfAddress(location.publicHref)
  const wanted = linked ?? addressed
  if (wanted !== undefined && wanted !== selectedAppStore.get()?.appId) selectLinkedApp(account, apps, wanted)
  const selected = selectedAppStore.get()?.appId
  // The address of the page without its app, such as a bookmark, leads to the page of the selected app.
  const isElsewhere = selected !== undefined && isAppPage(location.pathname) && addressed !== selected
  if (linked !== undefined || isElsewhere) throw redirect({ to: location.pathname, search, replace: true })
}

/** The route requires a session, the area a role: the specification sends other roles to /dashboard. */
export async function guardAdmin({ location }: Destination) {
  const account = await loadSession()
  if (!account) throw goToLogin(location)
  if (account.role !== 'admin') throw redirect({ to: paths.settings(), replace: true })
}

/** Redirects to the single login form, as /reseller/login does. */
export async function guardReseller({ location }: Destination) {
  const account = await loadSession()
  if (!account) throw goToLogin(location)
  if (account.role !== 'reseller') throw redirect({ to: paths.overview(), replace: true })
  await loadAssignedApps(account)
}

/** Sends signed-in resellers to their dashboard and everybody else to the single login form. */
export async function guardResellerLogin() {
  const account = await loadSession()
  const to = account?.role === 'reseller' ? paths.resellerDashboard() : paths.login()
  throw redirect({ to, replace: true })
}
