/** Counts by their labels, in this process since its start: cheap enough to run where nobody reads them. */
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
