import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from './free-port.ts'

/** Path of the program; undefined if it is not installed. */
export const pgbouncerProgram: string | undefined = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  .map((folder) => join(folder, 'pgbouncer'))
  .find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** PgBouncer does not run as root. */
const nobody = 65_534

/** A real PgBouncer in front of the database at `url`. */
export class PgBouncer {
  readonly url: string
  readonly #child: ChildProcess
  readonly #home: string

  private constructor(child: ChildProcess, { home, url }: { home: string; url: string }) {
    this.#child = child
    this.#home = home
    this.url = url
  }

  static async start(url: string, mode: 'session' | 'transaction' | 'statement'): Promise<PgBouncer> {
    if (pgbouncerProgram === undefined) throw new Error('PgBouncer is not installed')
    const home = mkdtempSync(join(tmpdir(), 'signet-pgbouncer-'))
    chmodSync(home, 0o755)
    const { hostname, port: serverPort, username, password } = new URL(url)
    const port = await freePort()
    const file = join(home, 'pgbouncer.ini')
    writeFileSync(
      file,
      `[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 40
`,
    )
    const isRoot = process.getuid?.() === 0
    const child = spawn(pgbouncerProgram, [file], {
      stdio: 'ignore',
      cwd: '/',
      ...(isRoot && { uid: nobody, gid: nobody }),
    })
    while (child.exitCode === null && !(await accepts(port))) await new Promise((resolve) => setTimeout(resolve, 20))
    const through = new URL(url)
    through.port = String(port)
    return new PgBouncer(child, { home, url: through.toString() })
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null) {
      const ended = once(this.#child, 'exit')
      this.#child.kill('SIGKILL')
      await ended
    }
    rmSync(this.#home, { recursive: true, force: true })
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect({ host: '127.0.0.1', port })
    probe.once('connect', () => (probe.destroy(), resolve(true)))
    probe.once('error', () => resolve(false))
  })
