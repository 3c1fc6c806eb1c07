import { reject } from '#contract/errors.ts'
import type { Database } from '#database/database.ts'
import { undoHandler } from '#server/bulk/undo-handler.ts'
import { expectedRows } from '#server/bulk/expected-rows.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { publicForm } from '../seller-key-text.ts'
import { actOnSellerKeys, undoKeyActions } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'
import { type KeyChoice, listIdsAfter } from '../seller-keys.reads.ts'
import { sellerKeysErrors } from '../seller-keys.errors.ts'

const call = sellerKeysContract.bulkSellerKeys

const keysPerTransaction = 500

const notFound = { code: 'SELLER_KEY_NOT_FOUND', message: sellerKeysErrors.SELLER_KEY_NOT_FOUND.message }

export const bulkSellerKeys = endpoint(call, {
  writeInBatches: async (context) => {
    const { services, body } = context
    const results = []
    let undoId: string | null = null
    for await (const sellerKeys of batches(context)) {
      const part: Awaited<ReturnType<typeof actOnSellerKeys>> = await services.db.write((tx) =>
        actOnSellerKeys(tx, context, { action: body.action, sellerKeys, undoId }),
      )
      undoId = part.undoId
      results.push(...part.missing.map((key) => ({ sellerKey: key, key, ok: false, ...notFound })))
      results.push(...part.changed.map(publicForm).map((key) => ({ sellerKey: key, key, ok: true, message: '' })))
    }
    const failed = results.filter(({ ok }) => !ok).length
    const counts = { done: results.length - failed, failed }
    return { code: 'SELLER_KEYS_BULK_OK', values: counts, ...counts, undoId, results }
  },
})

export const undoSellerKeys = endpoint(
  sellerKeysContract.undoSellerKeys,
  undoHandler(undoKeyActions, 'SELLER_KEYS_UNDO_OK'),
)

/** The keys to process: the given ones, or the matches of a search if their number still equals `expectedCount`. */
async function* batches({ services: { db }, app, body }: CallContext<typeof call>): AsyncGenerator<readonly string[]> {
  const { sellerKeys, search, expectedCount } = body
  if (sellerKeys) {
    if (sellerKeys.length === 0) reject(sellerKeysErrors, 'NO_SELLER_KEYS_SELECTED')
    return yield [...new Set(sellerKeys)]
  }
  if (expectedCount === undefined) reject(sellerKeysErrors, 'NO_SELLER_KEYS_SELECTED')
  yield* expectedRows(matchingIds(db, { appId: app.id, search }), { count: expectedCount })
}

async function* matchingIds(db: Database, choice: KeyChoice): AsyncGenerator<string[]> {
  for (let afterId = ''; ;) {
    const ids = await listIdsAfter(db.reports, { ...choice, afterId, limit: keysPerTransaction })
    if (ids.length === 0) return
    afterId = ids.at(-1) as string
    yield ids
  }
}
