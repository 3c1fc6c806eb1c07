import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { publicForm } from '../seller-key-text.ts'
import { lockSellerKey, rotateSellerKey as rotateSellerKeyAction } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'
import { sellerKeyReply } from '../seller-keys.reply.ts'

export const rotateSellerKey = endpoint(sellerKeysContract.rotateSellerKey, {
  write: async (tx, context) => {
    const { app, body, now } = context
    const { overlapHours = 0 } = body
    const before = await lockSellerKey(tx.db, app.id, body.sellerKey, now)
    const { key, text } = await rotateSellerKeyAction(tx, before, { overlapHours, now })
    await recordAudit(tx, context, {
      act: 'seller-key.rotate',
      target: publicForm(key),
      details: { keyName: key.name, before: publicForm(before), overlapHours },
    })
    const details = sellerKeyReply(key, now)
    return { message: 'Seller key rotated successfully', sellerKey: text, key: text, details }
  },
})
