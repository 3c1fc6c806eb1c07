import { randomBytes } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import pg from 'pg'
import { writeAheadLog } from '#database/sqlite/log-flush.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import { beforeEachStatement } from '#testing/faults/sqlite-faults.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { copyOfPostgres, migratedPostgresUrl } from '#testing/servers/postgres.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import { median } from './percentiles.ts'

/**
 * Records the statements of first uses and of sign-ins with a known license, and has the database alone run them on
 * copies of the database as it was before: without HTTP, JSON, hashes, and signatures, and without waiting for an
 * answer before the next statement. No server can be faster. Prints `Replayed` as JSON.
 */

export interface ReplayedCalls {
  /** Calls per second of the database alone; on PostgreSQL, on all cores. */
  perSecond: number
  /** Statements of one call, without begin and commit. */
  statements: number
}

export interface Replayed {
  firstUses: ReplayedCalls
  signIns: ReplayedCalls
}

interface Statement {
  sql: string
  parameters: readonly unknown[]
}
/** Statements of one call, in one transaction. */
type Unit = readonly Statement[]

/** As many keys as a round of the bench has: with few, all of the database that they touch would stay at hand. */
const recorded = 5000
const rounds = 3
/** As many calls share a commit as connections send them in the bench. */
const perCommit = 32
const connections = 8

const masterKey = new MasterKey(randomBytes(32))

interface Started {
  key: string
  session: string
}

interface Prepared {
  owner: OwnedApp
  rootKey: string
  newKeys: Started[]
  knownKeys: Started[]
}

/** Programs that have started: some with new keys, some with keys that have signed in before. */
async function prepare(app: TestApp): Promise<Prepared> {
  const owner = await newOwnerWithApp(app)
  const keys: string[] = []
  while (keys.length < 2 * recorded) keys.push(...(await newLicenses(owner, 1000)))
  const { body } = await owner.visitor.call('GET /apps')
  const rootKey = body.apps[0]?.settings.serverObfuscationKey ?? ''
  const program = new Program(app, owner, rootKey)
  const started: Started[] = []
  for (const [at, key] of keys.entries()) {
    await program.init()
    if (at >= recorded) {
      answered(await program.license(key))
      await program.init()
    }
    started.push({ key, session: program.session ?? '' })
  }
  return { owner, rootKey, newKeys: started.slice(0, recorded), knownKeys: started.slice(recorded) }
}

function answered({ body }: Awaited<ReturnType<Program['send']>>): void {
  if (!body.success) throw new Error(body.message)
}

/** The statements of one sign-in with each key. */
async function record(
  app: TestApp,
  { owner, rootKey }: Prepared,
  { keys, listen }: { keys: readonly Started[]; listen: (to: Statement[] | undefined) => void },
): Promise<Unit[]> {
  const units: Unit[] = []
  const program = new Program(app, owner, rootKey)
  for (const { key, session } of keys) {
    program.session = session
    // Rejected, but loads the session, as the start of the program does in a running server.
    await program.heartbeat()
    const unit: Statement[] = []
    listen(unit)
    const answer = await program.license(key)
    listen(undefined)
    answered(answer)
    units.push(unit)
  }
  return alike(units)
}

const textsOf = (unit: Unit): string => unit.map(({ sql }) => sql).join('\n')

/**
 * Only the units that ran what most of them ran: the others also recorded what the server did meanwhile, such as writing
 * log entries, or what it read once for many calls. Out of order, such statements can deadlock.
 */
function alike(units: readonly Unit[]): Unit[] {
  const groups = [...Map.groupBy(units, textsOf).values()]
  const largest = groups.toSorted((a, b) => b.length - a.length)[0] ?? []
  if (largest[0]?.length === 0 || largest.length < units.length * 0.9) {
    throw new Error(`Only ${largest.length} of ${units.length} calls ran the same statements`)
  }
  return largest
}

