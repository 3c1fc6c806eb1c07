import { execFile } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

/** A standby that follows a PostgreSQL server and can take over. */
export interface PostgresStandby {
  url: string
  /** Resolves when it accepts writes. */
  promote(): Promise<void>
  /** Kills it with all its processes, like a crash. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface StandbyOptions {
  /** Flushes to disk, like a server with real data. */
  durable?: boolean
  /** A free one by default. */
  port?: number
}

/**
 * Creates a local standby of the server at `url` and waits until it follows. From then on, the server only acknowledges
 * what the standby also has; the promoted standby itself waits for no other.
 */
export async function startStandby(
  url: string,
  { durable = false, ...options }: StandbyOptions = {},
): Promise<PostgresStandby> {
  const primary = new pg.Client({ connectionString: url })
  await primary.connect()
  const home = mkdtempSync(join(tmpdir(), 'signet-standby-'))
  chmodSync(home, 0o755)
  const folder = join(home, 'data')
  const port = options.port ?? (await freePort())
  try {
    const source = await textOf(primary, 'show data_directory')
    const { uid, gid } = statSync(source)
    const programs = await textOf(primary, `select setting from pg_config where name = 'BINDIR'`)
    const control = (...args: string[]) =>
      run(join(programs, 'pg_ctl'), ['-D', folder, '-s', '-w', ...args], { uid, gid, cwd: '/' })
    const writeOwn = (name: string, text: string) => {
      writeFileSync(join(folder, name), text, { mode: 0o600 })
      chownSync(join(folder, name), uid, gid)
    }
    await primary.query(`select pg_backup_start('standby', true)`)
    // Files deleted meanwhile are in the log that the standby replays.
    await run('cp', ['-a', source, folder]).catch(() => {})
    writeOwn('backup_label', await textOf(primary, 'select labelfile from pg_backup_stop(false)'))
    writeOwn('standby.signal', '')
    for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(folder, name), { force: true })
    const { hostname, port: primaryPort, username, password } = new URL(url)
    appendFileSync(
      join(folder, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=${hostname} port=${primaryPort} user=${username} password=${password}'\n` +
        `synchronous_standby_names = ''\n`,
    )
    const settings = ['listen_addresses=127.0.0.1', 'max_connections=300', ...(durable ? [] : ['fsync=off'])]
    const flags = ['-p', String(port), ...settings.flatMap((setting) => ['-c', setting])].join(' ')
    await control('-l', join(folder, 'log'), '-o', flags, 'start')
    await waitForStandby(primary)
    const through = new URL(url)
    through.port = String(port)
    const remove = () => rmSync(home, { recursive: true, force: true })
    return {
      url: through.toString(),
      promote: async () => void (await control('promote')),
      kill: async () => void (await control('-m', 'immediate', 'stop')),
      async stop() {
        await control('-m', 'immediate', 'stop').catch(() => {})
        remove()
      },
    }
  } catch (error) {
    rmSync(home, { recursive: true, force: true })
    throw error
  } finally {
    await primary.end()
  }
}

/** Waits until the standby follows and the primary waits for it. */
async function waitForStandby(primary: pg.Client): Promise<void> {
  const until = async (condition: string) => {
    const text = `select count(*)::text from pg_stat_replication where ${condition}`
    while ((await textOf(primary, text)) === '0') await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await until(`state = 'streaming'`)
  await primary.query(`alter system set synchronous_standby_names = '*'`)
  await primary.query(`alter system set synchronous_commit = 'remote_apply'`)
  await primary.query('select pg_reload_conf()')
  await until(`sync_state in ('sync', 'quorum')`)
}

async function textOf(client: pg.Client, text: string): Promise<string> {
  const { rows } = await client.query<string[]>({ text, rowMode: 'array' })
  return rows[0]?.[0] ?? ''
}
