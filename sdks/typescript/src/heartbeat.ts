import { isFinalRefusal, RefusedError, SignetError } from './errors.ts'
import type { Wait } from './exchange.ts'

const firstRetrySeconds = 2
const jitter = 0.1
const nowSeconds = () => performance.now() / 1000

export interface HeartbeatOptions {
  /** Asks once; throws `SignetError`. */
  beat: (heartbeat: Heartbeat) => Promise<void>
  /** Called once, with the error that ended it; never after `stop`. */
  lose: (heartbeat: Heartbeat, error: SignetError) => void
  intervalSeconds: number
  graceSeconds: number
  wait: Wait
}

/** Keeps asking until the server refuses for good or nothing is heard for too long. */
export class Heartbeat {
  readonly #options: HeartbeatOptions
  readonly #stopped = new AbortController()
  #lastSuccess = nowSeconds()

  constructor(options: HeartbeatOptions) {
    this.#options = options
  }

  /** The first beat comes after one interval. */
  start(): void {
    void this.#run()
  }

  /** A beat under way is ignored. */
  stop(): void {
    this.#stopped.abort()
  }

  /** Whether the last good answer is older than interval and grace allow, even if nothing runs here any more. */
  get isOverdue(): boolean {
    const { intervalSeconds, graceSeconds } = this.#options
    return nowSeconds() - this.#lastSuccess > intervalSeconds * (1 + jitter) + graceSeconds
  }

  recordSuccess(): void {
    this.#lastSuccess = nowSeconds()
  }

  async #run(): Promise<void> {
    const { beat, lose, intervalSeconds, graceSeconds, wait } = this.#options
    const { signal } = this.#stopped
    let delay = withJitter(intervalSeconds)
    let retry = firstRetrySeconds
    let silentSince: number | undefined
    for (;;) {
      await wait(delay, signal)
      if (signal.aborted) return
      try {
        await beat(this)
        silentSince = undefined
        retry = firstRetrySeconds
        delay = withJitter(intervalSeconds)
      } catch (error) {
        const failure = error instanceof SignetError ? error : new SignetError('NETWORK', String(error))
        silentSince ??= nowSeconds()
        const left = graceSeconds - (nowSeconds() - silentSince)
        if (isFinalRefusal(failure) || left <= 0) {
          if (!signal.aborted) lose(this, failure)
          return
        }
        const asked = failure instanceof RefusedError ? (failure.retryAfterSeconds ?? 0) : 0
        delay = Math.min(Math.max(withJitter(Math.min(retry, intervalSeconds)), asked), left)
        retry *= 2
      }
    }
  }
}

/** Spread over ±10 %, so that programs started together do not beat together. */
const withJitter = (seconds: number): number => seconds * (1 + jitter * (2 * Math.random() - 1))
