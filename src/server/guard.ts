import type { FastifyRequest } from 'fastify'
import type { CallDefinition } from '#contract/define-call.ts'
import { commonRefusals, sellerKeyRefusals } from '#contract/common-refusals.ts'
import { refusalOf, refuse } from '#contract/refusals.ts'
import type { AccountActor, Actor, AppScope, Identities, SellerKeyActor } from './actors.ts'
import type { Services } from './services.ts'
import { type CookieNames, cookieToken } from './session-cookies.ts'

export interface IdentityDependencies {
  cookies: CookieNames
  identities: Identities
}

/** How long after proving the password a delicate call is allowed, in seconds (R-SES-08). */
const recentSeconds = 300

interface AppNames {
  appName?: string | undefined
  appId?: string | undefined
}

const notSignedIn = () => refusalOf(commonRefusals, 'SESSION_REQUIRED')
const noSuchApp = () => refusalOf(commonRefusals, 'APP_NOT_FOUND')
const noAppSelected = () => refusalOf(commonRefusals, 'NO_APP_SELECTED')
const forbidden = () => refusalOf(commonRefusals, 'FORBIDDEN')

/** Who calls and on which app; refuses whoever the call's contract doesn't name. */
export async function identify(
  services: Services,
  dependencies: IdentityDependencies,
  call: CallDefinition,
  request: FastifyRequest,
  input: { body: unknown; query: unknown },
): Promise<{ actor: Actor; app: AppScope | undefined }> {
  const actor = await actorOf(services, dependencies, call, request)
  if (!call.app) return { actor, app: undefined }
  if (actor.type === 'seller-key') {
    const app = await dependencies.identities.app(services, actor, { id: actor.appId })
    if (!app) throw noSuchApp()
    return { actor, app }
  }
  const { appId, appName }: AppNames = { ...(input.query as object | undefined), ...(input.body as object | undefined) }
  const named = call.app === 'by-id' ? { appId } : { appId, appName }
  return { actor, app: await appOf(services, dependencies, actor, request.headers['x-app-id'], named) }
}

async function actorOf(
  services: Services,
  { cookies, identities }: IdentityDependencies,
  call: CallDefinition,
  request: FastifyRequest,
): Promise<Actor> {
  if (call.access === 'anyone') return { type: 'anyone' }
  if (call.access === 'seller-key') {
    const key = /^Bearer (\S{1,200})$/i.exec(request.headers.authorization ?? '')?.[1]
    const seller = key ? await identities.sellerKey?.(services, request, key) : null
    if (!seller) refuse(sellerKeyRefusals, 'SELLER_KEY_INVALID')
    requireScope(seller, call.scope)
    return seller
  }
  const token = cookieToken(request, cookies.session)
  if (!token) throw notSignedIn()
  const account = await identities.account(services, request, token)
  if (call.access === 'reseller') {
    const reseller = account ? null : await identities.reseller?.(services, request, token)
    if (!reseller) throw account ? forbidden() : notSignedIn()
    return reseller
  }
  if (!account) {
    if (await identities.reseller?.(services, request, token)) throw forbidden()
    throw notSignedIn()
  }
  if (call.access === 'admin' && account.type !== 'admin') throw forbidden()
  if (call.recent) requireRecentProof(services, account)
  return account
}

/** A call without a scope never gets here: it stops the boot. */
function requireScope({ scopes }: SellerKeyActor, scope: string | undefined): void {
  if (scope !== undefined && (scopes.length === 0 || scopes.includes(scope))) return
  refuse(sellerKeyRefusals, 'SCOPE_MISSING', { values: { scope: scope ?? '' }, details: { scope } })
}

const keyParameter = /[?&](api_?key|(seller_?)?key|access_?token|token|authorization)=|lk_live_\w{8}_[\w-]{43}/i
const wholeKey = /lk_live_[A-Za-z0-9]{8}_[\w-]{43}_[A-Za-z0-9]{6}/

/** URLs end up in logs and histories, so a key never belongs there; one that stood there is marked (R-SK-02). */
export async function refuseKeyInUrl(
  services: Services,
  { identities }: IdentityDependencies,
  request: FastifyRequest,
): Promise<void> {
  const { url } = request
  const query = `?${readable(url.slice(url.indexOf('?') + 1 || url.length))}`
  if (!keyParameter.test(query)) return
  const [key] = wholeKey.exec(query) ?? []
  if (key) await identities.exposedSellerKey?.(services, request, key)
  refuse(sellerKeyRefusals, 'SELLER_KEY_IN_URL')
}

function readable(query: string): string {
  try {
    return decodeURIComponent(query)
  } catch {
    return query
  }
}

/** Refuses what only somebody who proved the password lately may do; for calls where it depends (R-SES-08). */
export function requireRecentProof({ clock }: Services, account: AccountActor): void {
  const age = clock() / 1000 - account.provedAt
  // A proof of the future is of a clock that was set back since.
  if (age <= recentSeconds && age >= -recentSeconds) return
  refuse(commonRefusals, 'REAUTH_REQUIRED')
}

/** `X-App-Id` wins, so a second tab can't act on the wrong app; foreign and missing apps look the same. */
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
  const app = await identities.app(services, actor, wanted)
  if (!app) throw id === undefined && name === undefined ? noAppSelected() : noSuchApp()
  const otherName = name !== undefined && sameCase(app.name) !== sameCase(name)
  const differs = otherName || (named.appId !== undefined && app.id !== named.appId)
  if (differs) refuse(commonRefusals, 'APP_MISMATCH')
  return app
}

/** An owner has no two apps whose names differ in case alone. */
const sameCase = (name: string): string => name.trim().toLowerCase()
