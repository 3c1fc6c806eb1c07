import packageFile from '../../../package.json' with { type: 'json' }
import pg from 'pg'
import { databaseIsUnavailable, DatabaseMisconfigured, DatabaseUnavailable } from '../unavailable.ts'
import type { DatabaseServer, DatabaseServers, SessionAttributes } from './database-servers.ts'

/** The purpose of a connection, as shown in `pg_stat_activity`. */
type ConnectionPurpose = 'start' | 'calls' | 'reports' | 'events' | 'copy'

export interface ServerClientConfig extends Omit<pg.ClientConfig, 'connectionString' | 'application_name'> {
  servers: DatabaseServers
  purpose: ConnectionPurpose
  /** Session settings. Not sent as startup parameters, because poolers reject or ignore those. */
  settings?: Record<string, number>
}

interface SessionFacts {
  pid: number
  inRecovery: boolean
  readOnly: boolean
}

const factsText = `select pg_backend_pid() as pid, pg_is_in_recovery() as "inRecovery",
  current_setting('transaction_read_only') = 'on' as "readOnly"`

/**
 * A connection to the current server, closed again if the server does not satisfy `target_session_attrs`. If it cannot
 * be reached, the next server becomes current.
 */
export class ServerClient extends pg.Client {
  readonly server: DatabaseServer
  readonly servers: DatabaseServers
  /** When it began to connect, in ms of `performance.now()`. */
  readonly startedAt = performance.now()
  readonly #settings: Record<string, number>
  #backend = 0

  constructor({ servers, purpose, settings = {}, ...config }: ServerClientConfig) {
    const server = servers.current
    super({
      keepAlive: true,
      ...config,
      connectionString: server.url,
      application_name: `signet ${packageFile.version} ${purpose}`,
      connectionTimeoutMillis: servers.connectMs,
    })
    this.server = server
    this.servers = servers
    this.#settings = settings
    // A lost connection fails its query; an unhandled error event would end the process.
    this.on('error', () => {})
  }

  /** Process ID of the backend; behind a pooler, it differs from the one in the protocol. */
  get backend(): number {
    return this.#backend
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    const connected = this.#connect()
    if (!callback) return connected.then(() => this)
    // The driver's pool expects no error argument on success.
    connected.then(() => callback(undefined as unknown as Error), callback)
  }

  async #connect(): Promise<void> {
    try {
      await super.connect()
      const { pid, ...facts } = await this.#begin()
      const problem = problemOf(this.servers.attributes, facts)
      if (problem) throw new DatabaseUnavailable(`PostgreSQL at ${this.server.address} ${problem}`)
      this.#backend = pid
      this.servers.worked(this.server)
    } catch (error) {
      this.servers.failed(this.server)
      this.connection.stream.destroy()
      throw error
    }
  }

  /** One round trip. */
  async #begin(): Promise<SessionFacts> {
    const settings = Object.entries(this.#settings).map(([name, value]) => `set_config('${name}', '${value}', false)`)
    const { rows } = await this.query<SessionFacts>({
      text: [factsText, ...settings].join(', '),
      query_timeout: this.servers.connectMs,
    } as pg.QueryConfig)
    return rows[0] as SessionFacts
  }
}

function problemOf(attributes: SessionAttributes, { inRecovery, readOnly }: Omit<SessionFacts, 'pid'>) {
  if (attributes === 'any') return undefined
  if (inRecovery) return 'is a standby'
  return attributes === 'read-write' && readOnly ? 'only reads' : undefined
}

/** Error of the driver's pool when all its connections are in use: another server would not help. */
const poolTimeoutMessage = 'timeout exceeded when trying to connect'

/** Tries each server once, starting with the one that worked last. */
export async function onAnyServer<T>({ count }: DatabaseServers, connect: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await connect()
    } catch (error) {
      const isFinal = !databaseIsUnavailable(error) || (error as Error).message === poolTimeoutMessage
      if (tries >= count || isFinal) throw error
    }
  }
}

/** A connection outside any pool. */
export const connectToServer = (config: ServerClientConfig): Promise<ServerClient> =>
  onAnyServer(config.servers, async () => {
    const client = new ServerClient(config)
    await client.connect()
    return client
  })

/** A pooled connection to the current server; connections to other servers are closed. */
export async function checkOut(servers: DatabaseServers, pool: pg.Pool): Promise<pg.PoolClient & ServerClient> {
  return onAnyServer(servers, async () => {
    for (;;) {
      const client = (await pool.connect()) as pg.PoolClient & ServerClient
      if (servers.isInUse(client.server)) return client
      client.release(true)
    }
  })
}

/**
 * Throws `DatabaseMisconfigured` if a pooler assigns a session per transaction: locks, `LISTEN`, prepared statements
 * and settings would be lost or leak to others.
 */
export async function rejectSharedSessions(client: ServerClient, config: ServerClientConfig): Promise<void> {
  const { processID } = client as unknown as { processID: number }
  if (client.backend === processID) return
  const other = await connectToServer(config)
  try {
    if (await sessionsAreShared(backendOf(client), backendOf(other))) {
      throw new DatabaseMisconfigured(
        'DATABASE_URL leads to a connection pooler in transaction mode, such as PgBouncer with pool_mode = transaction. ' +
          'Signet needs sessions: name PostgreSQL itself, or set pool_mode = session for this database.',
      )
    }
  } finally {
    await other.end()
  }
}

const backendOf = (client: pg.ClientBase) => async () => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

const probes = 4

/**
 * Whether two connections, queried alternately, are answered by a transaction pooler: either by the same backend for
 * both (if idle ones are available) or by a different one each time.
 */
export async function sessionsAreShared(here: () => Promise<number>, there: () => Promise<number>): Promise<boolean> {
  const ofHere = new Set<number>()
  const ofThere = new Set<number>()
  for (let probe = 0; probe < probes; probe++) {
    ofHere.add(await here())
    ofThere.add(await there())
  }
  return ofHere.size > 1 || ofThere.size > 1 || !ofHere.isDisjointFrom(ofThere)
}
