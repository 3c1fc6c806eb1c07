import pg from 'pg'

interface ListenOptions {
  url: string
  channel: string
  onTopic: (topic: string) => void
  /** Listening has begun, or has begun again: events before were missed. */
  onConnect: () => void
  onError: (error: unknown) => void
}

const maxPauseMs = 5000

/** Listens on a connection of its own and comes back by itself when that is lost. */
export function listen(options: ListenOptions): { close(): Promise<void> } {
  let client: pg.Client | undefined
  let closed = false
  let tries = 0
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: options.url, keepAlive: true })
    next.on('notification', ({ payload }) => payload && options.onTopic(payload))
    next.on('error', (error) => options.onError(error))
    next.on('end', again)
    try {
      await next.connect()
      await next.query(`listen ${options.channel}`)
      if (closed) return void (await next.end())
      client = next
      // The first time too: what was read before this moment may have changed unheard.
      options.onConnect()
      tries = 0
    } catch (error) {
      options.onError(error)
      await next.end().catch(() => {})
    }
  }

  function again(): void {
    client = undefined
    if (closed || timer) return
    tries += 1
    timer = setTimeout(
      () => {
        timer = undefined
        void connect()
      },
      Math.min(100 * 2 ** tries, maxPauseMs),
    ).unref()
  }

  const first = connect()
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await first
      await client?.end()
    },
  }
}
