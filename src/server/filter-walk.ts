/** Where a call over a whole filter begins and after how many rows it stops. */
interface Piece {
  after?: number | undefined
  most?: number | undefined
}

/** Every row of a filter, a unit of work at a time and oldest first; or only a piece of them, the rest in later calls. */
export class FilterWalk<Row extends { id: number }> {
  /** Where another call goes on; null when nothing is left. */
  next: number | null = null
  readonly #list: (afterId: number, limit: number) => Promise<readonly Row[]>
  readonly #perUnit: number
  readonly #piece: Piece

  /** `list` gives the next rows after an id, oldest first. */
  constructor(piece: Piece, perUnit: number, list: (afterId: number, limit: number) => Promise<readonly Row[]>) {
    this.#piece = piece
    this.#perUnit = perUnit
    this.#list = list
  }

  async *batches(): AsyncGenerator<readonly Row[]> {
    let { after: afterId = 0, most: left = Infinity } = this.#piece
    while (left > 0) {
      const rows = await this.#list(afterId, Math.min(this.#perUnit, left))
      const last = rows.at(-1)
      if (!last) return
      yield rows
      afterId = last.id
      left -= rows.length
    }
    this.next = afterId
  }
}
