import type { EventBus } from './event-bus.ts'
import type { AppEvent, EventListener, Tx } from './database.ts'

/** Effects of a transaction that run once it is durable. */
export class CommitEffects {
  readonly topics: string[] = []
  readonly #effects: (() => void)[] = []
  readonly #events: AppEvent[] = []

  on<T extends Tx['db']>(db: T): Tx {
    return {
      db,
      publish: (topic) => void this.topics.push(topic),
      afterCommit: (effect) => void this.#effects.push(effect),
      emit: (event) => void this.#events.push(event),
    }
  }

  /** Calls the listeners; events they emit are delivered, too. */
  async deliver(tx: Tx, listeners: ReadonlySet<EventListener>): Promise<void> {
    for (const event of this.#events) for (const listener of listeners) await listener(tx, event)
  }

  /** The write is already durable, so a failure here is reported instead of thrown. */
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
