import type { TimeSource } from '#server/clock/server-clock.ts'

/** The time of a test: it stands still until the test advances it, or also runs by itself. */
export class TestClock implements TimeSource {
  readonly #started = Date.now()
  readonly #runs: boolean
  #passedSeconds = 0
  #jumpedSeconds = 0

  constructor({ runs }: { runs: boolean }) {
    this.#runs = runs
  }

  /** Lets time pass. */
  advance(seconds: number): void {
    this.#passedSeconds += seconds
  }

  /** Sets the machine's clock wrong, without time passing. */
  jump(seconds: number): void {
    this.#jumpedSeconds += seconds
  }

  monotonic = (): number => (this.#runs ? Date.now() - this.#started : 0) + this.#passedSeconds * 1000

  wall = (): number => this.#started + this.monotonic() + this.#jumpedSeconds * 1000
}
