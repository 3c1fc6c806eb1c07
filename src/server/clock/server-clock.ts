/** Where time comes from, in milliseconds: what the machine's clock says, and how much has passed since some moment. */
export interface TimeSource {
  wall: () => number
  monotonic: () => number
}

export const machineTime: TimeSource = { wall: Date.now, monotonic: () => performance.now() }

/** A clock that is set by less than this is followed at once: no deadline of the protocol is as short. */
const maxStepMs = 10_000
/** A clock that has jumped is believed when it has gone on steadily for this long. */
const steadyMs = 600_000
/** A server that starts again after longer than this doesn't take the machine's word for it. */
const maxDowntimeMs = 30 * 86_400_000

export interface ClockChange {
  kind: 'rejected' | 'accepted' | 'right again'
  /** How far the machine's clock is ahead of the server's; negative when it is behind. Seconds. */
  aheadSeconds: number
  /** What the machine's clock says. */
  machineTime: string
}

interface RejectedJump {
  /** Epoch milliseconds at monotonic zero. */
  offset: number
  since: number
}

/**
 * The server's time: the machine's, except that it refuses to jump. While the machine's clock has jumped, time goes
 * on from before by the monotonic clock, so that a passing error ends no session, takes no nonce twice and makes no
 * signing key from the future.
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

  /** Goes on from the last time that was written down (epoch ms), when the machine's clock disagrees with it. */
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

  /** How far the machine's clock has jumped, in seconds; undefined while it is believed. */
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
