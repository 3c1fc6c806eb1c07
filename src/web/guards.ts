import { redirect } from '@tanstack/react-router'
import { paths } from './paths.ts'
import { landingPath, loadApps, loadSession } from './session.ts'

interface Destination {
  location: { pathname: string }
}

/** Pages an owner may see before the first app exists (part 2 §2: everything else leads to /create-app). */
const withoutApps = new Set<string>([paths.createApp(), paths.profile()])

export async function guardPublic() {
  const account = await loadSession()
  if (account) throw redirect({ to: landingPath(account), replace: true })
}

export async function guardHome() {
  const account = await loadSession()
  throw redirect({ to: account ? landingPath(account) : paths.login(), replace: true })
}

export async function guardSignedIn() {
  if (!(await loadSession())) throw redirect({ to: paths.login(), replace: true })
}

export async function guardOwner({ location }: Destination) {
  const account = await loadSession()
  if (!account) throw redirect({ to: paths.login(), replace: true })
  if (account.role === 'reseller') throw redirect({ to: paths.resellerDashboard(), replace: true })
  const apps = await loadApps(account)
  if (apps.length === 0 && !withoutApps.has(location.pathname)) throw redirect({ to: paths.createApp(), replace: true })
}

/** Login is the route's rule, the role the area's: a non-admin goes back to /dashboard (conflicts C05). */
export async function guardAdmin() {
  const account = await loadSession()
  if (!account) throw redirect({ to: paths.login(), replace: true })
  if (account.role !== 'admin') throw redirect({ to: paths.settings(), replace: true })
}

export async function guardReseller() {
  const account = await loadSession()
  if (!account) throw redirect({ to: paths.resellerLogin(), replace: true })
  if (account.role !== 'reseller') throw redirect({ to: paths.settings(), replace: true })
}

/** Signed-in resellers go on to their dashboard, everybody else to the one login form (conflicts C02). */
export async function guardResellerLogin() {
  const account = await loadSession()
  const to = account?.role === 'reseller' ? paths.resellerDashboard() : paths.login()
  throw redirect({ to, replace: true })
}
