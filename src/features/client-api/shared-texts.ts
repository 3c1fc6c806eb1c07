const maxTexts = 10_000

/** Keeps one copy of equal texts, which V8 would keep once for each row that was read. */
export class SharedTexts {
  readonly #texts = new Map<string, string>()

  /** The first text that was equal to this one. */
  shared(text: string): string {
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    if (this.#texts.size >= maxTexts) this.#texts.clear()
    this.#texts.set(text, text)
    return text
  }
}
