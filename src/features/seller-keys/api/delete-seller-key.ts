import { recordAudit } from '#server/audit.ts'
import { endpoint } from '#server/endpoint.ts'
import { publicForm } from '../seller-key-text.ts'
import { deleteSellerKey as deleteSellerKeyAction, existingSellerKey } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'

export const deleteSellerKey = endpoint(sellerKeysContract.deleteSellerKey, {
  unit: async (unit, context) => {
    const { app, body, now } = context
    const key = await existingSellerKey(unit.trx, app.id, body.sellerKey, now)
    await deleteSellerKeyAction(unit, key)
    await recordAudit(unit, context, {
      act: 'seller-key.delete',
      target: publicForm(key),
      details: { keyName: key.name },
    })
    return { message: 'Seller key deleted successfully' }
  },
})
