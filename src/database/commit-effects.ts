import type { EventBus } from './event-bus.ts'
import type { Tx } from './database.ts'

/** What a transaction wants done once it is durable. */
export class CommitEffects {
  readonly topics: string[] = []
  readonly #effects: (() => void)[] = []

  on<T extends Tx['db']>(db: T): Tx {
    return {
      db,
      publish: (topic) => void this.topics.push(topic),
      afterCommit: (effect) => void this.#effects.push(effect),
    }
  }

  /** The write is durable by now, so a failure here is reported and never thrown at the writer. */
  run(events: EventBus, onError: (error: unknown) => void = () => {}): void {
    for (const topic of this.topics) events.publish(topic)
    for (const effect of this.#effects) {
      try {
        effect()
      } catch (error) {
        onError(error)
      }
    }
  }
}
