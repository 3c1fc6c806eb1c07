import { sql } from 'kysely'
import type { Database } from '#database/database.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { fillWithLicenses } from './fill-million.ts'
import { fillWithUsers } from './fill-users.ts'
import { batchOf, filledServer, listed, sizesOf } from './filled-server.ts'
import { atLeast, type Measurement } from './measurement.ts'
import { median, percentile, timeEach } from './percentiles.ts'
import { remoteApp } from './remote-app.ts'
import { SeededRandom } from './seeded-random.ts'

const perPage = 10
const rowsPerUpdate = 50_000

/** Assigns all licenses of the app to this reseller; the used ones were redeemed by the users of the app. */
async function giveToReseller(
  db: Database,
  { appId, resellerId }: { appId: string; resellerId: string },
  users: number,
) {
  const { rows } = await sql<{ last: number }>`select max(id) as last from licenses`.execute(db.reports)
  const last = Number(rows[0]?.last)
  for (let from = 0; from < last; from += rowsPerUpdate)
    await db.write(({ db: trx }) =>
      sql`update licenses set reseller_id = ${resellerId}, price = 5,
            used_by_user_id = case when used = 1 then id % ${users} + 1 end
          where app_id = ${appId} and id > ${from} and id <= ${from + rowsPerUpdate}`.execute(trx),
    )
  if (db.engine === 'postgres') await sql`vacuum (analyze) licenses`.execute(db.read)
}

/** Lists of a reseller with a million licenses, and of the users who redeemed them, over HTTP. */
export const resellerList: Measurement = {
  name: 'reseller-list',
  engines: 'each',
  async run(bench) {
    const { amount, repeats } = sizesOf(bench)
    const fill = async (db: Database, appId: string) => {
      await fillWithUsers(db, appId, amount / 2)
      return fillWithLicenses(db, appId, amount)
    }
    const { server, fleet, known, place, end } = await filledServer(bench, `${amount} licenses and their users`, fill)
    const { owner } = fleet
    const { appId, appName } = owner
    const { visitor, id: resellerId } = await newSellingReseller(remoteApp(server.url, place), {}, owner)
    await place.open((db) => giveToReseller(db, { appId, resellerId }, amount / 2))
    bench.say('they are all of one reseller')

    const licenses = (query: { page?: number; search?: string }) =>
      listed(visitor.call('GET /reseller/licenses', { query: { appName, limit: perPage, ...query } }))
    const users = (query: { page?: number; search?: string }) =>
      listed(visitor.call('GET /reseller/users', { query: { appName, limit: perPage, ...query } }))
    const random = new SeededRandom(11)
    const pagesOf = (all: number) => [...Array.from({ length: repeats }, () => 1 + random.below(all)), all, 1]
    const { total, totalPages } = await licenses({})
    atLeast(amount, total, 'licenses in the list')
    const redeemers = await users({})
    atLeast(amount / 10, redeemers.total, 'users in the list')

    const pageMs = await timeEach(pagesOf(totalPages), (page) => licenses({ page }))
    const userMs = await timeEach(pagesOf(redeemers.totalPages), (page) => users({ page }))
    let found = 0
    const texts = Array.from({ length: repeats }, () => {
      const { license, notes, usedBy } = random.pick(known)
      return batchOf(random.pick([license, notes || license, usedBy ?? license]), random)
    })
    const search = async (text: string) => void (found += (await licenses({ search: text })).total > 0 ? 1 : 0)
    const searchMs = await timeEach(texts, search)
    atLeast(repeats / 2, found, 'searches that found something')
    const names = (await users({ page: 3 })).users.map(({ username }) => username)
    const userTexts = Array.from({ length: repeats }, () => batchOf(random.pick(names), random))
    const userSearchMs = await timeEach(userTexts, (text) => users({ search: text }))
    const statsMs = await timeEach(Array(10).fill(0), () =>
      listed(visitor.call('GET /reseller/licenses/stats', { query: { appName } })),
    )
    await end()
    return [
      {
        name: 'page of a reseller with a million, p95',
        value: percentile(pageMs, 0.95),
        unit: 'ms',
        target: { max: 50 },
      },
      { name: 'page of a reseller with a million, p50', value: median(pageMs), unit: 'ms' },
      { name: "search of a reseller's, p95", value: percentile(searchMs, 0.95), unit: 'ms', target: { max: 100 } },
      { name: "page of a reseller's users, p95", value: percentile(userMs, 0.95), unit: 'ms', target: { max: 50 } },
      {
        name: "search of a reseller's users, p95",
        value: percentile(userSearchMs, 0.95),
        unit: 'ms',
        target: { max: 100 },
      },
      { name: "totals of a reseller's licenses, p50", value: median(statsMs), unit: 'ms' },
    ]
  },
}
