/**
 * Gives a resource to a few works at a time. Subjects take turns: each waits for at most one work of each other subject,
 * however many works another has queued.
 */
export class Turns {
  #free: number
  /** By subject, in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>()

  constructor(places: number) {
    this.#free = places
  }

  async run<T>(subject: string, work: () => Promise<T>): Promise<T> {
    await this.#turn(subject)
    try {
      return await work()
    } finally {
      this.#startNext()
    }
  }

  async #turn(subject: string): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    await new Promise<void>((start) => {
      const own = this.#waiting.get(subject)
      if (own) own.push(start)
      else this.#waiting.set(subject, [start])
    })
  }

  #startNext(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#free += 1
      return
    }
    const [subject, [start, ...rest]] = next
    this.#waiting.delete(subject)
    // A subject that has its turn goes behind the others.
    if (rest.length > 0) this.#waiting.set(subject, rest)
    start?.()
  }
}
