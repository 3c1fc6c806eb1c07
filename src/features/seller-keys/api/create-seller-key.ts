import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { publicForm } from '../seller-key-text.ts'
import { createSellerKey as createSellerKeyAction } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'
import { sellerKeyReply } from '../seller-keys.reply.ts'

export const createSellerKey = endpoint(sellerKeysContract.createSellerKey, {
  write: async (tx, context) => {
    const { app, body, now } = context
    const { key, text } = await createSellerKeyAction(tx, { appId: app.id, fields: body, now })
    const details = sellerKeyReply(key, now)
    const { keyName, permissions, whitelistedIPs } = details
    await recordAudit(tx, context, {
      act: 'seller-key.create',
      target: publicForm(key),
      details: { keyName, permissions, whitelistedIPs },
    })
    return { message: 'Seller key created successfully', sellerKey: text, key: text, details }
  },
})
