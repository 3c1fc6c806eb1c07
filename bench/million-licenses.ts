import type { Database } from '#database/database.ts'
import { newLicenses } from '#testing/people/people.ts'
import { measureExport } from './export-million.ts'
import { commonText, fillWithLicenses, rareText } from './fill-million.ts'
import { filledServer, listed, batchOf, sizesOf } from './filled-server.ts'
import { atLeast, type Figure, type Measurement } from './measurement.ts'
import { median, percentile, timeEach, timeOf } from './percentiles.ts'
import { SeededRandom } from './seeded-random.ts'

const perPage = 10

/** Lists, searches, creates and exports over HTTP in an app with a million licenses. */
export const millionLicenses: Measurement = {
  name: 'million',
  engines: 'each',
  async run(bench) {
    const { quick, say } = bench
    const { amount, repeats } = sizesOf(bench)
    const fill = (db: Database, appId: string) => fillWithLicenses(db, appId, amount)
    const { server, fleet, known, end } = await filledServer(bench, `${amount} licenses`, fill)
    const { visitor } = fleet.owner
    const list = (query: { page?: number; search?: string; status?: 'used' | 'banned' }) =>
      listed(visitor.call('GET /licenses', { query: { limit: perPage, ...query } }))
    const { total, totalPages } = await list({})
    atLeast(amount, total, 'licenses in the list')

    const random = new SeededRandom(7)
    const pages = Array.from({ length: repeats }, () => 1 + random.below(totalPages))
    const pageMs = await timeEach([...pages, totalPages, Math.ceil(totalPages / 2), 1], (page) => list({ page }))
    const lastMs = await timeEach(Array(10).fill(totalPages), (page: number) => list({ page }))
    const statusMs = await timeEach(pages.slice(0, repeats / 4), (page) =>
      list({ page: Math.ceil(page / 4), status: 'used' }),
    )

    say(`pages read, p95 ${Math.round(percentile(pageMs, 0.95))} ms`)

    const batches = Array.from({ length: repeats }, () => {
      const { license, notes, usedBy } = random.pick(known)
      return batchOf(random.pick([license, notes || license, usedBy ?? license]), random)
    })
    let found = 0
    const search = async (text: string) => void (found += (await list({ search: text })).total > 0 ? 1 : 0)
    await search(rareText)
    const searchMs = await timeEach(batches, search)
    atLeast(repeats / 2, found, 'searches that found something')
    const rareMs = await timeEach(Array(10).fill(rareText), search)
    const commonMs = await timeEach(Array(10).fill(commonText), search)
    const shortMs = await timeEach(['q', '7x', 'Ab', 'e', '42', 'zz'], search)

    say(`searched, p95 ${Math.round(percentile(searchMs, 0.95))} ms, common ${Math.round(median(commonMs))} ms`)

    const createMs: number[] = []
    for (let round = 0; round < (quick ? 3 : 10); round++)
      createMs.push(await timeOf(() => newLicenses(fleet.owner, 1000)))

    say(`created, p50 ${Math.round(median(createMs))} ms; exporting`)

    const figures: Figure[] = [
      { name: 'page of a million, p95', value: percentile(pageMs, 0.95), unit: 'ms', target: { max: 50 } },
      { name: 'page of a million, p50', value: median(pageMs), unit: 'ms' },
      { name: 'last page, p50', value: median(lastMs), unit: 'ms' },
      { name: 'page of those used, p95', value: percentile(statusMs, 0.95), unit: 'ms' },
      { name: 'search of 3-8 characters, p95', value: percentile(searchMs, 0.95), unit: 'ms', target: { max: 100 } },
      { name: 'search of 3-8 characters, p50', value: median(searchMs), unit: 'ms' },
      { name: 'search with about 100 hits, p50', value: median(rareMs), unit: 'ms' },
      { name: 'search with about 200,000 hits, p50', value: median(commonMs), unit: 'ms' },
      { name: 'search of 1-2 characters, slowest', value: percentile(shortMs, 1), unit: 'ms' },
      { name: 'create 1,000 keys, p50', value: median(createMs), unit: 'ms', target: { max: 100 } },
      { name: 'create 1,000 keys, slowest', value: percentile(createMs, 1), unit: 'ms', target: { max: 250 } },
      ...(await measureExport({ server, fleet, amount, quick })),
    ]
    await end()
    return figures
  },
}
