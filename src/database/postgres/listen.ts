import type pg from 'pg'
import type { DatabaseServers } from './database-servers.ts'
import { claimShared, countServers, releaseClaim } from './processes.ts'
import { connectToServer, type ServerClient } from './server-client.ts'

/** Channel of all messages between the processes that share the database. */
export const channel = 'signet'

interface ListenOptions {
  servers: DatabaseServers
  onTopic: (topic: string) => void
  /** Values read before this moment may be outdated: listening has just (re)started, or messages may have been lost. */
  onDoubt: () => void
  onError: (error: unknown) => void
  /** Interval at which the connection must prove that it receives messages. */
  pingMs?: number
}

export interface Listener {
  /** False when messages of other processes are not received; true before the first connection. */
  readonly hears: boolean
  /** Whether other processes are listening; true while unknown. */
  readonly hasOtherInstances: boolean
  close(): Promise<void>
}

const maxPauseMs = 5000
const connectMs = 5000
/** Called when another process starts to listen. */
const startedTopic = 'processes:started'

/**
 * Listens on a connection of its own and reconnects when it is lost. A broken network path is silent, so the connection
 * must answer each ping before the next one; until it does, all caches are considered outdated at every ping.
 */
export function listen({ servers, onTopic, onDoubt, onError, pingMs = 2000 }: ListenOptions): Listener {
  let client: ServerClient | undefined
  let closed = false
  let lost = false
  let pinged = false
  let hasOtherInstances = true
  let tries = 0
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    let next: ServerClient | undefined
    try {
      next = await connectToServer({ servers, purpose: 'events' })
      next.on('notification', ({ payload = '' }) => {
        // Counts the listeners again before handling the message: the new process may serve the same programs from now
        // on.
        if (payload === startedTopic) hasOtherInstances = true
        if (payload !== '') onTopic(payload)
      })
      next.on('error', onError)
      next.on('end', again)
      await next.query({ text: `listen ${channel}`, query_timeout: connectMs } as pg.QueryConfig)
      await claimShared(next, connectMs)
      await next.query({
        text: 'select pg_notify($1, $2)',
        values: [channel, startedTopic],
        query_timeout: connectMs,
      } as pg.QueryConfig)
      if (closed) return void (await next.end())
      client = next
      pinged = false
      lost = false
      tries = 0
      onDoubt()
    } catch (error) {
      lost = true
      onError(error)
      next?.connection.stream.destroy()
      again()
    }
  }

  function again(): void {
    client = undefined
    if (closed || timer) return
    lost = true
    onDoubt()
    tries += 1
    timer = setTimeout(
      () => {
        timer = undefined
        void connect()
      },
      Math.min(100 * 2 ** tries, maxPauseMs),
    ).unref()
  }

  function ping(): void {
    if (!client) return void (lost && onDoubt())
    const isInUse = servers.isInUse(client.server)
    if (pinged || !isInUse) {
      const trouble = isInUse ? 'is silent' : 'is to a server that another one has taken over from'
      onError(new Error(`The connection that listens for other processes ${trouble}; making a new one`))
      client.connection.stream.destroy()
      return again()
    }
    pinged = true
    countServers(client).then(
      (servers) => {
        pinged = false
        hasOtherInstances = servers > 1
      },
      () => {},
    )
  }

  const first = connect()
  const pings = setInterval(ping, pingMs).unref()
  return {
    get hears() {
      return !lost
    },
    get hasOtherInstances() {
      return hasOtherInstances || lost
    },
    async close() {
      closed = true
      clearTimeout(timer)
      clearInterval(pings)
      await first
      if (lost) client?.connection.stream.destroy()
      else {
        if (client) await releaseClaim(client).catch(() => {})
        await client?.end()
      }
    },
  }
}
