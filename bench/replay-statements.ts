import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import pg from 'pg'
import { writeAheadLog } from '#database/sqlite/log-flush.ts'
import { beforeEachStatement } from '#testing/faults/sqlite-faults.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { migratedPostgresUrl } from '#testing/servers/postgres.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'
import { median } from './percentiles.ts'

/**
 * Records the statements of sign-ins with a known license, and has the database alone run them again and again: without
 * HTTP, JSON, hashes, and signatures, and without waiting for an answer before the next statement. No server can be
 * faster. Prints a `ReplayedSignIns` as JSON.
 */

export interface ReplayedSignIns {
  /** Sign-ins per second of the database alone; on PostgreSQL, on all cores. */
  perSecond: number
  /** Statements of one sign-in, without begin and commit. */
  statements: number
}

interface Statement {
  sql: string
  parameters: readonly unknown[]
}
/** Statements of one sign-in, in one transaction. */
type Unit = readonly Statement[]

const recorded = 300
const rounds = 40
/** As many sign-ins share a commit as connections send them in the bench. */
const perCommit = 32
const connections = 8

async function record(app: TestApp, listen: (to: Statement[] | undefined) => void): Promise<Unit[]> {
  const owner = await newOwnerWithApp(app)
  const keys = await newLicenses(owner, recorded)
  const program = await Program.of(app, owner)
  const units: Unit[] = []
  for (const key of keys) {
    await program.init()
    await program.license(key)
    await program.init()
    const unit: Statement[] = []
    listen(unit)
    const { body } = await program.license(key)
    listen(undefined)
    if (!body.success) throw new Error(body.message)
    units.push(unit)
  }
  return units
}

/** Nonces can be used once. */
const forgetNonces = 'delete from used_nonces'

async function onSqlite(file: string, units: readonly Unit[]): Promise<number> {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 0')
  database.exec('pragma cache_size = -32000; pragma mmap_size = 268435456; pragma foreign_keys = on')
  const log = writeAheadLog(file)
  const prepared = new Map<string, StatementSync>()
  const statementOf = (sql: string): StatementSync => {
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  const run = ({ sql, parameters }: Statement) => statementOf(sql).all(...(parameters as SQLInputValue[]))
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    database.exec(forgetNonces)
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
    times.push(performance.now() - start)
    database.exec('pragma wal_checkpoint(truncate)')
  }
  await log.close()
  database.close()
  return (units.length / median(times)) * 1000
}

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
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    await clients[0]?.query(forgetNonces)
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
    times.push(performance.now() - start)
  }
  await Promise.all(clients.map((client) => client.end()))
  return (units.length / median(times)) * 1000
}

let listener: Statement[] | undefined
const listen = (to: Statement[] | undefined) => (listener = to)
const dataFolder = process.argv[2] ?? '.'
const file = join(dataFolder, 'replay.db')
const url = testEngine === 'postgres' ? await migratedPostgresUrl() : ''
const app = await startTestApp({
  clockRuns: true,
  sqlite: { file },
  postgres: { url, onStatement: (sql, parameters) => void listener?.push({ sql, parameters }) },
})
const units =
  testEngine === 'postgres'
    ? await record(app, listen)
    : await beforeEachStatement(
        app.db,
        (_, { sql, parameters }) => void listener?.push({ sql, parameters }),
        () => record(app, listen),
      )
await app.stop()
const perSecond = await (testEngine === 'postgres' ? onPostgres(url, units) : onSqlite(file, units))
await app.close()
rmSync(file, { force: true })
const replayed: ReplayedSignIns = { perSecond, statements: units[0]?.length ?? 0 }
process.stdout.write(`${JSON.stringify(replayed)}\n`)
process.exit(0)
