import type { FastifyRequest } from 'fastify'
import { areaPrefix, type CallDefinition, needsRecentVerification } from '#contract/define-call.ts'
import { commonErrors, sellerKeyErrors } from '#contract/common-errors.ts'
import { rejectPlanFeature } from '#contract/plan-features.ts'
import { callError, reject } from '#contract/errors.ts'
import type { AccountActor, Actor, AppScope, SellerKeyActor } from '../audit/actors.ts'
import type { Identities } from './identities.ts'
import { recordDeniedAccess } from '../audit/denied-access.ts'
import type { Services } from '../services.ts'
import { type CookieNames, cookieToken } from './session-cookies.ts'

export interface IdentityDependencies {
  cookies: CookieNames
  identities: Identities
}

/** How long after a password confirmation sensitive calls are allowed, in seconds. */
const recentSeconds = 300

interface AppNames {
  appName?: string | undefined
  appId?: string | undefined
}

const notSignedIn = () => callError(commonErrors, 'SESSION_REQUIRED')
const noSuchApp = () => callError(commonErrors, 'APP_NOT_FOUND')
const noAppSelected = () => callError(commonErrors, 'NO_APP_SELECTED')
const forbidden = () => callError(commonErrors, 'FORBIDDEN')

/** The app of the call; undefined for calls without an app, or with an optional app that is not named. */
export async function appOfCall(
  services: Services,
  dependencies: IdentityDependencies,
  call: CallDefinition,
  request: FastifyRequest,
  { actor, body, query }: { actor: Actor; body: unknown; query: unknown },
): Promise<AppScope | undefined> {
  if (!call.app) return undefined
  if (actor.type === 'seller-key') {
    const app = await dependencies.identities.app(services, actor, { id: actor.appId })
    if (!app) throw noSuchApp()
    return app
  }
  const { appId, appName }: AppNames = { ...(query as object | undefined), ...(body as object | undefined) }
  const named = call.app === 'by-id' ? { appId } : { appId, appName }
  const header = request.headers['x-app-id']
  if (call.app === 'optional' && !header && appId === undefined && appName === undefined) return undefined
  return appOf(services, dependencies, actor, header, named)
}

/**
 * Authenticates the caller and rejects callers that the contract does not admit. Reads only the head of the request.
 */
export async function callerOf(
  services: Services,
  { cookies, identities }: IdentityDependencies,
  call: CallDefinition,
  request: FastifyRequest,
): Promise<Actor> {
  if (call.access === 'anyone') return { type: 'anyone' }
  if (call.access === 'seller-key') {
    const key = /^Bearer (\S{1,200})$/i.exec(request.headers.authorization ?? '')?.[1]
    const seller = key ? await identities.sellerKey?.(services, request, key) : null
    if (!seller) reject(sellerKeyErrors, 'SELLER_KEY_INVALID')
    if (!hasScope(seller, call.scope)) {
      await recordDenied(services, request, call, seller)
      reject(sellerKeyErrors, 'SCOPE_MISSING', {
        values: { scope: call.scope ?? '' },
        details: { scope: call.scope },
      })
    }
    return seller
  }
  const token = cookieToken(request, cookies.session)
  const resellerToken = cookieToken(request, cookies.resellerSession)
  const findAccount = async () => (token ? identities.account(services, request, token) : null)
  const findReseller = async () => (resellerToken ? identities.reseller?.(services, request, resellerToken) : null)
  if (call.access === 'reseller') {
    const reseller = await findReseller()
    // Of two sessions of one browser, the one that the call needs has ended: the other one doesn't hide that.
    if (!reseller) throw !resellerToken && (await findAccount()) ? forbidden() : notSignedIn()
    if (needsRecentVerification(call)) requireRecentVerification(services, reseller)
    return reseller
  }
  const account = await findAccount()
  if (!account) throw !token && (await findReseller()) ? forbidden() : notSignedIn()
  if (call.access === 'admin' && account.type !== 'admin') {
    await recordDenied(services, request, call, account)
    throw forbidden()
  }
  if (needsRecentVerification(call)) requireRecentVerification(services, account)
  return account
}

