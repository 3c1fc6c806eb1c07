import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openPostgres } from '#database/postgres/open-postgres.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startPostgres } from '#testing/servers/postgres-server.ts'
import { startStandby } from '#testing/servers/postgres-standby.ts'
import type { DataLocation } from './data-place.ts'
import { countLost } from './kill-checks.ts'
import type { Journal } from './kill-load.ts'
import { atLeast, type Bench, type Figure, type Measurement } from './measurement.ts'
import { remoteApp } from './remote-app.ts'
import { ServerProcess } from './server-process.ts'

const workers = 8
const keysPerCall = 5
const leastPerRound = 50
const maxOutageMs = 60_000
const retryMs = 20

/** A PostgreSQL server that is killed in a round, and later cleaned up. */
interface Victim {
  url: string
  kill(): Promise<void>
  stop(): Promise<void>
}

/**
 * Kills the primary of two servers under load and promotes its synchronous standby; then recreates the killed one as
 * the next standby. The server's `DATABASE_URL` contains both and does not change.
 */
export const failover: Measurement = {
  name: 'failover',
  engines: 'each',
  async run(bench) {
    if (bench.places.engine !== 'postgres') return []
    const { quick, scratch, say } = bench
    const pair = await newPair(bench)
    const place = pair.place()
    // All load comes from one account, so its limits would otherwise be measured.
    const limits = { rateLimitPerMinute: 10_000, rateLimitPerHour: 100_000 }
    await place.open((db) => setPlatform({ db }, 'api', limits))
    const server = await ServerProcess.start(scratch, place)
    const owner = await newOwnerWithApp(remoteApp(server.url, place), 'Failover', { plan: 'Unlimited' })
    const seconds: number[] = []
    const load = new FailoverLoad(owner)
    const rounds = quick ? 2 : 10
    for (let round = 1; round <= rounds; round++) {
      const before = load.acknowledged
      await load.until(() => load.acknowledged >= before + leastPerRound)
      const killed = performance.now()
      await pair.killPrimary()
      await pair.promote()
      const promoted = performance.now()
      await load.until(() => load.lastBegunMs > promoted)
      seconds.push((load.lastDoneMs - promoted) / 1000)
      say(
        `round ${round}: ${load.acknowledged - before} acknowledged, writes again ` +
          `${seconds.at(-1)?.toFixed(2)} s after the promotion, ${((load.lastDoneMs - killed) / 1000).toFixed(2)} s after the kill`,
      )
      if (round < rounds) await pair.renewStandby()
    }
    await load.stop()
    const lost = await pair.place().open((db) => countLost(db, [load.journal]))
    await server.end()
    atLeast(rounds * leastPerRound, load.acknowledged, 'acknowledged writes')
    say(`answers: ${JSON.stringify(Object.fromEntries(load.answers))}`)
    return metricsOf(load, { lost, seconds })
  },
}

function metricsOf(load: FailoverLoad, { lost, seconds }: { lost: number; seconds: number[] }): Figure[] {
  const unexpected = [...load.answers].filter(([answer]) => answer !== '200' && answer !== '503 DATABASE_UNAVAILABLE')
  return [
    {
      name: 'acknowledged writes lost by a failover',
      value: lost,
      unit: 'count',
      target: { max: 0 },
      note: `of ${load.acknowledged} calls of ${keysPerCall} keys in ${seconds.length} failovers`,
    },
    { name: 'writes again after the promotion, slowest', value: Math.max(...seconds), unit: 's', target: { max: 10 } },
    {
      name: 'answers in a failover that are neither 200 nor 503',
      value: unexpected.reduce((sum, [, count]) => sum + count, 0),
      unit: 'count',
      target: { max: 0 },
    },
  ]
}

/** A primary with its standby, and addresses that do not depend on which is which. */
async function newPair({ scratch }: Bench) {
  const name = `bench_${randomBytes(6).toString('hex')}`
  const first = await startPostgres({ durable: true })
  const maintenance = new pg.Client({ connectionString: first.url })
  await maintenance.connect()
  await maintenance.query(`create database ${name}`)
  await maintenance.end()
  let primary: Victim = { ...first, kill: async () => first.kill() }
  let standby = await startStandby(first.url, { durable: true })
  scratch.atEnd(async () => void (await Promise.all([primary.stop(), standby.stop()])))
  const hostOf = (url: string) => new URL(url).host
  const hosts = [first.url, standby.url].map(hostOf).join()
  const databaseUrl = `${first.url.replace(hostOf(first.url), hosts).replace(/\/[^/]*$/, `/${name}`)}?target_session_attrs=read-write`
  const dataDir = scratch.folder('data')
  let dead: Victim | undefined
  return {
    place: (): DataLocation => ({
      engine: 'postgres',
      dataDir,
      environment: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
      async open(work) {
        const db = await openPostgres({ url: databaseUrl })
        return work(db).finally(() => db.close())
      },
    }),
    async killPrimary() {
      await primary.kill()
      dead = primary
    },
    async promote() {
      await standby.promote()
      primary = standby
    },
    async renewStandby() {
      if (!dead) return
      const port = Number(new URL(dead.url).port)
      await dead.stop()
      standby = await startStandby(primary.url, { durable: true, port })
    },
  }
}

/** Creates licenses without pause, and retries rejected calls. */
class FailoverLoad {
  readonly journal: Journal = { created: [], activated: [] }
  /** Number of replies by status and code. */
  readonly answers = new Map<string, number>()
  /** Start and end of the last acknowledged call. */
  lastBegunMs = 0
  lastDoneMs = 0
  readonly #running: Promise<void>[]
  #isStopped = false

  constructor(owner: OwnedApp) {
    this.#running = Array.from({ length: workers }, async () => {
      while (!this.#isStopped) await this.#make(owner)
    })
  }

  get acknowledged(): number {
    return this.journal.created.length
  }

  async until(isSo: () => boolean): Promise<void> {
    const start = performance.now()
    while (!isSo()) {
      if (performance.now() - start > maxOutageMs) {
        throw new Error(`Writes don't go on: ${JSON.stringify(Object.fromEntries(this.answers))}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#running)
  }

  async #make({ visitor }: OwnedApp): Promise<void> {
    const begun = performance.now()
    const { status, body } = await visitor.call('POST /create_licenses', {
      body: { amount: keysPerCall, subscription: 1, expiryUnit: 'days', duration: 30 },
    })
    const answer = status === 200 ? '200' : `${status} ${body.code}`
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1)
    if (status !== 200) return void (await new Promise((resolve) => setTimeout(resolve, retryMs)))
    this.journal.created.push({ notes: '', keys: body.licenses })
    if (begun > this.lastBegunMs) {
      this.lastBegunMs = begun
      this.lastDoneMs = performance.now()
    }
  }
}
