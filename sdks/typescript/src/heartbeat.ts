import { SignetError, UnverifiedError } from './errors.ts'
import { clockGap, sleepMs, type Wait } from './wait.ts'

const firstRetrySeconds = 2
const jitter = 0.1
const nowSeconds = () => performance.now() / 1000

export interface HeartbeatOptions {
  /** Asks once; throws `SignetError`. */
  beat: () => Promise<void>
  /** Called once for each interruption, with its reason. */
  interrupted: (error: SignetError) => void
  /** Called when an interruption is over. */
  resumed: () => void
  intervalSeconds: number
  graceSeconds: number
  wait: Wait
}

/** Keeps asking until it is stopped, and never gives up: what can't be heard now is asked for again. */
export class Heartbeat {
  readonly #options: HeartbeatOptions
  readonly #stopped = new AbortController()
  readonly #allowedSeconds: number
  #heardAt = nowSeconds()
  #lastError: SignetError | undefined
  #isInterrupted = false

  constructor(options: HeartbeatOptions) {
    this.#options = options
    this.#allowedSeconds = options.intervalSeconds * (1 + jitter) + options.graceSeconds
  }

  /** Aborts when it is stopped. */
  get signal(): AbortSignal {
    return this.#stopped.signal
  }

  /** The first beat comes after one interval. */
  start(): void {
    void this.#run()
  }

  /** A beat under way is ignored. */
  stop(): void {
    this.#stopped.abort()
  }

  /** Whether the last verified success is older than interval and grace allow, even if nothing runs here any more. */
  get isOverdue(): boolean {
    return this.#silentSeconds > this.#allowedSeconds
  }

  /** A verified success, of a heartbeat or another call that says the same. */
  recordSuccess(): void {
    this.#heardAt = nowSeconds()
    this.#lastError = undefined
    if (!this.#isInterrupted) return
    this.#isInterrupted = false
    if (!this.signal.aborted) this.#options.resumed()
  }

  get #silentSeconds(): number {
    return nowSeconds() - this.#heardAt
  }

  async #run(): Promise<void> {
    const { beat, intervalSeconds } = this.#options
    let pause = withJitter(intervalSeconds)
    let retry = firstRetrySeconds
    for (;;) {
      await this.#pause(pause)
      if (this.signal.aborted) return
      try {
        await beat()
        pause = withJitter(intervalSeconds)
        retry = firstRetrySeconds
      } catch (error) {
        if (this.signal.aborted) return
        this.#lastError = error instanceof SignetError ? error : new UnverifiedError('NETWORK', String(error))
        pause = Math.max(withJitter(Math.min(retry, intervalSeconds)), this.#lastError.retryAfterSeconds ?? 0)
        retry = Math.min(retry * 2, intervalSeconds)
      }
      this.#noteSilence()
    }
  }

  /** In two parts if the silence becomes too long meanwhile. The end of the computer's sleep ends both. */
  async #pause(seconds: number): Promise<void> {
    const { wait } = this.#options
    const allowed = this.#allowedSeconds - this.#silentSeconds
    if (this.#isInterrupted || allowed <= 0 || seconds <= allowed) return wait(seconds, this.signal)
    const before = clockGap()
    await wait(allowed, this.signal)
    this.#noteSilence()
    if (!this.signal.aborted && clockGap() - before <= sleepMs) await wait(seconds - allowed, this.signal)
  }

  #noteSilence(): void {
    if (this.signal.aborted || this.#isInterrupted || !this.isOverdue) return
    this.#isInterrupted = true
    this.#options.interrupted(this.#lastError ?? new UnverifiedError('NETWORK', 'The server was not heard in time.'))
  }
}

/** Spread over ±10 %, so that programs started together don't ask together. */
const withJitter = (seconds: number): number => seconds * (1 + jitter * (2 * Math.random() - 1))