/** Rejects a call that the plan of the caller's owner does not include. */
export async function requirePlan(
  services: Services,
  { identities }: IdentityDependencies,
  { planFeature: feature }: CallDefinition,
  actor: Actor,
): Promise<void> {
  if (!feature || !('id' in actor)) return
  const ownerId = 'ownerId' in actor ? actor.ownerId : actor.id
  if (await identities.planFeature?.(services, ownerId, feature, Math.floor(services.clock() / 1000))) return
  rejectPlanFeature(feature)
}

/** Never reached without a scope: such a call prevents the start. */
const hasScope = ({ scopes }: SellerKeyActor, scope: string | null | undefined): boolean =>
  scope === null || (scope !== undefined && (scopes.length === 0 || scopes.includes(scope)))

const recordDenied = (
  services: Services,
  { ip, id }: FastifyRequest,
  { method, path }: CallDefinition,
  actor: AccountActor | SellerKeyActor,
): Promise<void> => recordDeniedAccess(services, { actor, caller: { ip, requestId: id } }, `${method} ${path}`)

const keyParameter = /[?&](api_?key|(seller_?)?key|access_?token|token|authorization)=/i
const keyText = /lk_live_\w{8}_[\w-]{43}/i
const wholeKey = /lk_live_[A-Za-z0-9]{8}_[\w-]{43}_[A-Za-z0-9]{6}/

/** Lets a program that would send its key in a query know before it does. */
export function rejectKeyParameter({ url }: FastifyRequest): void {
  if (keyParameter.test(`?${readable(url.slice(url.indexOf('?') + 1 || url.length))}`)) {
    reject(sellerKeyErrors, 'SELLER_KEY_IN_URL')
  }
}

/**
 * URLs end up in logs and histories, so a key must be neither in the path nor in the query. A key found there is
 * marked, whatever the URL, and the seller API reports it.
 */
export async function markKeyInUrl(services: Services, identities: Identities, request: FastifyRequest): Promise<void> {
  const url = readable(request.url)
  if (!keyText.test(url)) return
  const [key] = wholeKey.exec(url) ?? []
  if (key) await identities.exposedSellerKey?.(services, request, key)
  if (url.startsWith(areaPrefix.seller)) reject(sellerKeyErrors, 'SELLER_KEY_IN_URL')
}

function readable(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/**
 * Rejects a call without a recent password confirmation; for calls where the need for one depends on the input.
 */
export function requireRecentVerification({ clock }: Services, { verifiedAt }: Pick<AccountActor, 'verifiedAt'>): void {
  const age = clock() / 1000 - verifiedAt
  // A confirmation in the future comes from a clock that was set back since.
  if (age <= recentSeconds && age >= -recentSeconds) return
  reject(commonErrors, 'REAUTH_REQUIRED')
}

/**
 * `X-App-Id` takes precedence, so that a second tab cannot act on the wrong app. Apps of others look like missing ones.
 */
async function appOf(
  services: Services,
  { identities }: IdentityDependencies,
  actor: Actor,
  header: string | string[] | undefined,
  named: AppNames,
): Promise<AppScope> {
  const byHeader = typeof header === 'string' && header !== '' ? header.slice(0, 100) : undefined
  const name = named.appName
  const id = byHeader ?? named.appId
  const wanted = { ...(name !== undefined && { name }), ...(id !== undefined && { id }) }
  const find = actor.type === 'reseller' ? identities.resellerApp : identities.app
  const app = await find?.(services, actor, wanted)
  if (!app) throw id === undefined && name === undefined ? noAppSelected() : noSuchApp()
  rejectOtherApp(app, named)
  return app
}

/** Other names of the app in the request must refer to the same app. */
export function rejectOtherApp(app: AppScope, { appName, appId }: AppNames): void {
  const otherName = appName !== undefined && sameCase(app.name) !== sameCase(appName)
  if (otherName || (appId !== undefined && app.id !== appId)) reject(commonErrors, 'APP_MISMATCH')
}

/** App names of an owner are unique regardless of case. */
const sameCase = (name: string): string => name.trim().toLowerCase()
