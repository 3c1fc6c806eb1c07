import type { Database } from '#database/database.ts'
import { fillWithUsers } from './fill-users.ts'
import { filledServer, listed, batchOf, sizesOf } from './filled-server.ts'
import { atLeast, type Measurement } from './measurement.ts'
import { median, percentile, timeEach } from './percentiles.ts'
import { SeededRandom } from './seeded-random.ts'

const perPage = 10
const statuses = ['active', 'expired', 'banned', 'paused'] as const

/** Lists and searches over HTTP in an app with a million users. */
export const millionUsers: Measurement = {
  name: 'million-users',
  engines: 'each',
  async run(bench) {
    const { amount, repeats } = sizesOf(bench)
    const fill = (db: Database, appId: string) => fillWithUsers(db, appId, amount)
    const { fleet, known, end } = await filledServer(bench, `${amount} users`, fill)
    const { visitor } = fleet.owner
    const list = (query: { page?: number; search?: string; status?: (typeof statuses)[number] }) =>
      listed(visitor.call('GET /users', { query: { limit: perPage, ...query } }))
    const { total, totalPages } = await list({})
    atLeast(amount, total, 'users in the list')

    const random = new SeededRandom(11)
    const pages = Array.from({ length: repeats }, () => 1 + random.below(totalPages))
    const pageMs = await timeEach(pages, (page) => list({ page }))
    bench.say(`pages read, p95 ${Math.round(percentile(pageMs, 0.95))} ms`)
    const firstMs: number[] = []
    const anyMs: number[] = []
    for (const status of statuses) {
      const last = (await list({ status })).totalPages
      firstMs.push(...(await timeEach(Array(repeats / 8).fill(1), (page: number) => list({ status, page }))))
      const some = Array.from({ length: repeats / 8 }, () => 1 + random.below(last))
      anyMs.push(...(await timeEach(some, (page) => list({ status, page }))))
    }
    let found = 0
    const batches = Array.from({ length: repeats }, () => {
      const { username, email } = random.pick(known)
      return batchOf(random.pick([username, email || username]), random)
    })
    const searchMs = await timeEach(batches, async (search) => {
      found += (await list({ search })).total > 0 ? 1 : 0
    })
    atLeast(repeats / 2, found, 'searches that found something')
    await end()
    return [
      { name: 'page of a million users, p95', value: percentile(pageMs, 0.95), unit: 'ms', target: { max: 50 } },
      { name: 'first page by status, p95', value: percentile(firstMs, 0.95), unit: 'ms', target: { max: 50 } },
      { name: 'any page by status, p95', value: percentile(anyMs, 0.95), unit: 'ms', target: { max: 50 } },
      { name: 'any page by status, p50', value: median(anyMs), unit: 'ms' },
      { name: 'search of users, p95', value: percentile(searchMs, 0.95), unit: 'ms', target: { max: 100 } },
      { name: 'search of users, p50', value: median(searchMs), unit: 'ms' },
    ]
  },
}
