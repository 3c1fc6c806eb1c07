import { SignetError, UnverifiedError } from './errors.ts'
import { clockGap, sleepMs, type Wait } from './wait.ts'

const firstRetrySeconds = 2
const jitter = 0.1
/** Of `setTimeout`; no call takes as long. */
const longestTimerMs = 2 ** 31 - 1
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
    const { intervalSeconds } = this.#options
    let pause = withJitter(intervalSeconds)
    let retry = firstRetrySeconds
    for (;;) {
      await this.#pause(pause)
      if (this.signal.aborted) return
      try {
        await this.#beat()
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

  /** If the silence becomes too long meanwhile, that is reported at once. After a standstill, the answer decides. */
  async #beat(): Promise<void> {
    const left = this.#allowedSeconds - this.#silentSeconds
    const silence =
      left >= 0
        ? setTimeout(() => this.#noteSilence(), Math.min(Math.ceil(left * 1000) + 1, longestTimerMs))
        : undefined
    try {
      await this.#options.beat()
    } finally {
      clearTimeout(silence)
    }
  }

  /**
   * In two parts if the silence becomes too long meanwhile. The end of the computer's sleep ends both, and so does a
   * standstill of the program that lasted until the end of the second.
   */
  async #pause(seconds: number): Promise<void> {
    const { wait } = this.#options
    const allowed = this.#allowedSeconds - this.#silentSeconds
    if (this.#isInterrupted || allowed <= 0 || seconds <= allowed) return wait(seconds, this.signal)
    const before = clockGap()
    const end = nowSeconds() + seconds
    await wait(allowed, this.signal)
    if (clockGap() - before > sleepMs || nowSeconds() >= end) return
    this.#noteSilence()
    if (!this.signal.aborted) await wait(seconds - allowed, this.signal)
  }

  #noteSilence(): void {
    if (this.signal.aborted || this.#isInterrupted || !this.isOverdue) return
    this.#isInterrupted = true
    this.#options.interrupted(this.#lastError ?? new UnverifiedError('NETWORK', 'The server was not heard in time.'))
  }
}

/** Spread over ±10 %, so that programs started together don't ask together. */
const withJitter = (seconds: number): number => seconds * (1 + jitter * (2 * Math.random() - 1))
