import type { Static } from 'typebox'
import { refuse } from '#contract/refusals.ts'
import type { Tx } from '#database/database.ts'
import { recordAudit } from '#server/audit.ts'
import { BatchedScan } from '#server/batched-scan.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { deleteLicenses, setLicensesBanned, lockLicenses } from '../licenses.actions.ts'
import { licensesContract } from '../licenses.contract.ts'
import { countFiltered, listKeysAfter, stillMatches } from '../licenses.reads.ts'
import { licensesRefusals } from '../licenses.refusals.ts'
import { shouldDeleteUsers } from '../licenses.reply.ts'

type Bulk = typeof licensesContract.bulkLicenses
type Results = Static<Bulk['reply']>['results']

const licensesPerTransaction = 500
/** A whole filter may be a million rows: only failures are listed then. */
const maxListed = 1000

export const bulkLicenses = endpoint(licensesContract.bulkLicenses, {
  writeInBatches: async (context) => {
    const results: Results = []
    let done = 0
    const { services, body } = context
    const scan = body.licenses ? undefined : await scanRequest(context)
    for await (const keys of scan ? keysOf(scan) : named(body.licenses)) {
      const outcome = await services.db.write((tx) => actOn(tx, context, keys))
      done += outcome.filter(({ ok }) => ok).length
      results.push(...outcome.filter(({ ok }) => !ok || results.length < maxListed))
    }
    const failed = results.filter(({ ok }) => !ok).length
    return { message: `${done} done, ${failed} failed`, done, failed, next: scan?.next ?? null, results }
  },
})

async function* named(licenses: readonly string[] = []): AsyncGenerator<string[]> {
  const keys = [...new Set(licenses)]
  if (keys.length === 0) refuse(licensesRefusals, 'NO_LICENSES_SELECTED')
  for (let from = 0; from < keys.length; from += licensesPerTransaction)
    yield keys.slice(from, from + licensesPerTransaction)
}

/** The licenses of a filter that still means as many as the person saw. */
async function scanRequest({ services: { db }, app, body, now }: CallContext<Bulk>) {
  const { filter, expectedCount, after } = body
  if (!filter || (expectedCount === undefined && after === undefined)) refuse(licensesRefusals, 'NO_LICENSES_SELECTED')
  const choice = { appId: app.id, filter, now }
  if (after === undefined) {
    const count = await countFiltered(db, choice)
    if (count !== expectedCount) refuse(licensesRefusals, 'SELECTION_CHANGED', { values: { count } })
  }
  return new BatchedScan(body, licensesPerTransaction, (afterId, limit) =>
    listKeysAfter(db, { ...choice, afterId, limit }),
  )
}

async function* keysOf(scan: Awaited<ReturnType<typeof scanRequest>>): AsyncGenerator<string[]> {
  for await (const licenses of scan.batches()) yield licenses.map(({ license }) => license)
}

async function actOn(tx: Tx, context: CallContext<Bulk>, keys: string[]): Promise<Results> {
  const { app, body, now } = context
  const held = await lockLicenses(tx, app.id, keys)
  // Somebody may have redeemed one since the list was read.
  const found = body.filter && !body.licenses ? stillMatches(held, body.filter, now) : held
  const ids = found.map(({ id }) => id)
  if (body.action === 'delete') await deleteLicenses(tx, app.id, found, shouldDeleteUsers(body))
  else await setLicensesBanned(tx, app.id, ids, body.action === 'ban')
  await recordAudit(tx, context, { act: `license.bulk-${body.action}`, target: `${ids.length} licenses` })
  const present = new Set(found.map(({ license }) => license))
  const asked = body.licenses ? keys : [...present]
  return asked.map((license) => {
    const ok = present.has(license)
    return { license, ok, message: ok ? '' : licensesRefusals.LICENSE_NOT_FOUND.message }
  })
}
