import { once } from 'node:events'
import { Agent, createServer, request, type Server } from 'node:http'
import pg from 'pg'
import type { Database } from '#database/database.ts'
import { channel } from '#database/postgres/listen.ts'

/** Forwards each request to the next of several servers, like a proxy in front of several processes. */
export class RoundRobinProxy {
  readonly #server: Server
  readonly #agents = new Map<number, Agent>()
  #targets: readonly number[] = []
  #next = 0

  private constructor(before: () => Promise<void>) {
    this.#server = createServer((incoming, outgoing) => {
      const port = this.#targets[this.#next++ % this.#targets.length]
      const agent = port && this.#agents.get(port)
      if (!agent) return void outgoing.writeHead(502).end()
      void before().then(
        () => {
          const { method, url, rawHeaders } = incoming
          const forwarded = request({ host: '127.0.0.1', port, agent, method, path: url, headers: rawHeaders })
          forwarded.on('response', (response) => {
            outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders)
            response.pipe(outgoing)
            response.on('error', () => outgoing.destroy())
          })
          forwarded.on('error', () => outgoing.destroy())
          outgoing.on('close', () => forwarded.destroy())
          incoming.pipe(forwarded)
        },
        () => outgoing.destroy(),
      )
    })
  }

  /** `before` is awaited before each request is forwarded. */
  static async start(before: () => Promise<void> = async () => {}): Promise<RoundRobinProxy> {
    const proxy = new RoundRobinProxy(before)
    // Connections stay open during long pauses of a test.
    proxy.#server.keepAliveTimeout = 3_600_000
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`
  }

  /** Local ports. */
  sendTo(targets: readonly number[]): void {
    this.#targets = targets
    for (const port of targets) this.#agents.set(port, this.#agents.get(port) ?? new Agent())
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    for (const agent of this.#agents.values()) agent.destroy()
  }
}

const resendMs = 100

/** Waits until all processes have received everything published before: PostgreSQL delivers in commit order. */
export class Hearing {
  readonly #client: pg.Client
  readonly #heard = new Map<Database, number>()
  readonly #waiting = new Set<() => void>()
  #sent = 0
  #last: Promise<void> = Promise.resolve()

  private constructor(client: pg.Client, databases: readonly Database[]) {
    this.#client = client
    for (const db of databases) {
      db.events.on('hearing', (number) => {
        if (number !== '*') this.#heard.set(db, Number(number))
        for (const wake of this.#waiting) wake()
      })
      this.#heard.set(db, 0)
    }
  }

  static async of(url: string, databases: readonly Database[]): Promise<Hearing> {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    return new Hearing(client, databases)
  }

  /** One at a time, because a connection runs one query at a time. */
  settled(): Promise<void> {
    this.#last = this.#last.catch(() => {}).then(() => this.#settle())
    return this.#last
  }

  async #settle(): Promise<void> {
    const number = ++this.#sent
    const missing = () => [...this.#heard.values()].some((heard) => heard < number)
    while (missing()) {
      // Repeated, because a process may not be listening yet.
      await this.#client.query('select pg_notify($1, $2)', [channel, `hearing:${number}`])
      if (missing()) await this.#nextArrival()
    }
  }

  #nextArrival(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, resendMs)
      this.#waiting.add(wake)
    })
  }

  close = (): Promise<void> => this.#client.end()
}
