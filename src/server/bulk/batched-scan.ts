import { throwIfAborted } from '#database/report-queue.ts'

/** Where a call over a whole filter starts, and after how many rows it stops. */
interface Batch {
  after?: number | undefined
  maxRows?: number | undefined
  /** The last ID to process, so that rows that are added meanwhile are left out. */
  newestId?: number | undefined
}

/**
 * Processes all rows of a filter, oldest first, one transaction per batch; or a part of them, with the rest left for
 * later calls.
 */
export class BatchedScan<Row extends { id: number }> {
  /** Where the next call continues; null if no rows are left. */
  next: number | null = null
  readonly #list: (afterId: number, limit: number) => Promise<readonly Row[]>
  readonly #perTransaction: number
  readonly #batch: Batch

  /** `list` returns the next rows after an ID, oldest first. */
  constructor(batch: Batch, perTransaction: number, list: (afterId: number, limit: number) => Promise<readonly Row[]>) {
    this.#batch = batch
    this.#perTransaction = perTransaction
    this.#list = list
  }

  async *batches(): AsyncGenerator<readonly Row[]> {
    const { newestId = Infinity } = this.#batch
    let { after: afterId = 0, maxRows: left = Infinity } = this.#batch
    while (left > 0) {
      throwIfAborted()
      const found = await this.#list(afterId, Math.min(this.#perTransaction, left))
      const rows = found.filter(({ id }) => id <= newestId)
      const last = rows.at(-1)
      if (!last) return
      yield rows
      if (rows.length < found.length) return
      afterId = last.id
      left -= rows.length
    }
    this.next = afterId
  }
}
