type Listener = (id: string) => void

/** Announcements after a write, so that caches drop changed values: topics are `kind:id`. */
export class EventBus {
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #onError: (error: unknown) => void

  /** Reports the error of a listener: the publisher has finished its work and cannot handle it. */
  constructor(onError: (error: unknown) => void = () => {}) {
    this.#onError = onError
  }

  /** Calls `listener` with the ID of each announced `kind`; with `'*'` when anything may have changed. */
  on(kind: string, listener: Listener): void {
    const listeners = this.#listeners.get(kind) ?? new Set()
    listeners.add(listener)
    this.#listeners.set(kind, listeners)
  }

  publish(topic: string): void {
    const split = topic.indexOf(':')
    const kind = topic.slice(0, split)
    const id = topic.slice(split + 1)
    for (const listener of this.#listeners.get(kind) ?? []) this.#call(listener, id)
  }

  /** After a lost connection: all cached values may be outdated. */
  publishReset(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) this.#call(listener, '*')
  }

  #call(listener: Listener, id: string): void {
    try {
      listener(id)
    } catch (error) {
      this.#onError(error)
    }
  }
}
