import { fillWithUsers } from './fill-users.ts'
import { Load } from './load.ts'
import { atLeast, type Measurement } from './measurement.ts'
import { median, percentile, timeEach } from './percentiles.ts'
import { ProgramFleet } from './program-fleet.ts'
import { SeededRandom } from './seeded-random.ts'
import { ServerProcess } from './server-process.ts'

const perPage = 10
const statuses = ['active', 'expired', 'banned', 'paused'] as const

/** Lists and searches in one app with a million users, through HTTP. */
export const millionUsers: Measurement = {
  name: 'million-users',
  engines: 'each',
  async run({ quick, scratch, newPlace, say }) {
    const amount = quick ? 100_000 : 1_000_000
    const repeats = quick ? 40 : 200
    const place = await newPlace()
    const first = await ServerProcess.start(scratch, place)
    const load = new Load(scratch)
    const { owner } = await ProgramFleet.of(first, place, load)
    await first.end()
    const filling = performance.now()
    const known = await place.open((db) => fillWithUsers(db, owner.appId, amount))
    say(`${amount} users and their search index took ${Math.round((performance.now() - filling) / 1000)} s`)

    const server = await ServerProcess.start(scratch, place)
    const { visitor } = (await ProgramFleet.again(server, owner, load)).owner
    const list = async (query: { page?: number; search?: string; status?: (typeof statuses)[number] }) => {
      const { status, body } = await visitor.call('GET /users', { query: { limit: perPage, ...query } })
      if (status !== 200) throw new Error(`The list answered ${status}: ${body.message}`)
      return body
    }
    const { total, totalPages } = await list({})
    atLeast(amount, total, 'users in the list')

    const random = new SeededRandom(11)
    const pages = Array.from({ length: repeats }, () => 1 + random.below(totalPages))
    const pageMs = await timeEach(pages, (page) => list({ page }))
    say(`pages read, p95 ${Math.round(percentile(pageMs, 0.95))} ms`)
    const firstMs: number[] = []
    const anyMs: number[] = []
    for (const status of statuses) {
      const last = (await list({ status })).totalPages
      firstMs.push(...(await timeEach(Array(repeats / 8).fill(1), (page: number) => list({ status, page }))))
      const some = Array.from({ length: repeats / 8 }, () => 1 + random.below(last))
      anyMs.push(...(await timeEach(some, (page) => list({ status, page }))))
    }
    let found = 0
    const pieces = Array.from({ length: repeats }, () => {
      const { username, email } = random.pick(known)
      const text = random.pick([username, email || username])
      const length = 3 + random.below(6)
      return text.slice(random.below(Math.max(1, text.length - length))).slice(0, length)
    })
    const searchMs = await timeEach(pieces, async (search) => {
      found += (await list({ search })).total > 0 ? 1 : 0
    })
    atLeast(repeats / 2, found, 'searches that found something')
    load.end()
    await server.end()
    scratch.drop(place.dataDir)
    return [
      { name: 'page of a million users, p95', value: percentile(pageMs, 0.95), unit: 'ms', target: { most: 50 } },
      { name: 'first page by status, p95', value: percentile(firstMs, 0.95), unit: 'ms', target: { most: 50 } },
      { name: 'any page by status, p95', value: percentile(anyMs, 0.95), unit: 'ms', target: { most: 50 } },
      { name: 'any page by status, p50', value: median(anyMs), unit: 'ms' },
      { name: 'search of users, p95', value: percentile(searchMs, 0.95), unit: 'ms', target: { most: 100 } },
      { name: 'search of users, p50', value: median(searchMs), unit: 'ms' },
    ]
  },
}
