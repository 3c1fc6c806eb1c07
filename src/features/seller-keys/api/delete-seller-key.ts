import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { publicForm } from '../seller-key-text.ts'
import { deleteSellerKey as deleteSellerKeyAction, lockSellerKey } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'

export const deleteSellerKey = endpoint(sellerKeysContract.deleteSellerKey, {
  write: async (tx, context) => {
    const { app, body, now } = context
    const key = await lockSellerKey(tx.db, app.id, body.sellerKey, now)
    await deleteSellerKeyAction(tx, key)
    await recordAudit(tx, context, {
      act: 'seller-key.delete',
      target: publicForm(key),
      details: { keyName: key.name },
    })
    return { message: 'Seller key deleted successfully' }
  },
})
