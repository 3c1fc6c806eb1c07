import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve as absolute } from 'node:path'
import { freePort } from '#testing/servers/free-port.ts'
import { cpuMs } from './processor-time.ts'
import type { Scratch } from './scratch.ts'

const root = dirname(import.meta.dirname)
const maxStartMs = 20_000

/** The arguments `npm start` passes to Node. */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
const startCommand = scripts.start.split(' ').slice(1)

/** A server in a separate process, started like in production. */
export class ServerProcess {
  readonly port: number
  readonly url: string
  /** Time from the start of the process to the first 200 of `/readyz`, in milliseconds. */
  readyMs = 0
  readonly #child: ChildProcess
  #output = ''

  private constructor(child: ChildProcess, port: number, isTls: boolean) {
    this.#child = child
    this.port = port
    this.url = `${isTls ? 'https' : 'http'}://127.0.0.1:${port}`
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.#output = (this.#output + chunk.toString()).slice(-4000)))
    }
  }

  static async start(
    scratch: Scratch,
    { environment, script, isTls = false }: { environment: Record<string, string>; script?: string; isTls?: boolean },
  ): Promise<ServerProcess> {
    const port = await freePort()
    const profile = process.env['BENCH_NODE_FLAGS']?.split(' ') ?? []
    const settings = { ...environment, HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: '', LOG_LEVEL: 'warn' }
    const start = performance.now()
    const command = (script ? [script] : startCommand).map((part) =>
      part.startsWith('-') ? part : absolute(root, part),
    )
    const child = scratch.node([...profile, ...command], settings)
    const server = new ServerProcess(child, port, isTls)
    await server.#answers(start + maxStartMs)
    server.readyMs = performance.now() - start
    return server
  }

  /** Resident memory in MB, and the part without mapped files, which the system can drop at any time. */
  memory(): { residentMb: number; anonymousMb: number } {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')
    const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? Number.NaN) / 1024
    return { residentMb: of('VmRSS'), anonymousMb: of('RssAnon') }
  }

  /** Number of open files and sockets. */
  handles(): number {
    return readdirSync(`/proc/${this.#child.pid}/fd`).length
  }

  /** CPU time of all threads so far, in milliseconds. */
  cpuMs(): number {
    return cpuMs(this.#child.pid ?? 0)
  }

  get output(): string {
    return this.#output
  }

  /** Ends it with `SIGTERM`, like an operator, or `SIGKILL`, like a crash. */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return
    await new Promise((resolve) => {
      child.once('exit', resolve)
      child.kill(signal)
    })
  }

  async #answers(until: number): Promise<void> {
    while (performance.now() < until) {
      if (this.#child.exitCode !== null) break
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined)
      if (answer?.status === 200) return void (await answer.arrayBuffer())
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    throw new Error(`The server did not start:\n${this.#output}`)
  }
}
