import { SignetError, TimeIsUpError } from './errors.ts'

/** Ends what a call does: when its time is up, when the program aborts it, or when the client is closed. */
export class Deadline {
  readonly #seconds: number
  readonly #controller = new AbortController()
  readonly #ends: (() => void)[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(seconds: number, signals: readonly (AbortSignal | undefined)[] = []) {
    this.#seconds = seconds
    this.restart()
    for (const signal of signals) if (signal) this.#follow(signal)
  }

  /** Its reason is what the call must throw. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** For files, whose time is up only after silence. */
  restart(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#controller.abort(new TimeIsUpError(this.#seconds)), this.#seconds * 1000)
  }

  /** Nothing is waited for that could be silent. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  /** The call is over. */
  end(): void {
    clearTimeout(this.#timer)
    for (const end of this.#ends) end()
  }

  /** Waits no longer than the deadline, also for what doesn't know its signal. */
  race<T>(work: Promise<T>): Promise<T> {
    const { signal } = this
    return new Promise<T>((resolve, reject) => {
      const abort = () => reject(signal.reason as Error)
      if (signal.aborted) abort()
      signal.addEventListener('abort', abort, { once: true })
      void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
    })
  }

  #follow(signal: AbortSignal): void {
    const abort = () => this.#controller.abort(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    this.#ends.push(() => signal.removeEventListener('abort', abort))
  }
}

export const cancelled = () => new SignetError('CANCELLED', 'The client was closed.')

/** One call after the other: the answer to one decides what the next may do. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  async take<T>(deadline: Deadline, act: () => Promise<T>): Promise<T> {
    const before = this.#last
    let end: () => void = () => undefined
    this.#last = new Promise<void>((resolve) => (end = resolve))
    try {
      await deadline.race(before)
      return await act()
    } finally {
      void before.then(end)
    }
  }
}
