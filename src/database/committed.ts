import type { Announcements } from './announcements.ts'
import type { Unit } from './database.ts'

/** What a unit wants done once it is durable. */
export class Committed {
  readonly topics: string[] = []
  readonly #effects: (() => void)[] = []

  on<T extends Unit['trx']>(trx: T): Unit {
    return {
      trx,
      announce: (topic) => void this.topics.push(topic),
      afterCommit: (effect) => void this.#effects.push(effect),
    }
  }

  /** Nothing here can undo the write any more, so a failure is reported and never told to the writer. */
  tell(announcements: Announcements, onError: (error: unknown) => void = () => {}): void {
    for (const topic of this.topics) announcements.tell(topic)
    for (const effect of this.#effects) {
      try {
        effect()
      } catch (error) {
        onError(error)
      }
    }
  }
}
