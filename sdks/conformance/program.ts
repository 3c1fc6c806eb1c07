import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Answer, Fields, ProgramEvent } from './contract.ts'

/** Longest wait for an answer or an event, however slow the machine is. */
export const patienceMs = 30_000
const keptStderr = 4000

/** The program did not keep to the contract: it ended, fell silent, or printed something else. */
export class ProgramError extends Error {
  override name = 'ProgramError'
}

interface Pending {
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
}

/** A client's program: one JSON object per line on its standard input and output. */
export class Program {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>
  readonly #pending = new Map<number, Pending>()
  #nextId = 1
  #stderr = ''
  #ended: ProgramError | undefined
  /** All events since the last `forgetEvents`. */
  events: ProgramEvent[] = []
  /** Lines that are neither an answer nor an event. */
  readonly noise: string[] = []

  constructor(command: string, args: readonly string[]) {
    // A group of its own, so that signals reach the program behind a wrapper such as `dotnet run`.
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    this.#child.stdin.on('error', () => {})
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-keptStderr)
    })
    let rest = ''
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#hear(line)
    })
    this.#child.on('error', (error) => this.#end(`can not be started: ${error.message}`))
    this.#child.on('close', (code, signal) => this.#end(`ended with ${signal ?? `exit code ${code}`}`))
  }

  /** For measuring its processor time; 0 if it was not started. */
  get pid(): number {
    return this.#child.pid ?? 0
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined
  }

  get stderr(): string {
    return this.#stderr
  }

  /** The number of requests without an answer. */
  get unanswered(): number {
    return this.#pending.size
  }

  forgetEvents(): void {
    this.events = []
  }

  /** @throws {ProgramError} if there is no answer */
  ask(name: string, fields: Fields = {}, waitMs = patienceMs): Promise<Answer> {
    if (this.#ended) return Promise.reject(this.#ended)
    const id = this.#nextId++
    return new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id)
        reject(new ProgramError(`no answer to ${name} within ${waitMs / 1000} s`))
      }, waitMs)
      const settle =
        <T>(then: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer)
          then(value)
        }
      this.#pending.set(id, { resolve: settle(resolve), reject: settle(reject) })
      this.#child.stdin.write(`${lineOf({ id, do: name, ...fields })}\n`)
    })
  }

  /** Sends a signal to the program and the processes that it started. */
  signal(name: NodeJS.Signals): void {
    const { pid } = this.#child
    if (pid === undefined || this.#ended) return
    try {
      process.kill(-pid, name)
    } catch {
      this.#child.kill(name)
    }
  }

  /** Ends its input, and kills it if it doesn't end by itself. Whether it did. */
  async end(waitMs = 5000): Promise<boolean> {
    if (this.#ended) return true
    const closed = new Promise<boolean>((resolve) => this.#child.once('close', () => resolve(true)))
    this.#child.stdin.end()
    const timer = setTimeout(() => this.signal('SIGKILL'), waitMs)
    const killed = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), waitMs + 2000).unref())
    const byItself = await Promise.race([closed, killed])
    clearTimeout(timer)
    return byItself
  }

  #hear(line: string): void {
    const said = parsed(line)
    if (said && typeof said['event'] === 'string') {
      this.events.push(said as unknown as ProgramEvent)
      return
    }
    const pending = said && this.#pending.get(Number(said['id']))
    if (!pending || typeof said['ok'] !== 'boolean') {
      // The answer to a request that nobody waits for any more is no mistake.
      if (!said || typeof said['ok'] !== 'boolean') this.noise.push(line.slice(0, 200))
      return
    }
    this.#pending.delete(Number(said['id']))
    const answer = said as unknown as Answer
    pending.resolve(answer.ok ? { ...answer, result: answer.result ?? {} } : answer)
  }

  #end(how: string): void {
    if (this.#ended) return
    const last = this.#stderr.trim().split('\n').at(-1)
    this.#ended = new ProgramError(`the program ${how}${last ? `: ${last}` : ''}`)
    for (const { reject } of this.#pending.values()) reject(this.#ended)
    this.#pending.clear()
  }
}

/** Escapes the line ends of Unicode, at which some readers of lines break. */
const lineOf = (request: Fields): string =>
  JSON.stringify(request).replaceAll(/[\u0085\u2028\u2029]/g, (end) => {
    return `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`
  })

function parsed(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}
