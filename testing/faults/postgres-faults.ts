import { FlakyProxy, type Verdict } from '../flaky-proxy.ts'

/** A line to PostgreSQL that fails at a chosen query; what it carries is counted by PostgreSQL's own framing. */
export class PostgresLine {
  readonly #proxy: FlakyProxy
  readonly url: string
  /** Queries that were sent on since `failAt` or `loseNextCommit`. */
  queries = 0
  #cutAt = Infinity
  #losesCommit = false
  #mutesListener = false
  /** Commits whose answer was lost. */
  lostCommits = 0

  private constructor(proxy: FlakyProxy, url: string) {
    this.#proxy = proxy
    this.url = url
  }

  /** `url` is that of a database. */
  static async start(url: string): Promise<PostgresLine> {
    let line: PostgresLine | undefined = undefined as PostgresLine | undefined
    const proxy = await FlakyProxy.start(url, () => {
      const read = newQueryReader()
      let listens = false
      return (chunk) => {
        const queries = read(chunk)
        listens ||= queries.some((query) => query.startsWith('listen '))
        return line?.judge(queries, listens) ?? 'forward'
      }
    })
    const through = new URL(url)
    through.port = String(proxy.port)
    line = new PostgresLine(proxy, through.toString())
    return line
  }

  /** The connection is lost instead of carrying the nth query from here on, counted from 1. */
  failAt(nth: number): void {
    this.queries = 0
    this.#cutAt = nth
  }

  /** The server commits, and the connection is lost before it can say so. */
  loseNextCommit(): void {
    this.#losesCommit = true
  }

  /** The connection that hears of other processes' changes drops its packets; all others work. */
  muteListener(): void {
    this.#mutesListener = true
  }

  /** Nothing fails any more. */
  async heal(): Promise<void> {
    this.#cutAt = Infinity
    this.#losesCommit = false
    this.#mutesListener = false
    await this.#proxy.restore()
  }

  /** Connections that are open now are half open from here on: what is sent arrives, and no answer comes back. */
  silenceOpen = (): void => this.#proxy.muteOpen()
  refuse = (): Promise<void> => this.#proxy.refuse()
  close = (): Promise<void> => this.#proxy.close()

  judge(queries: string[], listens: boolean): Verdict {
    if (listens) return this.#mutesListener ? 'mute' : 'forward'
    if (this.#losesCommit && queries.includes('commit')) {
      this.#losesCommit = false
      this.lostCommits += 1
      return 'lose answer'
    }
    this.queries += queries.length
    return this.queries >= this.#cutAt && queries.length > 0 ? 'cut' : 'forward'
  }
}

/** Gives the queries in a chunk: the text of a simple one, `''` for a prepared one. */
function newQueryReader(): (chunk: Buffer) => string[] {
  let rest = Buffer.alloc(0)
  let isStarted = false
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const queries: string[] = []
    for (;;) {
      // The first message has no type before its length.
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return queries
      const end = head + rest.readUInt32BE(head)
      if (rest.length < end) return queries
      const type = isStarted ? String.fromCharCode(rest[0] as number) : ''
      if (type === 'Q') queries.push(rest.toString('utf8', 5, end - 1).toLowerCase())
      if (type === 'B') queries.push('')
      isStarted = true
      rest = rest.subarray(end)
    }
  }
}
