import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { sellerKeyReply } from '../seller-key-reply.ts'
import { publicForm } from '../seller-key-text.ts'
import { existingSellerKey, updateSellerKey as updateSellerKeyAction } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'

export const updateSellerKey = endpoint(sellerKeysContract.updateSellerKey, {
  unit: async (unit, context) => {
    const { app, body, now } = context
    const key = await existingSellerKey(unit.trx, app.id, body.sellerKey, now)
    const updated = await updateSellerKeyAction(unit, key, body)
    const details = sellerKeyReply(updated, now)
    const { keyName, permissions, whitelistedIPs } = details
    await recordAudit(unit, context, {
      act: 'seller-key.update',
      target: publicForm(key),
      details: { keyName, permissions, whitelistedIPs },
    })
    return { message: 'Seller key updated successfully', details }
  },
})
