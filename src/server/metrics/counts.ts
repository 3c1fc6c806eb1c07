/** Counters by label, since the start of this process: cheap enough to keep even if nobody reads them. */
export class Counts<L extends string> {
  readonly #counts = new Map<string, { labels: Record<L, string>; value: number }>()

  add(labels: Record<L, string>): void {
    const key = Object.values(labels).join('\0')
    const found = this.#counts.get(key)
    if (found) found.value += 1
    else this.#counts.set(key, { labels, value: 1 })
  }

  get values(): readonly { labels: Record<L, string>; value: number }[] {
    return [...this.#counts.values()]
  }
}
