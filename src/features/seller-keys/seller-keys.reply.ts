import type { Static } from 'typebox'
import { publicForm } from './seller-key-text.ts'
import type { ShownKey } from './seller-keys.actions.ts'
import type { SellerKeyReply } from './seller-keys.contract.ts'
import type { SellerKey } from './seller-keys.reads.ts'
import { isFullAccess } from './seller-keys.rules.ts'

/** A key as the API returns it, without any secret. */
export function sellerKeyReply(key: SellerKey, now: number): Static<typeof SellerKeyReply> {
  const permissions = JSON.parse(key.scopes) as string[]
  const sellerKey = publicForm(key)
  return {
    keyName: key.name,
    sellerKey,
    key: sellerKey,
    whitelistedIPs: JSON.parse(key.ip_list) as string[],
    status: key.active === 1 ? 'active' : 'paused',
    createdDate: key.created_at,
    lastUsed: key.last_used_at,
    lastUsedIp: key.last_used_ip ?? '',
    permissions,
    fullAccess: isFullAccess(permissions),
    exposedAt: key.exposed_at,
    rotatedUntil: (key.previous_until ?? 0) > now ? key.previous_until : null,
  }
}

/** A new key with its plain text, which is returned only this once. */
export const shownKeyReply = ({ key, text }: ShownKey, now: number) => ({
  sellerKey: text,
  key: text,
  details: sellerKeyReply(key, now),
})
