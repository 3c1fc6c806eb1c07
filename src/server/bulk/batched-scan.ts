import { throwIfAborted } from '#database/report-queue.ts'

/** Where a call over a whole filter begins and after how many rows it stops. */
interface Batch {
  after?: number | undefined
  maxRows?: number | undefined
}

/** Every row of a filter, a transaction at a time and oldest first; or only a piece of them, the rest in later calls. */
export class BatchedScan<Row extends { id: number }> {
  /** Where another call goes on; null when nothing is left. */
  next: number | null = null
  readonly #list: (afterId: number, limit: number) => Promise<readonly Row[]>
  readonly #perTransaction: number
  readonly #batch: Batch

  /** `list` gives the next rows after an id, oldest first. */
  constructor(batch: Batch, perTransaction: number, list: (afterId: number, limit: number) => Promise<readonly Row[]>) {
    this.#batch = batch
    this.#perTransaction = perTransaction
    this.#list = list
  }

  async *batches(): AsyncGenerator<readonly Row[]> {
    let { after: afterId = 0, maxRows: left = Infinity } = this.#batch
    while (left > 0) {
      throwIfAborted()
      const rows = await this.#list(afterId, Math.min(this.#perTransaction, left))
      const last = rows.at(-1)
      if (!last) return
      yield rows
      afterId = last.id
      left -= rows.length
    }
    this.next = afterId
  }
}
