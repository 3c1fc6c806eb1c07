interface Page {
  page: number
  limit: number
}

const limits = Array.from({ length: 51 }, (_, at) => 100 - at)
/** Pages overlap by at most as many rows, so that each brings new ones. */
const maxOverlap = 40

const placesOf = ({ page, limit }: Page) => ({ start: (page - 1) * limit, end: page * limit })

/**
 * What is left to read of a list, newest first. A row that leaves the list moves those after it to earlier places, so that
 * some that were not read yet may be where others were. The list then has fewer rows than before: as many places are read
 * again, and the pages overlap from then on.
 */
export class UnreadRows {
  #total = 0
  /** The rows before this place have been read. */
  #through = 0
  #overlap = 0

  /** The page with that place on it that reaches furthest. */
  next(): Page {
    const from = Math.max(0, this.#through - this.#overlap)
    const pages = limits.map((limit) => ({ page: Math.floor(from / limit) + 1, limit }))
    return pages.reduce((best, each) => (placesOf(each).end > placesOf(best).end ? each : best))
  }

  /** Notes that a page was read, with the number of rows of the list; returns whether it was the last. */
  isLast(page: Page, { total, rows }: { total: number; rows: number }): boolean {
    const { start, end } = placesOf(page)
    const moved = Math.max(0, this.#total - total)
    this.#total = total
    this.#overlap = Math.min(maxOverlap, Math.max(this.#overlap, moved))
    this.#through = Math.max(0, this.#through - moved)
    if (this.#through < start) return false
    this.#through = Math.max(this.#through, end)
    return rows < page.limit
  }
}
