import { done } from '#contract/define-call.ts'
import { refuse } from '#contract/refusals.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { publicForm } from '../seller-key-text.ts'
import { actOnSellerKeys } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'
import { countKeys, listIdsAfter } from '../seller-keys.reads.ts'
import { sellerKeysRefusals } from '../seller-keys.refusals.ts'

const call = sellerKeysContract.bulkSellerKeys

const keysPerTransaction = 500

const notFound = { code: 'SELLER_KEY_NOT_FOUND', message: sellerKeysRefusals.SELLER_KEY_NOT_FOUND.message }

export const bulkSellerKeys = endpoint(call, {
  writeInBatches: async (context) => {
    const { services, body } = context
    const results = []
    for await (const sellerKeys of batches(context)) {
      const { changed, missing } = await services.db.write((tx) =>
        actOnSellerKeys(tx, context, { action: body.action, sellerKeys }),
      )
      results.push(...missing.map((sellerKey) => ({ sellerKey, ok: false, ...notFound })))
      results.push(...changed.map((key) => ({ sellerKey: publicForm(key), ok: true, message: '' })))
    }
    const failed = results.filter(({ ok }) => !ok).length
    const counts = { done: results.length - failed, failed }
    return { ...done(call, 'SELLER_KEYS_BULK_OK', counts), ...counts, results }
  },
})

/** The keys to act on: those named, or those of a search that still finds as many as the person saw. */
async function* batches({ services: { db }, app, body }: CallContext<typeof call>): AsyncGenerator<string[]> {
  const { sellerKeys, search, expectedCount } = body
  if (sellerKeys) {
    if (sellerKeys.length === 0) refuse(sellerKeysRefusals, 'NO_SELLER_KEYS_SELECTED')
    return yield [...new Set(sellerKeys)]
  }
  if (expectedCount === undefined) refuse(sellerKeysRefusals, 'NO_SELLER_KEYS_SELECTED')
  const choice = { appId: app.id, search }
  const count = await countKeys(db.reports, choice)
  if (count !== expectedCount) refuse(sellerKeysRefusals, 'SELECTION_CHANGED', { values: { count } })
  for (let afterId = ''; ;) {
    const ids = await listIdsAfter(db.reports, { ...choice, afterId, limit: keysPerTransaction })
    if (ids.length === 0) return
    afterId = ids.at(-1) as string
    yield ids
  }
}
