import type { Static } from 'typebox'
import { refuse } from '#contract/refusals.ts'
import type { Unit } from '#database/database.ts'
import { recordAudit } from '#server/audit.ts'
import { type CallContext, endpoint } from '#server/endpoint.ts'
import { FilterWalk } from '#server/filter-walk.ts'
import { asksForUsers } from '../license-fields.ts'
import { deleteLicenses, setLicensesBanned } from '../licenses.actions.ts'
import { licensesContract, licensesRefusals } from '../licenses.contract.ts'
import { countFiltered, holdLicenses, listKeysAfter, stillMeant } from '../licenses.queries.ts'

type Bulk = typeof licensesContract.bulkLicenses
type Results = Static<Bulk['reply']>['results']

const licensesPerUnit = 500
/** A whole filter may be a million rows: only failures are listed then. */
const mostListed = 1000

export const bulkLicenses = endpoint(licensesContract.bulkLicenses, {
  units: async (context) => {
    const results: Results = []
    let done = 0
    const { services, body } = context
    const walk = body.licenses ? undefined : await askedWalk(context)
    for await (const keys of walk ? keysOf(walk) : named(body.licenses)) {
      const outcome = await services.db.write((unit) => actOn(unit, context, keys))
      done += outcome.filter(({ ok }) => ok).length
      results.push(...outcome.filter(({ ok }) => !ok || results.length < mostListed))
    }
    const failed = results.filter(({ ok }) => !ok).length
    return { message: `${done} done, ${failed} failed`, done, failed, next: walk?.next ?? null, results }
  },
})

async function* named(licenses: readonly string[] = []): AsyncGenerator<string[]> {
  const keys = [...new Set(licenses)]
  if (keys.length === 0) refuse(licensesRefusals, 'NO_LICENSES_SELECTED')
  for (let from = 0; from < keys.length; from += licensesPerUnit) yield keys.slice(from, from + licensesPerUnit)
}

/** The licenses of a filter that still means as many as the person saw. */
async function askedWalk({ services: { db }, app, body, now }: CallContext<Bulk>) {
  const { filter, expectedCount, after } = body
  if (!filter || (expectedCount === undefined && after === undefined)) refuse(licensesRefusals, 'NO_LICENSES_SELECTED')
  const choice = { appId: app.id, filter, now }
  if (after === undefined) {
    const count = await countFiltered(db, choice)
    if (count !== expectedCount) refuse(licensesRefusals, 'SELECTION_CHANGED', { fill: { count } })
  }
  return new FilterWalk(body, licensesPerUnit, (afterId, limit) => listKeysAfter(db, { ...choice, afterId, limit }))
}

async function* keysOf(walk: Awaited<ReturnType<typeof askedWalk>>): AsyncGenerator<string[]> {
  for await (const licenses of walk.batches()) yield licenses.map(({ license }) => license)
}

async function actOn(unit: Unit, context: CallContext<Bulk>, keys: string[]): Promise<Results> {
  const { app, body, now } = context
  const held = await holdLicenses(unit.trx, app.id, keys)
  // Somebody may have redeemed one since the list was read.
  const found = body.filter && !body.licenses ? stillMeant(held, body.filter, now) : held
  const ids = found.map(({ id }) => id)
  if (body.action === 'delete') await deleteLicenses(unit, app.id, found, asksForUsers(body))
  else await setLicensesBanned(unit, app.id, ids, body.action === 'ban')
  await recordAudit(unit, context, { act: `license.bulk-${body.action}`, target: `${ids.length} licenses` })
  const present = new Set(found.map(({ license }) => license))
  const asked = body.licenses ? keys : [...present]
  return asked.map((license) => {
    const ok = present.has(license)
    return { license, ok, message: ok ? '' : licensesRefusals.LICENSE_NOT_FOUND.message }
  })
}
