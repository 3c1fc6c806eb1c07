import type { TimeSource } from '#server/clock/server-clock.ts'

/** The clock of a test: it only advances when the test does so, or also runs. */
export class TestClock implements TimeSource {
  readonly #started = Date.now()
  readonly #runs: boolean
  #passedSeconds = 0
  #jumpedSeconds = 0

  constructor({ runs }: { runs: boolean }) {
    this.#runs = runs
  }

  /** Advances the time. */
  advance(seconds: number): void {
    this.#passedSeconds += seconds
  }

  /** Changes the system clock without time passing. */
  jump(seconds: number): void {
    this.#jumpedSeconds += seconds
  }

  monotonic = (): number => (this.#runs ? Date.now() - this.#started : 0) + this.#passedSeconds * 1000

  wall = (): number => this.#started + this.monotonic() + this.#jumpedSeconds * 1000
}
