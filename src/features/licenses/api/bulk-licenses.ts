import type { Static } from 'typebox'
import { refuse } from '#contract/refusals.ts'
import type { Unit } from '#database/database.ts'
import { recordAudit } from '#server/audit.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { asksForUsers } from '../license-fields.ts'
import { deleteLicenses, type License, setLicensesBanned } from '../licenses.actions.ts'
import { licensesContract, licensesRefusals } from '../licenses.contract.ts'
import { countFiltered, holdLicenses, listAfter } from '../licenses.queries.ts'

type Bulk = typeof licensesContract.bulkLicenses
type Results = Static<Bulk['reply']>['results']

const licensesPerUnit = 500
/** A whole filter may be a million rows: only failures are listed then. */
const mostListed = 1000

export const bulkLicenses = endpoint(licensesContract.bulkLicenses, {
  units: async (context) => {
    const results: Results = []
    let done = 0
    for await (const keys of batches(context)) {
      const outcome = await context.services.db.write((unit) => actOn(unit, context, keys))
      done += outcome.filter(({ ok }) => ok).length
      results.push(...outcome.filter(({ ok }) => !ok || results.length < mostListed))
    }
    const failed = results.filter(({ ok }) => !ok).length
    return { message: `${done} done, ${failed} failed`, done, failed, results }
  },
})

/** The keys to act on, in pieces: those named, or those of a filter that still means as many as the person saw. */
async function* batches({ services: { db }, app, body, now }: CallContext<Bulk>): AsyncGenerator<string[]> {
  if (body.licenses) {
    const keys = [...new Set(body.licenses)]
    if (keys.length === 0) refuse(licensesRefusals, 'NO_LICENSES_SELECTED')
    for (let from = 0; from < keys.length; from += licensesPerUnit) yield keys.slice(from, from + licensesPerUnit)
    return
  }
  if (!body.filter || body.expectedCount === undefined) refuse(licensesRefusals, 'NO_LICENSES_SELECTED')
  const choice = { appId: app.id, filter: body.filter, now }
  const count = await countFiltered(db, choice)
  if (count !== body.expectedCount) refuse(licensesRefusals, 'SELECTION_CHANGED', { fill: { count } })
  let afterId = 0
  for (;;) {
    const rows = await listAfter(db, { ...choice, afterId, limit: licensesPerUnit })
    if (rows.length === 0) return
    afterId = (rows.at(-1) as License).id
    yield rows.map(({ license }) => license)
  }
}

async function actOn(unit: Unit, context: CallContext<Bulk>, keys: string[]): Promise<Results> {
  const { app, body } = context
  const found = await holdLicenses(unit.trx, app.id, keys)
  const ids = found.map(({ id }) => id)
  if (body.action === 'delete') await deleteLicenses(unit, app.id, found, asksForUsers(body))
  else await setLicensesBanned(unit, app.id, ids, body.action === 'ban')
  await recordAudit(unit, context, { act: `license.bulk-${body.action}`, target: `${ids.length} licenses` })
  const present = new Set(found.map(({ license }) => license))
  return keys.map((license) => {
    const ok = present.has(license)
    return { license, ok, message: ok ? '' : licensesRefusals.LICENSE_NOT_FOUND.message }
  })
}
