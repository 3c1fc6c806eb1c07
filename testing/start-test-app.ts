import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '#database/database.ts'
import { openPostgres, type PostgresOptions } from '#database/postgres/open-postgres.ts'
import { openSqlite, type SqliteOptions } from '#database/sqlite/open-sqlite.ts'
import { undeclaredRejection } from '#server/http/call-routes.ts'
import type { Config } from '#server/config.ts'
import { newLog } from '#server/log.ts'
import { MasterKey } from '#server/master-key.ts'
import type { ResolveHost } from '#server/network/name-servers.ts'
import { Passwords } from '#server/auth/passwords.ts'
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
import { PostgresPlans } from './plans/postgres-plans.ts'
import { findScans, SqlitePlans, StatementRecorder } from './plans/statement-plans.ts'
import { behindRoundRobin } from './servers/two-processes.ts'

export type TestEngine = 'sqlite' | 'postgres'

export interface TestApp {
  services: Services
  db: Database
  httpServer: HttpServer
  url: string
  /** Whom the server asks for names; it knows none at first. */
  names: NameServer
  /** Lets time pass. */
  advance(seconds: number): void
  /** Sets the machine's clock wrong, without time passing. */
  jumpClock(seconds: number): void
  /** The server's time, epoch seconds. */
  now(): number
  timeSource: TimeSource
  /** Resolves when every job that is due has run. */
  jobsDone(): Promise<void>
  /** Somebody without a session. */
  visitor(): Visitor
  /** The server goes away; its data and its address stay. */
  stop(): Promise<void>
  /** It comes back, after an upgrade with another dashboard. */
  start(dashboardDir?: string): Promise<void>
  close(): Promise<void>
}

/** The engine this run tests: every data and API test body runs once for each. */
export const testEngine: TestEngine = process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite'

export interface TestAppOptions {
  dashboardDir?: string
  /** Settings that differ from those of a plain server without proxies. */
  config?: Partial<Config>
  /** Of the engine that is tested. */
  postgres?: Partial<PostgresOptions>
  sqlite?: Partial<SqliteOptions>
  /** Where the log goes; for tests that read it. */
  log?: Services['log']
  /** Time passes by itself; otherwise it stands still until a test advances it, so that none depends on its own pace. */
  clockRuns?: boolean
  masterKey?: MasterKey
  /** After how long without progress a download is cut. */
  stalledDownloadMs?: number
  /** Passwords cost what they cost in production, a hundred times as much as a test needs. */
  realPasswordCost?: boolean
  /** Where the hosts of webhooks lead; nowhere without it. */
  resolveHost?: ResolveHost
}

/** The least that argon2id allows. */
const cheapest = { memoryKiB: 8, passes: 1 }

/**
 * Each test app has two servers with a database handle of its own each, as two processes, behind a proxy: each request
 * goes to the next of the two, and what one process does with its connections and limits isn't to be seen.
 */
export const hasTwoProcesses = testEngine === 'postgres' && process.env['SIGNET_TEST_ROUND_ROBIN'] === '1'

/** Collects the log's lines that say something; the rest is noise of tests that make things fail. */
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
  const db = await openSqlite({
    file: join(dataDir, 'signet.db'),
    sources: features.flatMap((feature) => feature.searches ?? []),
    durable: false,
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

/** The real server on a real, empty database that vanishes with it. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'signet-test-'))
  const recorder = new StatementRecorder()
  const { db, postgres } = await openTestDatabase(options, dataDir, recorder)
  // No question of a test leaves this machine.
  const names = await NameServer.start()
  const clock = new TestClock({ runs: options.clockRuns ?? false })
  const config: Config = { ...testConfig(dataDir, names.address), ...options.config }
  const masterKey = options.masterKey ?? newMasterKey(config.masterKeyFile)
  const passwords = new Passwords(options.realPasswordCost ? undefined : cheapest)
  const undeclared: string[] = []
  const log = options.log ?? newLog(process.env['TEST_LOG'] ?? 'error', linesThat(undeclaredRejection, undeclared))
  const { stalledDownloadMs } = options
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
    ...(stalledDownloadMs && { stalledDownloadMs }),
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