/** On SQLite: calls per second, in one thread. */
async function onSqlite(file: string, units: readonly Unit[]): Promise<number> {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 0')
  database.exec('pragma cache_size = -32000; pragma mmap_size = 268435456; pragma foreign_keys = on')
  database.exec('pragma temp_store = memory')
  const log = writeAheadLog(file)
  const prepared = new Map<string, StatementSync>()
  const statementOf = (sql: string): StatementSync => {
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  const run = ({ sql, parameters }: Statement) => statementOf(sql).all(...(parameters as SQLInputValue[]))
  let flushed: Promise<void> | undefined
  const start = performance.now()
  for (let from = 0; from < units.length; from += perCommit) {
    database.exec('begin immediate')
    for (const unit of units.slice(from, from + perCommit)) {
      database.exec('savepoint tx')
      for (const statement of unit) run(statement)
      database.exec('release tx')
    }
    database.exec('commit')
    await flushed
    flushed = log.flush()
  }
  await flushed
  const ms = performance.now() - start
  await log.close()
  database.close()
  return (units.length / ms) * 1000
}

/** On PostgreSQL: calls per second of all connections. */
async function onPostgres(url: string, units: readonly Unit[]): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: url, pipeline: true })
      await client.connect()
      return client
    }),
  )
  const names = new Map([...new Set(units.flat().map(({ sql }) => sql))].map((sql, index) => [sql, `s${index}`]))
  const perClient = clients.map((client, at) => ({ client, own: units.filter((_, n) => n % connections === at) }))
  const start = performance.now()
  await Promise.all(
    perClient.map(async ({ client, own }) => {
      for (const unit of own) {
        const { stream } = client.connection
        stream.cork()
        const replies = [
          client.query('begin'),
          ...unit.map(({ sql, parameters }) =>
            client.query({ name: names.get(sql) ?? '', text: sql, values: [...parameters] }),
          ),
          client.query('commit'),
        ]
        stream.uncork()
        await Promise.all(replies)
      }
    }),
  )
  const ms = performance.now() - start
  await Promise.all(clients.map((client) => client.end()))
  return (units.length / ms) * 1000
}

const folder = process.argv[2] ?? '.'
let copies = 0

/** A database with its copies: a file, or the address of a database. */
interface Storage {
  copyOf(from: string): Promise<string>
  replay(place: string, units: readonly Unit[]): Promise<number>
}

const storage: Storage =
  testEngine === 'postgres'
    ? { copyOf: copyOfPostgres, replay: onPostgres }
    : {
        async copyOf(from) {
          const copy = join(folder, `copy-${copies++}.db`)
          copyFileSync(from, copy)
          return copy
        },
        replay: onSqlite,
      }

let listener: Statement[] | undefined
const listen = (to: Statement[] | undefined) => (listener = to)
const heard = (sql: string, parameters: readonly unknown[]) => void listener?.push({ sql, parameters })

const open = (place: string) =>
  startTestApp({
    clockRuns: true,
    masterKey,
    sqlite: { file: place },
    postgres: { url: place, onStatement: heard },
  })

const place = testEngine === 'postgres' ? await migratedPostgresUrl() : join(folder, 'prepared.db')
const first = await open(place)
const prepared = await prepare(first)
await first.close()

const recording = await open(await storage.copyOf(place))
const recordAll = async () => ({
  firstUses: await record(recording, prepared, { keys: prepared.newKeys, listen }),
  signIns: await record(recording, prepared, { keys: prepared.knownKeys, listen }),
})
const { firstUses, signIns } = await (testEngine === 'postgres'
  ? recordAll()
  : beforeEachStatement(recording.db, (_, { sql, parameters }) => heard(sql, parameters), recordAll))
await recording.close()

async function replayed(units: readonly Unit[]): Promise<ReplayedCalls> {
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) rates.push(await storage.replay(await storage.copyOf(place), units))
  return { perSecond: median(rates), statements: units[0]?.length ?? 0 }
}
const result: Replayed = { firstUses: await replayed(firstUses), signIns: await replayed(signIns) }
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exit(0)
