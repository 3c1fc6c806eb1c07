import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { publicForm } from '../seller-key-text.ts'
import { lockSellerKey, updateSellerKey as updateSellerKeyAction } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'
import { sellerKeyReply } from '../seller-keys.reply.ts'

export const updateSellerKey = endpoint(sellerKeysContract.updateSellerKey, {
  write: async (tx, context) => {
    const { app, body, now } = context
    const key = await lockSellerKey(tx.db, app.id, body.sellerKey, now)
    const updated = await updateSellerKeyAction(tx, key, body)
    const details = sellerKeyReply(updated, now)
    const { keyName, permissions, whitelistedIPs } = details
    await recordAudit(tx, context, {
      act: 'seller-key.update',
      target: publicForm(key),
      details: { keyName, permissions, whitelistedIPs },
    })
    return { message: 'Seller key updated successfully', details }
  },
})
