import type { Static } from 'typebox'
import { CallRefused, refuse } from '#contract/refusals.ts'
import type { Tx } from '#database/database.ts'
import { recordAudit } from '#server/audit.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { publicForm } from '../seller-key-text.ts'
import { deleteSellerKey, sellerKeyOf, setSellerKeyActive } from '../seller-keys.actions.ts'
import { sellerKeysContract } from '../seller-keys.contract.ts'
import { countKeys, listIdsAfter, type SellerKey } from '../seller-keys.reads.ts'
import { sellerKeysRefusals } from '../seller-keys.refusals.ts'

type Bulk = typeof sellerKeysContract.bulkSellerKeys
type Results = Static<Bulk['reply']>['results']

const keysPerTransaction = 500

export const bulkSellerKeys = endpoint(sellerKeysContract.bulkSellerKeys, {
  writeInBatches: async (context) => {
    const results: Results = []
    for await (const keys of batches(context)) {
      results.push(...(await context.services.db.write((tx) => actOn(tx, context, keys))))
    }
    const done = results.filter(({ ok }) => ok).length
    const failed = results.length - done
    return { message: `${done} done, ${failed} failed`, done, failed, results }
  },
})

/** The keys to act on: those named, or those of a search that still finds as many as the person saw. */
async function* batches({ services: { db }, app, body }: CallContext<Bulk>): AsyncGenerator<string[]> {
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

async function actOn(tx: Tx, context: CallContext<Bulk>, references: string[]): Promise<Results> {
  const { app, body, now } = context
  const results: Results = []
  const found = new Map<string, SellerKey>()
  for (const reference of references) {
    const key = await sellerKeyOf(tx.db, app.id, reference, now)
    // One key under two of its names is still one key.
    if (key) found.set(key.id, key)
    else results.push({ sellerKey: reference, ok: false, message: sellerKeysRefusals.SELLER_KEY_NOT_FOUND.message })
  }
  for (const key of found.values()) {
    const message = await problemOf(
      body.action === 'delete' ? deleteSellerKey(tx, key) : setSellerKeyActive(tx, key, body.action === 'activate'),
    )
    results.push({ sellerKey: publicForm(key), ok: message === '', message })
  }
  const done = results.filter(({ ok }) => ok).length
  await recordAudit(tx, context, { act: `seller-key.bulk-${body.action}`, target: `${done} seller keys` })
  return results
}

/** Somebody else may delete a key between finding it and acting on it: that fails alone. */
async function problemOf(act: Promise<void>): Promise<string> {
  try {
    await act
    return ''
  } catch (error) {
    if (error instanceof CallRefused) return error.message
    throw error
  }
}
