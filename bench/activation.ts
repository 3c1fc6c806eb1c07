import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { type Compared, compareWithBaselines } from './baseline.ts'
import { Load } from './load.ts'
import type { LoadJob, LoadResult } from './load-job.ts'
import { atLeast, type Bench, type Figure, type Measurement } from './measurement.ts'
import { ProgramFleet } from './program-fleet.ts'
import type { Replayed, ReplayedCalls } from './replay-statements.ts'
import { ServerProcess } from './server-process.ts'

/** Runs `replay-statements.ts` with the engine of the bench. */
async function replayedCalls({ scratch, places }: Bench): Promise<Replayed> {
  const isPostgres = places.engine === 'postgres'
  const child = scratch.node(['bench/replay-statements.ts', scratch.folder('replay')], {
    TEST_ENGINE: places.engine,
    ...(isPostgres && { TEST_POSTGRES_URL: (await places.postgres()).url }),
  })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.pipe(process.stderr)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`The replay ended with status ${code}`)
  return JSON.parse(output) as Replayed
}

/** What PostgreSQL itself works, and what share of an echo that leaves if it has all cores for itself. */
function byDatabase({ databaseUs, echoPerSecond }: Compared): Figure[] {
  if (databaseUs === 0) return []
  const perSecond = (availableParallelism() * 1_000_000) / databaseUs
  return [
    { name: '… of it, processor time of PostgreSQL', value: databaseUs, unit: 'µs' },
    { name: '… at most, if it had all cores', value: (perSecond / echoPerSecond) * 100, unit: '%' },
  ]
}

/**
 * A program starts (init) and redeems a new key: the reply is signed, and sent once the change is on disk. Then a
 * program with a known key starts, as its customer does each day.
 */
export const activation: Measurement = {
  name: 'activation',
  engines: 'each',
  async run(bench) {
    const { quick, scratch, places, newPlace } = bench
    const place = await newPlace()
    const isSqlite = place.engine === 'sqlite'
    const server = await ServerProcess.start(scratch, place)
    const load = new Load(scratch)
    const fleet = await ProgramFleet.of(server, place, load)
    const perRound = quick ? 1000 : 5000
    await fleet.signedIn(perRound)
    const compare = (prepare: () => Promise<{ job: LoadJob; run: () => Promise<LoadResult> }>) =>
      compareWithBaselines({ scratch, load, server, places }, { rounds: quick ? 1 : 5, prepare })

    const starts = await compare(async () => {
      const job = fleet.job('init', { bodies: [JSON.stringify({ version: '1.0.0' })] })
      return { job, run: async () => (await fleet.start(perRound)).result }
    })
    let known: string[] = []
    /** The same keys in each round: new ones are redeemed, known ones sign in. */
    const redeem = async (keys: string[]) => {
      const { sessions } = await fleet.start(perRound)
      const job = fleet.job('license', { sessions, bodies: [fleet.redemption(keys[0] ?? '')] })
      return {
        job,
        run: async () => {
          const result = await fleet.activate(sessions, keys)
          atLeast(perRound, result.answered, 'activations')
          return result
        },
      }
    }
    const activations = await compare(async () => redeem((known = await fleet.keys(perRound))))
    const signIns = await compare(() => redeem(known))
    load.end()
    await server.end()
    const alone = await replayedCalls(bench)
    const atMost = ({ perSecond, statements }: ReplayedCalls, { echoPerSecond }: Compared): Figure[] => {
      // On SQLite, one thread runs the statements and serves HTTP.
      const share = perSecond / (isSqlite ? echoPerSecond + perSecond : echoPerSecond)
      const note = `${statements} statements of one transaction, replayed without a server`
      return [
        { name: '… at most, with these statements', value: share * 100, unit: '%', note },
        { name: '… that the database alone runs', value: perSecond, unit: 'per second' },
      ]
    }
    return [
      { name: 'activation by echo', value: activations.byEcho * 100, unit: '%', target: { min: isSqlite ? 20 : 8 } },
      ...atMost(alone.firstUses, activations),
      ...byDatabase(activations),
      { name: 'activation by bare hello', value: activations.byHello * 100, unit: '%' },
      { name: 'activations', value: activations.perSecond, unit: 'per second' },
      { name: 'activation p50, 32 connections', value: activations.p50, unit: 'ms' },
      { name: 'activation p99, 32 connections', value: activations.p99, unit: 'ms' },
      { name: 'server processor time per activation', value: activations.cpuUs, unit: 'µs' },
      { name: 'activation, processor time by hello', value: activations.cpuByHello, unit: '×' },
      {
        name: 'sign-in of a known license by echo',
        value: signIns.byEcho * 100,
        unit: '%',
        target: { min: isSqlite ? 25 : 10 },
      },
      ...atMost(alone.signIns, signIns),
      ...byDatabase(signIns),
      { name: 'sign-ins of known licenses', value: signIns.perSecond, unit: 'per second' },
      { name: 'server processor time per sign-in', value: signIns.cpuUs, unit: 'µs' },
      { name: 'sign-in, processor time by hello', value: signIns.cpuByHello, unit: '×' },
      {
        name: 'program start (init) by echo',
        value: starts.byEcho * 100,
        unit: '%',
        ...(!isSqlite && { target: { min: 12 } }),
      },
      ...byDatabase(starts),
      { name: 'program starts (init)', value: starts.perSecond, unit: 'per second' },
      { name: 'server processor time per program start', value: starts.cpuUs, unit: 'µs' },
      { name: 'program start, processor time by hello', value: starts.cpuByHello, unit: '×' },
    ]
  },
}
