import { hasPassed } from '../clock/has-passed.ts'

/** Circuit breakers for receivers, per process. A receiver is one host of one owner, because owners may share hosts. */

/**
 * A delivery waits in the outbox, a call has a program or person waiting for it. Neither uses up the connections of the
 * other.
 */
export type OutgoingUse = 'delivery' | 'call'

interface Circuit {
  timeouts: number
  /** Time of the last timeout, epoch seconds. */
  since: number
  isProbing: boolean
}

export interface Admission {
  /** Seconds during which nothing is sent. */
  wait?: number
  /** The result of this request decides about the following ones. */
  isProbe: boolean
  /** The request gets a short timeout. */
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
 * A receiver that timed out gets one short probe at a time, with doubling pauses, until it answers again. After the
 * longest pause, a probe gets the full timeout, so that a slow but working receiver can recover.
 */
export class ReceiverCircuits {
  readonly #open = new Map<string, Circuit>()
  readonly #answered = new Set<string>()

  /** Time of the last attempt. */
  hasAnswered(receiver: string): boolean {
    return this.#answered.has(receiver)
  }

  /** `now` in epoch seconds. */
  admit(receiver: string, now: number): Admission {
    const circuit = this.#open.get(receiver)
    if (!circuit) return { isProbe: false, isBrief: false }
    if (circuit.isProbing) return { wait: minPauseSeconds, isProbe: false, isBrief: true }
    const pause = pauseAfter(circuit.timeouts)
    if (!hasPassed(pause, circuit.since, now))
      return { wait: circuit.since + pause - now, isProbe: false, isBrief: true }
    circuit.isProbing = true
    return { isProbe: true, isBrief: pause < maxPauseSeconds }
  }

  /** Reports the result of an admitted request. */
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
    // A timed-out call says nothing about deliveries: it may be slow where an event is not.
    if (use === 'call') return
    if (!circuit) {
      this.#open.set(receiver, { timeouts: 1, since: now, isProbing: false })
      dropOldest(this.#open)
    } else if (isProbe) {
      this.#open.set(receiver, { timeouts: circuit.timeouts + 1, since: now, isProbing: false })
    }
  }
}

function dropOldest(all: { size: number; keys(): Iterable<string>; delete(key: string): unknown }): void {
  for (const key of all.keys()) {
    if (all.size <= maxReceivers) return
    all.delete(key)
  }
}
