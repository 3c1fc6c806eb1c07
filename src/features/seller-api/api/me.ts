import { sellerKeyErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import { limitStatesOf } from '#features/seller-keys/seller-keys.identity.ts'
import { findKey } from '#features/seller-keys/seller-keys.reads.ts'
import { isFullAccess } from '#features/seller-keys/seller-keys.rules.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { serverVersion } from '#server/process/server-version.ts'
import { sellerKeyContract } from '../seller-key.contract.ts'

export const me = endpoint(sellerKeyContract.me, {
  read: async ({ services, actor, app, caller }) => {
    const { id, name, scopes, secretExpiresAt } = actor
    const key = await findKey(services.db.read, id)
    if (!key) reject(sellerKeyErrors, 'SELLER_KEY_INVALID')
    return {
      key: {
        id: `lk_live_${id}`,
        name,
        fullAccess: isFullAccess(scopes),
        permissions: scopes,
        allowedIps: (JSON.parse(key.ip_list) as string[]).length,
        createdAt: key.created_at,
        expiresAt: secretExpiresAt,
      },
      app: { id: app.id, name: app.name },
      limits: await limitStatesOf(services, id),
      ip: caller.ip,
      serverVersion,
    }
  },
})
