import type { FastifyRequest } from 'fastify'
import { sellerKeyErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import { isAccountBanned } from '#features/accounts/accounts.reads.ts'
import { findOwnedApp } from '#features/apps/apps.reads.ts'
import type { SellerKeyActor } from '#server/audit/actors.ts'
import { recordDeniedAccess } from '#server/audit/denied-access.ts'
import { hasPassed } from '#server/clock/has-passed.ts'
import { networkOf } from '#server/rate-limits.ts'
import type { PlatformSettings } from '#server/settings/platform-settings.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { isIpAllowed } from './ip-list.ts'
import { isPresentSecretOf, isSecretOf, parseSellerKey } from './seller-key-text.ts'
import { findKey, type SellerKey } from './seller-keys.reads.ts'
import { recordExposure, recordKeyUse } from './seller-keys.writes.ts'

/** Limit per network: wrong keys, and valid keys from an IP address that is not allowed. */
export const wrongKeysPerMinute = 20
/** Minimum interval between recorded uses, so that reads do not cause constant writes. */
const secondsBetweenUses = 60

/** Authenticates a seller key; null if there is no such key. */
export async function actorOfSellerKey(
  services: Services,
  request: FastifyRequest,
  text: string,
): Promise<SellerKeyActor | null> {
  const { ip } = request
  const now = epochSeconds(services)
  const parsedKey = parseSellerKey(text)
  const secret = parsedKey?.secret ?? ''
  const key = parsedKey ? await findKey(services.db.read, parsedKey.id) : undefined
  const app = key && isSecretOf(key, secret, now) ? await findOwnedApp(services.db.read, key.app_id) : undefined
  if (!key || !app) {
    countWrongCall(services, ip)
    return null
  }
  const ownerId = app.owner_id
  if (await isAccountBanned(services.db.read, ownerId)) reject(sellerKeyErrors, 'ACCOUNT_BANNED')
  if (key.active !== 1) reject(sellerKeyErrors, 'SELLER_KEY_PAUSED')
  if (!isIpAllowed(JSON.parse(key.ip_list) as string[], ip)) {
    countWrongCall(services, ip)
    await recordDeniedAccess(
      services,
      { actor: actorOf(key, { ownerId, secret }), caller: { ip, requestId: request.id } },
      'from this address',
    )
    reject(sellerKeyErrors, 'SELLER_KEY_IP_REFUSED')
  }
  await countCall(services, request, key)
  await recordLastUse(services, key, ip, now)
  return actorOf(key, { ownerId, secret })
}

const actorOf = (key: SellerKey, { ownerId, secret }: { ownerId: string; secret: string }): SellerKeyActor => ({
  type: 'seller-key',
  id: key.id,
  name: key.name,
  ownerId,
  appId: key.app_id,
  scopes: JSON.parse(key.scopes) as string[],
  secretExpiresAt: isPresentSecretOf(key, secret) ? null : key.previous_until,
})

/** Marks a key seen in a URL as exposed. Requires the complete key; knowing an ID is not enough. */
export async function recordExposedKey(services: Services, { ip }: FastifyRequest, text: string): Promise<void> {
  limitNetwork(services, 'exposed seller key', ip)
  const parsedKey = parseSellerKey(text)
  const key = parsedKey ? await findKey(services.db.read, parsedKey.id) : undefined
  if (!parsedKey || !key || key.exposed_at !== null || !isPresentSecretOf(key, parsedKey.secret)) return
  await services.db.write((tx) => recordExposure(tx.db, key, epochSeconds(services)))
}

const countWrongCall = (services: Services, ip: string): void => limitNetwork(services, 'wrong seller key', ip)

function limitNetwork({ rateLimits, clock }: Services, purpose: string, ip: string): void {
  rateLimits.take({ purpose, subject: networkOf(ip), max: wrongKeysPerMinute, seconds: 60 }, clock())
}

/** Requests already counted: a request whose body arrives slowly is authenticated twice. */
const counted = new WeakSet<FastifyRequest>()

async function countCall(
  { rateLimits, settings, clock }: Services,
  request: FastifyRequest,
  { id }: SellerKey,
): Promise<void> {
  if (counted.has(request)) return
  counted.add(request)
  const { perMinute, perHour } = limitsOf(await settings.current(), id)
  const limits = [perMinute, perHour]
  try {
    for (const limit of limits) rateLimits.take(limit, clock())
  } finally {
    const states = limits.map((limit) => rateLimits.state(limit, clock()))
    // The limit that the caller meets first.
    ;[request.limitState] = states.toSorted((a, b) => a.remaining - b.remaining)
  }
}

function limitsOf({ api }: PlatformSettings, keyId: string) {
  const key = { purpose: 'seller key', subject: keyId }
  return {
    perMinute: { ...key, max: api.rateLimitPerMinute, seconds: 60 },
    perHour: { ...key, max: api.rateLimitPerHour, seconds: 3600 },
  }
}

/** What is left of a key's limits; the current call is counted. */
export async function limitStatesOf({ rateLimits, settings, clock }: Services, keyId: string) {
  const { perMinute, perHour } = limitsOf(await settings.current(), keyId)
  return { perMinute: rateLimits.state(perMinute, clock()), perHour: rateLimits.state(perHour, clock()) }
}

async function recordLastUse({ db }: Services, key: SellerKey, ip: string, now: number): Promise<void> {
  if (key.last_used_at !== null && !hasPassed(secondsBetweenUses, key.last_used_at, now)) return
  await db.write((tx) => recordKeyUse(tx.db, key.id, { now, ip, before: now - secondsBetweenUses }))
}
