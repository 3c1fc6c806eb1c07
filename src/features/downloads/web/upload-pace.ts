/** Progress of an upload, for display. */
export interface Pace {
  sentBytes: number
  /** Undefined until it can be told. */
  bytesPerSecond: number | undefined
  /** Undefined while nothing is sent. */
  secondsLeft: number | undefined
}

/** Only recent bytes count, so that a connection that became slower or stopped shows soon. */
const windowMs = 5000
/** Before that, the first bytes fill buffers, and the speed would be wrong by far. */
const leastMs = 1000

/** Measures the speed of an upload of `totalBytes`. Times are milliseconds of any clock that only moves forward. */
export class PaceMeter {
  readonly #totalBytes: number
  #samples: { at: number; bytes: number }[]

  constructor(totalBytes: number, startedAt: number) {
    this.#totalBytes = totalBytes
    this.#samples = [{ at: startedAt, bytes: 0 }]
  }

  add(bytes: number, at: number): void {
    this.#samples.push({ at, bytes })
  }

  paceAt(now: number): Pace {
    // The last sample before the window stays: it is where the window began.
    const isOld = ({ at }: { at: number }) => at <= now - windowMs
    while (this.#samples[1] && isOld(this.#samples[1])) this.#samples.shift()
    const [first = { at: now, bytes: 0 }] = this.#samples
    const sentBytes = this.#samples.at(-1)?.bytes ?? 0
    const elapsedMs = Math.min(windowMs, now - first.at)
    if (elapsedMs < leastMs) return { sentBytes, bytesPerSecond: undefined, secondsLeft: undefined }
    const bytesPerSecond = ((sentBytes - first.bytes) / elapsedMs) * 1000
    const secondsLeft = bytesPerSecond > 0 ? Math.ceil((this.#totalBytes - sentBytes) / bytesPerSecond) : undefined
    return { sentBytes, bytesPerSecond, secondsLeft }
  }
}
