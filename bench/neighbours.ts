import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#database/database.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import type { Visitor } from '#testing/people/visitor.ts'
import { commonText, fillWithLicenses } from './fill-million.ts'
import { filledServer, listed, sizesOf } from './filled-server.ts'
import { atLeast, type Figure, type Measurement } from './measurement.ts'
import { median, percentile, timeEach, timeOf } from './percentiles.ts'
import { remoteApp } from './remote-app.ts'

const maxStallMs = 50

/**
 * The effect of an owner with a million licenses on others: the delay of the server's main thread while that owner
 * acts, compared to an idle run, and how long a list of another owner takes.
 */
export const neighbours: Measurement = {
  name: 'neighbours',
  engines: 'each',
  async run(bench) {
    const { quick, say } = bench
    const { amount } = sizesOf(bench)
    const fill = (db: Database, appId: string) => fillWithLicenses(db, appId, amount)
    const { server, fleet, known, place, end } = await filledServer(bench, `${amount} licenses`, fill)
    const { owner } = fleet
    const small = await newOwnerWithApp(remoteApp(server.url, place), 'Neighbour')
    await newLicenses(small, 10)
    await fleet.signedIn(20)
    const lateness = new Lateness(server.url)
    const idleMs = await lateness.least(() => new Promise((resolve) => setTimeout(resolve, 2000)))
    say(`idle: at most ${idleMs.toFixed(1)} ms late`)

    const figures: Figure[] = [{ name: 'longest stall, idle', value: idleMs, unit: 'ms' }]
    const stall = async (name: string, work: () => Promise<unknown>, target?: Figure['target']) => {
      const longest = (await lateness.least(work)) - idleMs
      say(`${name}: ${longest.toFixed(1)} ms later than idle`)
      figures.push({
        name: `longest stall, ${name}`,
        value: Math.max(0, longest),
        unit: 'ms',
        ...(target && { target }),
      })
    }
    const bulk = (body: object) => called(owner.visitor, 'POST', '/licenses/bulk', body)
    const five = (at: number) => known.slice(at * 5, at * 5 + 5).map(({ license }) => license)
    const banFive = (at: number) => bulk({ licenses: five(at), action: at % 2 === 0 ? 'ban' : 'unban' })

    const rounds = Array.from({ length: quick ? 6 : 20 }, (_, at) => at)
    let nameMs: number[] = []
    const target = { max: maxStallMs }
    await stall('five licenses named', async () => void (nameMs = await timeEach(rounds, banFive)), target)
    figures.push({ name: 'act on five named of a million, p50', value: median(nameMs), unit: 'ms' })
    const some = { filter: {}, expectedCount: await totalOf(owner.visitor), maxRows: quick ? 5000 : 50_000 }
    let turn = 0
    const ban = () => bulk({ ...some, action: turn++ % 2 === 0 ? 'ban' : 'unban' })
    await stall('50,000 banned by a filter', ban, target)
    await bulk({ ...some, action: 'unban' })
    const preview = { filter: {}, action: 'ban', dryRun: true, maxRows: some.maxRows }
    await stall('what a ban of 50,000 would do', () => bulk(preview), target)
    await stall('list of apps', () => timeEach(rounds, () => owner.visitor.call('GET /apps')), target)
    await stall('searches', () => timeEach(['q', '7x', commonText], (search) => search1(owner.visitor, search)), target)
    await stall('sessions', () => timeEach(rounds, () => owner.visitor.call('GET /sessions')), target)

    figures.push(...(await leaving(owner.visitor, server.url, bench.quick)))
    figures.push(...(await searching(owner.visitor, small.visitor)))
    await end()
    return figures
  },
}

const search1 = (visitor: Visitor, search: string) => listed(visitor.call('GET /licenses', { query: { search } }))

async function called(visitor: Visitor, method: string, path: string, body: object): Promise<void> {
  const { status, body: reply } = await visitor.send(method, `/api/1.0/website${path}`, { body })
  if (status !== 200) throw new Error(`${path} answered ${status}: ${reply.message}`)
}

/** The slowest small call: the main thread was busy for that long. */
export class Lateness {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** The best of three runs, because other load on the machine slows them. */
  async least(work: () => Promise<unknown>): Promise<number> {
    const all = [await this.during(work), await this.during(work), await this.during(work)]
    return Math.min(...all)
  }

  async during(work: () => Promise<unknown>): Promise<number> {
    const running = { work: true }
    const times: number[] = []
    const watch = (async () => {
      while (running.work) {
        times.push(await timeOf(() => fetch(`${this.#url}/healthz`).then((answer) => answer.arrayBuffer())))
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    })()
    try {
      await work()
    } finally {
      running.work = false
      await watch
    }
    atLeast(1, times.length, 'calls beside the work')
    return percentile(times, 1)
  }
}

/** How much of a bulk action is still done after its caller has disconnected. */
async function leaving(visitor: Visitor, url: string, quick: boolean): Promise<Figure[]> {
  const banned = async () => (await listed(visitor.call('GET /licenses', { query: { status: 'banned' } }))).total
  const left = new AbortController()
  const before = await banned()
  const request = fetch(`${url}/api/1.0/website/licenses/bulk`, {
    method: 'POST',
    signal: left.signal,
    headers: {
      'content-type': 'application/json',
      'x-csrf-token': visitor.csrf,
      cookie: visitor.cookieHeader(),
      'x-app-id': visitor.appId ?? '',
    },
    body: JSON.stringify({
      action: 'ban',
      filter: { status: 'unused' },
      expectedCount: await totalOf(visitor, 'unused'),
    }),
  }).catch(() => undefined)
  while ((await banned()) < before + 2000);
  left.abort()
  await request
  const atLeaving = await banned()
  await new Promise((resolve) => setTimeout(resolve, quick ? 3000 : 30_000))
  return [{ name: 'rows changed after the caller left', value: (await banned()) - atLeaving, unit: 'count' }]
}

const totalOf = async (visitor: Visitor, status?: 'unused') =>
  (await listed(visitor.call('GET /licenses', { query: { status } }))).total

const pauseMs = 100

/**
 * Another owner's lists while the large owner runs twenty scans at once, and that owner's searches for text that others
 * have.
 */
async function searching(large: Visitor, small: Visitor): Promise<Figure[]> {
  const list = () => listed(small.call('GET /licenses', { query: {} }))
  const aloneMs = await timeEach(Array(20).fill(0), list)
  const besideMs: number[] = []
  const running = { searches: true }
  const searches = Promise.all([...'abcdefghijklmnopqrst'].map((search) => search1(large, search))).finally(() => {
    running.searches = false
  })
  const allMs = timeOf(() => searches)
  while (running.searches) {
    besideMs.push(await timeOf(list))
    // The rate limit of a session is twenty calls a second for a minute.
    await pause(pauseMs)
  }
  const commonMs = await timeEach(Array(30).fill(commonText), (search: string) => search1(small, search))
  const absentMs = await timeEach(Array(30).fill('wkqxzv'), (search: string) => search1(small, search))
  return [
    { name: 'twenty one-letter searches of a million', value: (await allMs) / 1000, unit: 's' },
    { name: 'list of a neighbour alone, p50', value: median(aloneMs), unit: 'ms' },
    { name: 'list of a neighbour beside them, slowest', value: percentile(besideMs, 1), unit: 'ms' },
    { name: 'small owner: text that others have 200,000 times, p50', value: median(commonMs), unit: 'ms' },
    { name: 'small owner: text that nobody has, p50', value: median(absentMs), unit: 'ms' },
  ]
}
