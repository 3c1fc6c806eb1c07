import { AsyncLocalStorage } from 'node:async_hooks'

/** The caller of a report. A report belongs to an owner, and is useless once its caller has disconnected. */
export interface ReportCaller {
  owner: string
  /** Aborted when the caller disconnects before the reply; undefined if that cannot happen. */
  signal: AbortSignal | undefined
}

const callers = new AsyncLocalStorage<ReportCaller>()
const nobody: ReportCaller = { owner: '', signal: undefined }

/** The caller of the running call; background work has none. */
export const reportCaller = (): ReportCaller => callers.getStore() ?? nobody

export const asReportCaller = <T>(caller: ReportCaller, work: () => T): T => callers.run(caller, work)

/** The caller disconnected before the reply: finished work stays, the rest is not needed. */
export class RequestAborted extends Error {}

/** Throws between two batches, or before waiting, if the caller has disconnected. */
export function throwIfAborted(): void {
  if (reportCaller().signal?.aborted) throw new RequestAborted('The caller has left')
}

interface Waiting {
  start: () => void
}

/**
 * Schedules reports. Each owner runs one at a time and owners take turns, so that nobody waits for more than one report
 * of each other owner.
 */
export class ReportQueue {
  readonly #maxRunning: number
  /** By owner, in the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #running = new Set<string>()

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning
  }

  async run<T>({ owner, signal }: ReportCaller, work: () => Promise<T>): Promise<T> {
    await this.#turn(owner, signal)
    try {
      if (signal?.aborted) throw new RequestAborted('The caller has left')
      return await work()
    } finally {
      this.#running.delete(owner)
      this.#queueLast(owner)
      this.#startNext()
    }
  }

  #turn(owner: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new RequestAborted('The caller has left'))
      const leave = () => {
        this.#remove(owner, waiting)
        reject(new RequestAborted('The caller has left'))
      }
      const waiting: Waiting = {
        start: () => {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), waiting])
      this.#startNext()
    })
  }

  #remove(owner: string, gone: Waiting): void {
    const left = (this.#waiting.get(owner) ?? []).filter((each) => each !== gone)
    if (left.length > 0) this.#waiting.set(owner, left)
    else this.#waiting.delete(owner)
  }

  /** An owner who had a turn goes behind those who are waiting. */
  #queueLast(owner: string): void {
    const waiting = this.#waiting.get(owner)
    if (!waiting) return
    this.#waiting.delete(owner)
    this.#waiting.set(owner, waiting)
  }

  #startNext(): void {
    for (const [owner, [next, ...rest]] of this.#waiting) {
      if (this.#running.size >= this.#maxRunning) return
      if (!next || this.#running.has(owner)) continue
      this.#running.add(owner)
      this.#waiting.delete(owner)
      if (rest.length > 0) this.#waiting.set(owner, rest)
      next.start()
    }
  }
}

/** Longer than any report that somebody waits for. */
export const maxReportMs = 15_000

/** A report that took too long; the code is PostgreSQL's own for that case. */
export class ReportTooLong extends Error {
  readonly code = '57014'
}
