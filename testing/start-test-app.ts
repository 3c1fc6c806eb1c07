import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#database/database.ts'
import { openPostgres, type PostgresOptions } from '#database/postgres/open-postgres.ts'
import { openSqlite, type SqliteOptions } from '#database/sqlite/open-sqlite.ts'
import { undeclaredRejection } from '#server/http/call-routes.ts'
import type { Config } from '#server/config/config.ts'
import { newLog } from '#server/log/log.ts'
import { MasterKey } from '#server/secrets/master-key.ts'
import type { ResolveHost } from '#server/network/name-servers.ts'
import { Passwords } from '#server/passwords/passwords.ts'
import type { TimeSource } from '#server/clock/server-clock.ts'
import type { Services } from '#server/services.ts'
import { startServer } from '#server/start-server.ts'
import { features } from '#features.ts'
import { removeErasedAccounts } from '#features/profile/profile.actions.ts'
import { settleWith } from './database-digest.ts'
import { TestClock } from './test-clock.ts'
import { testConfig } from './test-config.ts'
import { NameServer } from './servers/name-server.ts'
import { Visitor } from './people/visitor.ts'
import { freshPostgresUrl, migratedPostgresUrl } from './servers/postgres.ts'
import { copyMigratedSqlite } from './servers/sqlite.ts'
import { PostgresPlans } from './plans/postgres-plans.ts'
import { findScans, SqlitePlans, StatementRecorder } from './plans/statement-plans.ts'
import { behindRoundRobin } from './servers/two-processes.ts'

export type TestEngine = 'sqlite' | 'postgres'

export interface TestApp {
  services: Services
  db: Database
  httpServer: HttpServer
  url: string
  /** The name server used by the server; it has no records at first. */
  names: NameServer
  /** Advances the time. */
  advance(seconds: number): void
  /** Changes the system clock without time passing. */
  jumpClock(seconds: number): void
  /** The server's time in epoch seconds. */
  now(): number
  timeSource: TimeSource
  /** Resolves when all due jobs have run. */
  jobsDone(): Promise<void>
  /** A client without a session. */
  visitor(): Visitor
  /** Stops the server; its data and address are kept. */
  stop(): Promise<void>
  /** Starts the server again, optionally with another dashboard, as after an upgrade. */
  start(dashboardDir?: string): Promise<void>
  close(): Promise<void>
}

/** The engine of this run: all data and API tests run once for each engine. */
export const testEngine: TestEngine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite'

export interface TestAppOptions {
  dashboardDir?: string
  /** Settings that differ from those of a plain server without proxies. */
  config?: Partial<Config>
  /** Only for PostgreSQL. */
  postgres?: Partial<PostgresOptions>
  sqlite?: Partial<SqliteOptions>
  /** The log, for tests that read it. */
  log?: Services['log']
  /** The clock runs; by default, it only advances when the test does so, so that no test depends on its speed. */
  clockRuns?: boolean
  masterKey?: MasterKey
  /** Timeout of a download without progress. */
  stalledTransferMs?: number
  /** Hashes passwords at the production cost, which is a hundred times what tests need. */
  realPasswordCost?: boolean
  /** Resolves the hosts of webhooks; by default, to nothing. */
  resolveHost?: ResolveHost
}

/** The minimum argon2id allows. */
const cheapest = { memoryKiB: 8, passes: 1 }

/**
 * Each test app has two servers, each with its own database handle like two processes, behind a proxy that forwards
 * each request to the next one. The connections and limits of one process cannot be observed.
 */
export const hasTwoProcesses = testEngine === 'postgres' && process.env['SIGNET_TEST_ROUND_ROBIN'] === '1'

/** Collects the log lines that contain `text`; the others are noise of tests that cause errors. */
const linesThat = (text: string, found: string[]) => ({
  write(line: string) {
    if (line.includes(text)) found.push(line)
    if (process.env['TEST_LOG']) process.stderr.write(line)
  },
})

async function openTestDatabase(options: TestAppOptions, dataDir: string, recorder: StatementRecorder) {
  const postgres = {
    url: testEngine === 'postgres' ? await migratedPostgresUrl() : '',
    connections: { calls: 12 },
    onStatement: recorder.record,
    ...options.postgres,
  }
  if (testEngine === 'postgres') return { db: await openPostgres(postgres), postgres }
  const file = join(dataDir, 'signet.db')
  copyMigratedSqlite(file)
  const db = await openSqlite({
    file,
    sources: features.flatMap((feature) => feature.searches ?? []),
    durable: false,
    reportWorkerFile: process.env['TEST_REPORT_WORKER'],
    onStatement: recorder.record,
    ...options.sqlite,
  })
  return { db, postgres }
}

function newMasterKey(file: string): MasterKey {
  const bytes = randomBytes(32)
  writeFileSync(file, bytes.toString('base64url'), { mode: 0o600 })
  return new MasterKey(bytes)
}

/** The real server on a real, empty database that is deleted with it. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signet-test-'))
  const recorder = new StatementRecorder()
  const { db, postgres } = await openTestDatabase(options, dataDir, recorder)
  // No DNS query of a test leaves this machine.
  const names = await NameServer.start()
  const clock = new TestClock({ runs: options.clockRuns ?? false })
  const config: Config = { ...testConfig(dataDir, names.address), ...options.config }
  const masterKey = options.masterKey ?? newMasterKey(config.masterKeyFile)
  const passwords = new Passwords(options.realPasswordCost ? undefined : cheapest)
  const undeclared: string[] = []
  const log = options.log ?? newLog(process.env['TEST_LOG'] ?? 'error', linesThat(undeclaredRejection, undeclared))
  const { stalledTransferMs } = options
  // No request of a test leaves this machine.
  const resolveHost = options.resolveHost ?? (async () => [])
  const given = {
    config,
    db,
    masterKey,
    log,
    timeSource: clock,
    passwords,
    resolveHost,
    ...(stalledTransferMs && { stalledTransferMs }),
  }
  const run = async (port: number, dashboardDir = options.dashboardDir) => {
    const started = await startServer(given, features, dashboardDir)
    await started.server.listen({ port, host: '127.0.0.1' })
    return started
  }
  let running = await run(0)
  const { port } = running.server.server.address() as { port: number }
  const url = `${config.tls ? 'https' : 'http'}://127.0.0.1:${port}`
  settleWith(db, async () => {
    await running.jobs.idle()
    await removeErasedAccounts(running.services)
  })
  const app: TestApp = {
    get services() {
      return running.services
    },
    db,
    get httpServer() {
      return running.server.server
    },
    url,
    names,
    timeSource: clock,
    advance: (seconds) => clock.advance(seconds),
    jumpClock: (seconds) => clock.jump(seconds),
    now: () => Math.floor(running.services.clock() / 1000),
    jobsDone: () => running.jobs.idle(),
    visitor: () => new Visitor(url),
    stop: () => running.stop(),
    async start(dashboardDir) {
      running = await run(port, dashboardDir)
    },
    async close() {
      await running.stop()
      await db.close()
      await names.close()
      rmSync(dataDir, { recursive: true, force: true })
      const scans = await findScans(recorder, async () =>
        testEngine === 'sqlite' ? new SqlitePlans() : PostgresPlans.open(await freshPostgresUrl()),
      )
      if (undeclared.length + scans.length > 0) throw new Error([...undeclared, ...scans].join('\n'))
    },
  }
  if (!hasTwoProcesses) return app
  return behindRoundRobin(app, { given, postgres, dashboardDir: options.dashboardDir })
}
