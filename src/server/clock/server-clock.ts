/** Source of time in milliseconds: the wall clock of the machine, and a monotonic clock. */
export interface TimeSource {
  wall: () => number
  monotonic: () => number
}

export const machineTime: TimeSource = { wall: Date.now, monotonic: () => performance.now() }

/** A smaller step of the clock is followed immediately: no deadline of the protocol is as short. */
const maxStepMs = 10_000
/** A clock that has jumped is accepted after running steadily for this long. */
const steadyMs = 600_000
/** After a downtime longer than this, the machine's clock is not trusted unconditionally. */
const maxDowntimeMs = 30 * 86_400_000

export interface ClockChange {
  kind: 'rejected' | 'accepted' | 'right again'
  /** How far the machine's clock is ahead of the server's, in seconds; negative when it is behind. */
  aheadSeconds: number
  /** The time of the machine's clock. */
  machineTime: string
}

interface RejectedJump {
  /** Epoch milliseconds at monotonic zero. */
  offset: number
  since: number
}

/**
 * The server's time: that of the machine, except that it rejects jumps. After a jump of the machine's clock, time
 * continues by the monotonic clock, so that a temporary error ends no session, accepts no nonce twice and creates no
 * signing key in the future.
 */
export class ServerClock {
  readonly #source: TimeSource
  readonly #onChange: (change: ClockChange) => void
  #offset: number
  #rejected: RejectedJump | undefined

  constructor(source: TimeSource, onChange: (change: ClockChange) => void = () => {}) {
    this.#source = source
    this.#onChange = onChange
    this.#offset = source.wall() - source.monotonic()
  }

  /** Continues from the last stored time (epoch milliseconds) if the machine's clock contradicts it. */
  resume(writtenAt: number): void {
    const ahead = this.#source.wall() - writtenAt
    if (ahead < -maxStepMs || ahead > maxDowntimeMs) this.#offset = writtenAt - this.#source.monotonic()
    this.now()
  }

  /** Epoch milliseconds. */
  now(): number {
    const passed = this.#source.monotonic()
    const offset = this.#source.wall() - passed
    if (Math.abs(offset - this.#offset) > maxStepMs) this.#reject(offset, passed)
    else this.#follow(offset)
    return Math.round(passed + this.#offset)
  }

  /** How far the machine's clock has jumped, in seconds; undefined while it is trusted. */
  get rejectedSeconds(): number | undefined {
    this.now()
    return this.#rejected && this.#ahead(this.#rejected.offset)
  }

  #follow(offset: number): void {
    this.#offset = offset
    if (!this.#rejected) return
    this.#rejected = undefined
    this.#report('right again', offset)
  }

  #reject(offset: number, passed: number): void {
    const known = this.#rejected
    if (!known || Math.abs(offset - known.offset) > maxStepMs) {
      this.#rejected = { offset, since: passed }
      this.#report('rejected', offset)
    } else if (passed - known.since >= steadyMs) {
      this.#report('accepted', offset)
      this.#offset = offset
      this.#rejected = undefined
    }
  }

  #report(kind: ClockChange['kind'], offset: number): void {
    const machineTime = new Date(offset + this.#source.monotonic())
    const text = Number.isNaN(machineTime.getTime()) ? 'no time at all' : machineTime.toISOString()
    this.#onChange({ kind, aheadSeconds: this.#ahead(offset), machineTime: text })
  }

  #ahead = (offset: number): number => Math.round((offset - this.#offset) / 1000)
}
