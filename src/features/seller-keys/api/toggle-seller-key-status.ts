import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { publicForm } from '../seller-key-text.ts'
import { lockSellerKey, setSellerKeyActive } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'

export const toggleSellerKeyStatus = endpoint(sellerKeysContract.toggleSellerKeyStatus, {
  write: async (tx, context) => {
    const { app, body, now } = context
    const { status } = body
    const key = await lockSellerKey(tx.db, app.id, body.sellerKey, now)
    const active = status === 'active'
    await setSellerKeyActive(tx, key, active)
    const act = active ? 'seller-key.activate' : 'seller-key.pause'
    await recordAudit(tx, context, { act, target: publicForm(key), details: { keyName: key.name } })
    return { message: active ? 'Seller key activated successfully' : 'Seller key paused successfully', status }
  },
})
