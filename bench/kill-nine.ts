import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import type { DataLocation } from './data-place.ts'
import { countLost, findHalves } from './kill-checks.ts'
import { batchSize, type Journal, KillLoad } from './kill-load.ts'
import { atLeast, type Bench, type Figure, type Measurement } from './measurement.ts'
import { remoteApp } from './remote-app.ts'
import { ServerProcess } from './server-process.ts'

const leastPerRound = 20
const keysPerRound = 1000
const earliestMs = 300
const latestMs = 1500
const maxRecoveryMs = 30_000

/** Kills the server, and once the database server, while they work; no acknowledged write may be lost. */
export const killNine: Measurement = {
  name: 'kill-nine',
  engines: 'each',
  async run(bench) {
    const { quick, scratch, newPlace } = bench
    const place = await newPlace()
    const journals: Journal[] = []
    let server = await ServerProcess.start(scratch, place)
    const owner = await newOwnerWithApp(remoteApp(server.url, place), 'Kill')
    const { body } = await owner.visitor.call('GET /apps')
    const rootKey = body.apps[0]?.settings.serverObfuscationKey ?? ''
    const ready: number[] = []
    const rounds = quick ? 2 : 10
    for (let round = 0; round < rounds; round++) {
      journals.push(
        await loadAndKill(server, place, { owner, rootKey, name: `round${round}` }, () => server.end('SIGKILL')),
      )
      server = await ServerProcess.start(scratch, place)
      ready.push(server.readyMs)
      await programsRun(server, place, { owner, rootKey, journal: journals.at(-1) as Journal })
      bench.say(
        `round ${round + 1}: ${acknowledged(journals.slice(-1))} acknowledged, ` +
          `ready again in ${Math.round(server.readyMs)} ms`,
      )
    }
    const figures: Figure[] = [
      { name: 'ready again after kill -9, slowest', value: Math.max(...ready), unit: 'ms', target: { max: 3000 } },
    ]
    if (place.engine === 'postgres')
      figures.push(await killDatabase(bench, server, place, { owner, rootKey, journals }))
    const { lost, halves } = await place.open(async (db) => ({
      lost: await countLost(db, journals),
      halves: await findHalves(db),
    }))
    for (const half of halves) bench.say(half)
    await server.end()
    return [
      {
        name: 'acknowledged writes lost by kill -9',
        value: lost,
        unit: 'count',
        target: { max: 0 },
        note: `of ${acknowledged(journals)} in ${journals.length} rounds`,
      },
      { name: 'half-done writes after kill -9', value: halves.length, unit: 'count', target: { max: 0 } },
      ...figures,
    ]
  },
}

interface Whom {
  owner: OwnedApp
  rootKey: string
  name: string
}

async function loadAndKill(
  server: ServerProcess,
  place: DataLocation,
  { owner, rootKey, name }: Whom,
  kill: () => Promise<void>,
) {
  const app = remoteApp(server.url, place)
  const here = { ...owner, visitor: await signedIn(app, owner) }
  const keys = await newLicenses(here, keysPerRound)
  const load = new KillLoad(app, here, rootKey, { keys, name })
  // On any machine, there must be acknowledged writes that the kill could lose.
  await new Promise((resolve) => setTimeout(resolve, earliestMs + Math.random() * (latestMs - earliestMs)))
  while (acknowledged([load.journal]) < leastPerRound) await new Promise((resolve) => setTimeout(resolve, 20))
  await kill()
  const journal = await load.stopped()
  atLeast(leastPerRound, acknowledged([journal]), 'acknowledged writes')
  return journal
}

async function signedIn(app: ReturnType<typeof remoteApp>, { username, password, appId }: OwnedApp) {
  const visitor = app.visitor()
  const { status, body } = await visitor.call('POST /login', { body: { username, password } })
  if (status !== 200) throw new Error(`Could not sign in again: ${body.message}`)
  visitor.appId = appId
  return visitor
}

/** Running programs continue after the restart without signing in again. */
async function programsRun(
  server: ServerProcess,
  place: DataLocation,
  { owner, rootKey, journal }: Omit<Whom, 'name'> & { journal: Journal },
) {
  for (const { program } of journal.activated.slice(-5)) {
    const again = new Program(remoteApp(server.url, place), owner, rootKey)
    again.session = program.session
    const { body } = await again.heartbeat()
    if (!body.success) throw new Error(`A program that was running was rejected: ${body.code}`)
  }
}

/** Kills the database of the running server, which must reconnect automatically. */
async function killDatabase(
  { places, say }: Bench,
  server: ServerProcess,
  place: DataLocation,
  { owner, rootKey, journals }: { owner: OwnedApp; rootKey: string; journals: Journal[] },
): Promise<Figure> {
  const postgres = await places.postgres()
  // Signed in once in advance, because sign-ins are limited and this call is retried until it succeeds.
  const here = { ...owner, visitor: await signedIn(remoteApp(server.url, place), owner) }
  journals.push(
    await loadAndKill(server, place, { owner, rootKey, name: 'round-database' }, async () => postgres.kill()),
  )
  await postgres.startAgain()
  const start = performance.now()
  for (;;) {
    const trouble = await newLicenses(here, batchSize).then(() => undefined, String)
    if (trouble === undefined) break
    if (performance.now() - start > maxRecoveryMs) {
      throw new Error(`The server did not find its database again: ${trouble}\n${server.output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const value = (performance.now() - start) / 1000
  say(
    `the database killed: ${acknowledged(journals.slice(-1))} acknowledged, writing again after ${value.toFixed(1)} s`,
  )
  return { name: 'writing again after the database was killed', value, unit: 's', target: { max: 10 } }
}

const acknowledged = (journals: readonly Journal[]): number =>
  journals.reduce((sum, { created, activated }) => sum + created.length + activated.length, 0)
