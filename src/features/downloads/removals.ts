import { type FileLocation, type FileStore, StoreUnavailable } from './file-store.ts'

/** The deletions of one cleanup: a file that can't be deleted does not keep the others. */
export class Removals {
  readonly #store: FileStore
  readonly #failed = new Set<string>()
  #firstError: unknown

  constructor(store: FileStore) {
    this.#store = store
  }

  /** Returns the IDs of the deleted files. */
  async remove(ids: readonly string[]): Promise<string[]> {
    const removed: string[] = []
    for (const id of ids) if (await this.#isDone(id, this.#store.remove(id))) removed.push(id)
    return removed
  }

  async removeFrom(id: string, location: FileLocation): Promise<void> {
    await this.#isDone(id, this.#store.removeFrom(id, location))
  }

  hasFailed(id: string): boolean {
    return this.#failed.has(id)
  }

  /** Throws one error for all files that could not be deleted. */
  end(): void {
    const [first] = this.#failed
    if (first === undefined) return
    const message = `${this.#failed.size} files could not be deleted, the first of them ${first}`
    throw new StoreUnavailable(message, { cause: this.#firstError })
  }

  async #isDone(id: string, removal: Promise<void>): Promise<boolean> {
    try {
      await removal
      return true
    } catch (error) {
      await this.#rejectIfAway()
      if (this.#failed.size === 0) this.#firstError = error
      this.#failed.add(id)
      return false
    }
  }

  /** Each deletion would wait until it times out. */
  async #rejectIfAway(): Promise<void> {
    const files = this.#store.list('current')[Symbol.asyncIterator]()
    try {
      await files.next()
    } finally {
      await files.return?.()
    }
  }
}
