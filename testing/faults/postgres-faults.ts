import { FlakyProxy, type Verdict } from './flaky-proxy.ts'

/** A connection to PostgreSQL that fails at a chosen query; queries are counted by parsing the PostgreSQL protocol. */
export class PostgresLine {
  readonly #proxy: FlakyProxy
  readonly url: string
  /** Queries forwarded since `failAt`. */
  queries = 0
  #cutAt = Infinity
  #losesCommitOf: string | undefined
  #mutesListener = false
  /** Commits whose reply was lost. */
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

  /** Loses the connection instead of forwarding the nth query from now on, counted from 1. */
  failAt(nth: number): void {
    this.queries = 0
    this.#cutAt = nth
  }

  /** The server commits the next transaction that contains this query, and the connection is lost before the reply. */
  loseCommitOf(query: string): void {
    this.#losesCommitOf = query
  }

  /** Drops the packets of the connection that listens for changes by other processes; all others work. */
  muteListener(): void {
    this.#mutesListener = true
  }

  /** Removes all faults. */
  async heal(): Promise<void> {
    this.#cutAt = Infinity
    this.#losesCommitOf = undefined
    this.#mutesListener = false
    await this.#proxy.restore()
  }

  /** Makes the open connections half open: requests arrive, but no reply returns. */
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

/** Extracts the texts of the queries from a chunk, in lower case. */
function newQueryReader(): (chunk: Buffer) => string[] {
  const prepared = new Map<string, string>()
  let rest = Buffer.alloc(0)
  let isStarted = false
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const queries: string[] = []
    for (;;) {
      // The first message has no type byte before its length.
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
