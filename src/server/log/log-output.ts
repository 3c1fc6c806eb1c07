import { write, writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const longestBytes = 16_000_000
const retryMs = 50
const longestFlushMs = 1000

/**
 * Writes lines to a file descriptor beside the event loop, in order. What can't be written, because its disk is full or
 * nobody reads the pipe anymore, is lost: a server works without its log. pino's own output blocks the process forever
 * then, or ends it.
 */
export class LogOutput {
  readonly #fd: number
  readonly #onProblem: (problem: string) => void
  #waiting: string[] = []
  #waitingBytes = 0
  #isWriting = false
  #isEnding = false
  #onIdle: (() => void)[] = []
  /** Since the last line that was written. */
  #lost = 0

  /** `onProblem` is called once until lines can be written again. */
  constructor(fd: number, onProblem: (problem: string) => void) {
    this.#fd = fd
    this.#onProblem = onProblem
  }

  write(line: string): void {
    if (this.#waitingBytes > longestBytes) return this.#lose(1, 'nobody reads it')
    this.#waiting.push(line)
    this.#waitingBytes += line.length
    if (this.#isEnding) this.end()
    else if (!this.#isWriting) this.#next()
  }

  /** Calls back once every line is written, or after a second. */
  flush(done: () => void): void {
    const idle = this.#isWriting ? new Promise<void>((resolve) => this.#onIdle.push(resolve)) : undefined
    void Promise.race([idle, pause(longestFlushMs)]).then(done)
  }

  /**
   * For the end of the process: writes what is waiting, and later lines, at once, but doesn't wait for a slow reader.
   * Without `flush` before it, a line that is just being written may come after them.
   */
  end(): void {
    this.#isEnding = true
    const { text } = this.#take()
    try {
      for (let rest = Buffer.from(text); rest.length > 0;) rest = rest.subarray(writeSync(this.#fd, rest))
    } catch {}
  }

  #take(): { text: string; lines: number } {
    const taken = { text: this.#waiting.join(''), lines: this.#waiting.length }
    this.#waiting = []
    this.#waitingBytes = 0
    return taken
  }

  #next(): void {
    const { text, lines } = this.#take()
    this.#isWriting = lines > 0
    if (this.#isWriting) this.#write(Buffer.from(text), lines)
    else for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  #write(bytes: Buffer, lines: number): void {
    write(this.#fd, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#write(bytes, lines), retryMs)
        return
      }
      if (error) this.#lose(lines, error.message)
      else if (written < bytes.length) return this.#write(bytes.subarray(written), lines)
      else this.#reportLost()
      this.#next()
    })
  }

  #lose(lines: number, problem: string): void {
    if (this.#lost === 0) this.#onProblem(`The log can't be written (${problem}): its lines are lost until it can`)
    this.#lost += lines
  }

  #reportLost(): void {
    if (this.#lost === 0) return
    const line = { level: 40, time: new Date().toISOString(), msg: `lines of the log were lost: ${this.#lost}` }
    this.#lost = 0
    this.#waiting.unshift(`${JSON.stringify(line)}\n`)
  }
}
