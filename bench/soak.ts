import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { Places } from './data-place.ts'
import { percentile, timeOf } from './percentiles.ts'
import { remoteApp } from './remote-app.ts'
import { Scratch } from './scratch.ts'
import { ServerProcess } from './server-process.ts'
import { ensureDashboard } from '../tools/build-dashboard.ts'
import { ensureServer } from '../tools/build-server.ts'

/**
 * `npm run soak [minutes] [sqlite|postgres]`: runs a mixed load at a steady pace and reports the trend of memory,
 * handles and disk after the warm-up, as a straight line through the samples, and the p99 of heartbeats in the first
 * and in the last tenth. Writes all samples to `bench/results/`. The run for a release takes 480 minutes.
 */
const minutes = Number(process.argv[2] ?? 30)
const engine = process.argv[3] === 'postgres' ? 'postgres' : 'sqlite'
const sampleMs = Math.max(500, (minutes * 60_000) / 240)
/** The limit of a dashboard is 1,200 calls a minute. */
const roundsPerSecond = 2
const programs = 40
/** More rows than the page caches of all connections hold, so that the caches are full before the first sample. */
const otherLicenses = 150_000
const warmUp = 0.25
const maxMbPerHour = 1
const maxHandlesPerHour = 1

interface Sample {
  hours: number
  mb: number
  handles: number
  /** The database with its log and search index; for PostgreSQL, only files of our server. */
  diskMb: number
  /** p99 of the heartbeats since the previous sample, in milliseconds. */
  heartbeatP99: number
}

function folderMb(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile())
  const bytes = files.map(({ parentPath, name }) => statSync(join(parentPath, name), { throwIfNoEntry: false })?.size)
  return bytes.reduce((sum: number, size) => sum + (size ?? 0), 0) / 2 ** 20
}

/** The slope of the least-squares line. */
function perHour(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (value: (sample: Sample) => number) =>
    samples.reduce((sum, each) => sum + value(each), 0) / samples.length
  const [x, y] = [mean(({ hours }) => hours), mean(of)]
  const along = samples.reduce((sum, each) => sum + (each.hours - x) * (of(each) - y), 0)
  return along / samples.reduce((sum, each) => sum + (each.hours - x) ** 2, 0)
}

// A server that builds on start would keep the memory of the build.
await ensureDashboard()
await ensureServer()
const scratch = new Scratch()
try {
  const place = await new Places(engine, scratch).make()
  // One owner makes as many calls as several dashboards.
  await setPlatform(remoteApp('', place), 'api', { rateLimitPerHour: 1_000_000 })
  const server = await ServerProcess.start(scratch, place)
  const app = remoteApp(server.url, place)
  const owner = await newOwnerWithApp(app, 'Soak')
  const fleet: Program[] = []
  for (const key of await newLicenses(owner, programs)) {
    const program = await Program.of(app, owner)
    await program.init()
    await program.license(key)
    fleet.push(program)
  }

  const other = await newOwnerWithApp(app, 'Other', { plan: 'Unlimited' })
  for (let made = 0; made < otherLicenses; made += 1000) await newLicenses(other, 1000)
  for (const action of ['ban', 'unban'] as const) {
    const body = { action, filter: {}, expectedCount: otherLicenses }
    const { status } = await other.visitor.call('POST /licenses/bulk', { body })
    if (status !== 200) throw new Error(`${action} of all answered ${status}`)
  }
  for (const page of [1, 1000, 5000]) await other.visitor.call('GET /licenses', { query: { page, search: 'a' } })
  await other.visitor.call('GET /export_licenses', { query: { format: 'csv' } } as never)

  let calls = 0
  let failed = 0
  const count = ({ status }: { status: number }) => {
    calls += 1
    if (status >= 500) failed += 1
  }
  let heartbeatTimes: number[] = []
  /** One round of all calls; everything it creates is deleted again, so that the amount of data stays constant. */
  async function round(): Promise<void> {
    await Promise.all(
      fleet.map(async (program) => heartbeatTimes.push(await timeOf(async () => count(await program.heartbeat())))),
    )
    const [license = ''] = await newLicenses(owner, 1)
    const program = await Program.of(app, owner)
    count(await program.init())
    count(await program.license(license))
    count(await program.heartbeat())
    count(await owner.visitor.call('GET /licenses', { query: { search: license.slice(0, 8) } }))
    count(await owner.visitor.call('GET /users', { query: { search: license } }))
    count(await owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: [license] } }))
    count(await owner.visitor.call('POST /delete_user', { body: { username: license } }))
    count(await owner.visitor.call('POST /licenses/bulk', { body: { action: 'delete', licenses: [license] } }))
    count(await owner.visitor.call('GET /export_licenses', { query: { format: 'csv' } } as never))
  }

  const samples: Sample[] = []
  const started = performance.now()
  const elapsed = () => performance.now() - started
  let nextSample = 0
  while (elapsed() < minutes * 60_000) {
    const roundStarted = elapsed()
    await round()
    if (elapsed() >= nextSample) {
      const hours = elapsed() / 3_600_000
      const heartbeatP99 = percentile(heartbeatTimes, 0.99)
      const diskMb = folderMb(place.dataDir)
      samples.push({ hours, mb: server.memory().anonymousMb, handles: server.handles(), diskMb, heartbeatP99 })
      heartbeatTimes = []
      nextSample += sampleMs
    }
    // A slow round is not caught up with, because catching up could exceed the rate limit of a caller.
    const ahead = roundStarted + 1000 / roundsPerSecond - elapsed()
    if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead))
  }
  const steady = samples.slice(Math.floor(samples.length * warmUp))
  const memory = perHour(steady, ({ mb }) => mb)
  const handles = perHour(steady, (sample) => sample.handles)
  const ok = failed === 0 && memory < maxMbPerHour && handles < maxHandlesPerHour && calls > minutes * 600
  const tenth = Math.max(1, Math.floor(samples.length / 10))
  const p99Of = (part: readonly Sample[]) =>
    percentile(part.map(({ heartbeatP99 }) => heartbeatP99).filter(Boolean), 0.5)
  const [first, last] = [samples.slice(0, tenth), samples.slice(-tenth)]
  const result = {
    minutes,
    engine,
    calls,
    failed,
    memoryMbPerHour: memory,
    handlesPerHour: handles,
    diskMbPerHour: perHour(steady, (sample) => sample.diskMb),
    memoryMb: [first.at(-1)?.mb, last.at(-1)?.mb],
    heartbeatP99Ms: [p99Of(first), p99Of(last)],
    samples,
  }
  const file = join(dirname(import.meta.filename), 'results', `soak-${engine}.json`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(result, null, 1)}\n`)
  console.log(`${calls} calls in ${minutes} minutes on ${engine}, ${failed} failed`)
  console.log(
    `heartbeat p99 ${p99Of(first).toFixed(1)} ms in the first tenth, ${p99Of(last).toFixed(1)} ms in the last; ` +
      `disk ${result.diskMbPerHour.toFixed(1)} MB an hour (audit, log)`,
  )
  console.log(
    `memory ${memory.toFixed(2)} MB an hour, handles ${handles.toFixed(2)} an hour: ${ok ? 'passed' : 'FAILED'}`,
  )
  if (minutes < 30) console.log('A run of less than 30 minutes says little about memory.')
  await server.end()
  process.exitCode = ok ? 0 : 1
} finally {
  await scratch.clear()
}
