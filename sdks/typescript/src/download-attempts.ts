import type { Deadline } from './deadline.ts'
import { NotTheFileError, RejectedError, UnverifiedError } from './errors.ts'

/** As docs/protocol.md says, for all clients. */
const maxAttempts = 5
/** The waits are 1, 2, 4, and 8 parts of the timeout. */
const partsOfTimeout = 15
const maxRetryAfterSeconds = 60

interface Patience {
  newDeadline: () => Deadline
  timeoutSeconds: number
}

/** The attempts of one download, which all of its steps share. */
export class Attempts {
  readonly #patience: Patience
  #failed = 0

  constructor(patience: Patience) {
    this.#patience = patience
  }

  /** @throws what an attempt threw that was the last one, or that no other attempt helps */
  async repeat<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        this.#failed += 1
        if (this.#failed === maxAttempts || !canHelp(error)) throw error
        await this.#wait(error)
      }
    }
  }

  async #wait(error: unknown): Promise<void> {
    const jitter = 0.9 + Math.random() * 0.2
    const seconds = (this.#patience.timeoutSeconds / partsOfTimeout) * 2 ** (this.#failed - 1) * jitter
    const deadline = this.#patience.newDeadline()
    deadline.pause()
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      const ms = Math.max(seconds, retryAfterOf(error) ?? 0) * 1000
      await deadline.race(new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))))
    } finally {
      clearTimeout(timer)
      deadline.end()
    }
  }
}

/** Whether the server can be out of reach, or restarting. */
function canHelp(error: unknown): boolean {
  if (error instanceof NotTheFileError) return false
  if (error instanceof UnverifiedError) return error.code === 'NETWORK' || error.code === 'UNSIGNED_RESPONSE'
  if (!(error instanceof RejectedError) || !error.isTemporary) return false
  return (error.retryAfterSeconds ?? 0) <= maxRetryAfterSeconds
}

const retryAfterOf = (error: unknown): number | undefined =>
  error instanceof RejectedError ? error.retryAfterSeconds : undefined
