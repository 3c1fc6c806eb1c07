import { FlakyProxy, type Verdict } from './flaky-proxy.ts'

/** A line to PostgreSQL that fails at a chosen query; what it carries is counted by PostgreSQL's own framing. */
export class PostgresLine {
  readonly #proxy: FlakyProxy
  readonly url: string
  /** Queries that were sent on since `failAt`. */
  queries = 0
  #cutAt = Infinity
  #losesCommitOf: string | undefined
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
      let transaction: string[] = []
      return (chunk) => {
        const queries = read(chunk)
        listens ||= queries.some((query) => query.startsWith('listen '))
        if (queries.includes('begin')) transaction = []
        transaction.push(...queries)
        return line?.judge(queries, { listens, transaction }) ?? 'forward'
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

  /** The server commits the next transaction with this query, and the connection is lost before it can say so. */
  loseCommitOf(query: string): void {
    this.#losesCommitOf = query
  }

  /** The connection that hears of other processes' changes drops its packets; all others work. */
  muteListener(): void {
    this.#mutesListener = true
  }

  /** Nothing fails any more. */
  async heal(): Promise<void> {
    this.#cutAt = Infinity
    this.#losesCommitOf = undefined
    this.#mutesListener = false
    await this.#proxy.restore()
  }

  /** Connections that are open now are half open from here on: what is sent arrives, and no answer comes back. */
  silenceOpen = (): void => this.#proxy.muteOpen()
  reject = (): Promise<void> => this.#proxy.reject()
  close = (): Promise<void> => this.#proxy.close()

  judge(queries: string[], { listens, transaction }: { listens: boolean; transaction: string[] }): Verdict {
    if (listens) return this.#mutesListener ? 'mute' : 'forward'
    const lost = this.#losesCommitOf
    if (lost !== undefined && queries.includes('commit') && transaction.some((query) => query.includes(lost))) {
      this.#losesCommitOf = undefined
      this.lostCommits += 1
      return 'lose answer'
    }
    this.queries += queries.length
    return this.queries >= this.#cutAt && queries.length > 0 ? 'cut' : 'forward'
  }
}

/** Gives the texts of the queries in a chunk, in lower case. */
function newQueryReader(): (chunk: Buffer) => string[] {
  const prepared = new Map<string, string>()
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
      const texts = rest.toString('utf8', 5, end).toLowerCase().split('\0', 2)
      if (type === 'Q') queries.push(texts[0] ?? '')
      // Parse has the name of a statement and its text, Bind the name of a portal and that of the statement.
      if (type === 'P') prepared.set(texts[0] ?? '', texts[1] ?? '')
      if (type === 'B') queries.push(prepared.get(texts[1] ?? '') ?? '')
      isStarted = true
      rest = rest.subarray(end)
    }
  }
}
