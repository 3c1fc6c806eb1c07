import type { FastifyRequest } from 'fastify'
import { CallRefused } from '#contract/refusals.ts'
import { isAccountBanned } from '#features/accounts/account-standing.actions.ts'
import { ownerOfApp } from '#features/apps/app-owner.actions.ts'
import type { SellerKeyActor } from '#server/actors.ts'
import { networkOf } from '#server/rate-limits.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { isIpAllowed } from './ip-list.ts'
import { isPresentSecretOf, isSecretOf, readSellerKey } from './seller-key-text.ts'
import { findKeyOfCaller, noteExposure, noteUse, type SellerKey } from './seller-keys.queries.ts'

/** Wrong keys, and right ones from a wrong address, by one network. */
const wrongKeysPerMinute = 20
const useNotedEverySeconds = 60

/** Whose key it is; null when there is no such key (R-SK-04 to R-SK-06). */
export async function actorOfSellerKey(
  services: Services,
  { ip }: FastifyRequest,
  text: string,
): Promise<SellerKeyActor | null> {
  const now = epochSeconds(services)
  const said = readSellerKey(text)
  const key = said ? await findKeyOfCaller(services.db.read, said.id) : undefined
  const ownerId =
    key && isSecretOf(key, said?.secret ?? '', now) ? await ownerOfApp(services.db.read, key.app_id) : undefined
  if (!key || ownerId === undefined) {
    countWrongCall(services, ip)
    return null
  }
  if (await isAccountBanned(services.db.read, ownerId)) throw refused('ACCOUNT_BANNED', 'This account has been banned')
  if (key.active !== 1) throw refused('SELLER_KEY_PAUSED', 'This seller key is paused')
  if (!isIpAllowed(JSON.parse(key.ip_list) as string[], ip)) {
    countWrongCall(services, ip)
    throw refused('SELLER_KEY_IP_REFUSED', 'This seller key can not be used from this address')
  }
  await countCall(services, key)
  await noteLastUse(services, key, ip, now)
  return {
    type: 'seller-key',
    id: key.id,
    name: key.name,
    ownerId,
    appId: key.app_id,
    scopes: JSON.parse(key.scopes) as string[],
  }
}

/** Marks a key that stood in a URL. Only its whole text does: knowing an id marks nothing (R-SK-02). */
export async function noteExposedKey(services: Services, { ip }: FastifyRequest, text: string): Promise<void> {
  services.rateLimits.take(`exposed seller key ${networkOf(ip)}`, wrongKeysPerMinute, 60, services.clock())
  const said = readSellerKey(text)
  const key = said ? await findKeyOfCaller(services.db.read, said.id) : undefined
  if (!said || !key || key.exposed_at !== null || !isPresentSecretOf(key, said.secret)) return
  await services.db.write((unit) => noteExposure(unit.trx, key, epochSeconds(services)))
}

const refused = (code: string, message: string): CallRefused => new CallRefused(403, code, message)

function countWrongCall({ rateLimits, clock }: Services, ip: string): void {
  rateLimits.take(`wrong seller key ${networkOf(ip)}`, wrongKeysPerMinute, 60, clock())
}

async function countCall({ rateLimits, settings, clock }: Services, { id }: SellerKey): Promise<void> {
  const { api } = await settings.current()
  rateLimits.take(`seller key ${id}`, api.rateLimitPerMinute, 60, clock())
  rateLimits.take(`seller key ${id}`, api.rateLimitPerHour, 3600, clock())
}

/** At most once a minute: reading must not turn into writing. */
async function noteLastUse({ db }: Services, key: SellerKey, ip: string, now: number): Promise<void> {
  const before = now - useNotedEverySeconds
  if (key.last_used_at !== null && key.last_used_at > before) return
  await db.write((unit) => noteUse(unit.trx, key.id, { now, ip, before }))
}
