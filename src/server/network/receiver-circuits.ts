/** Whether receivers answer, as far as this process knows: each is a host of one owner, because owners share hosts. */

/** A delivery waits in the outbox; a program or a person waits for a call. Neither takes the other's connections. */
export type OutgoingUse = 'delivery' | 'call'

interface Circuit {
  timeouts: number
  /** Epoch seconds. */
  retryAt: number
  isProbing: boolean
}

export interface Admission {
  /** Seconds; nothing is sent before. */
  wait?: number
  /** This request decides what becomes of the others. */
  isProbe: boolean
  /** It gets little time. */
  isBrief: boolean
}

interface Outcome {
  use: OutgoingUse
  isProbe: boolean
  failure?: string
  status?: number
}

const minPauseSeconds = 5
const maxPauseSeconds = 300
const maxReceivers = 10_000

const pauseAfter = (timeouts: number): number => Math.min(maxPauseSeconds, minPauseSeconds * 2 ** (timeouts - 1))

/**
 * A receiver that timed out gets one brief probe at a time until it answers again, after pauses that double. From the
 * longest pause on a probe has the full time: a receiver that is slow, and not dead, comes back.
 */
export class ReceiverCircuits {
  readonly #open = new Map<string, Circuit>()
  readonly #answered = new Set<string>()

  /** The last time. */
  hasAnswered(receiver: string): boolean {
    return this.#answered.has(receiver)
  }

  /** `now` in epoch seconds. */
  admit(receiver: string, now: number): Admission {
    const circuit = this.#open.get(receiver)
    if (!circuit) return { isProbe: false, isBrief: false }
    if (circuit.isProbing) return { wait: minPauseSeconds, isProbe: false, isBrief: true }
    if (now < circuit.retryAt) return { wait: circuit.retryAt - now, isProbe: false, isBrief: true }
    circuit.isProbing = true
    return { isProbe: true, isBrief: pauseAfter(circuit.timeouts) < maxPauseSeconds }
  }

  /** What came of a request that was admitted. */
  report(receiver: string, { use, isProbe, failure, status }: Outcome, now: number): void {
    const circuit = this.#open.get(receiver)
    if (failure !== 'timeout') {
      this.#open.delete(receiver)
      if (status === undefined) return
      this.#answered.add(receiver)
      dropOldest(this.#answered)
      return
    }
    this.#answered.delete(receiver)
    // What a program has to wait for may be slow where an event isn't.
    if (use === 'call') return
    if (!circuit) {
      this.#open.set(receiver, { timeouts: 1, retryAt: now + pauseAfter(1), isProbing: false })
      dropOldest(this.#open)
    } else if (isProbe) {
      const timeouts = circuit.timeouts + 1
      this.#open.set(receiver, { timeouts, retryAt: now + pauseAfter(timeouts), isProbing: false })
    }
  }
}

function dropOldest(all: { size: number; keys(): Iterable<string>; delete(key: string): unknown }): void {
  for (const key of all.keys()) {
    if (all.size <= maxReceivers) return
    all.delete(key)
  }
}
