import { DatabaseMisconfigured } from '../unavailable.ts'

/** One of the hosts in `DATABASE_URL`. */
export interface DatabaseServer {
  /** `10.0.0.5:5432`, without a password. */
  address: string
  /** For the driver, with this host only. */
  url: string
}

/** Required role of a server, as in libpq's `target_session_attrs`. */
export type SessionAttributes = 'any' | 'read-write' | 'primary'

interface DatabaseAddress {
  servers: readonly [DatabaseServer, ...DatabaseServer[]]
  database: string
  attributes: SessionAttributes
}

const schemes = ['postgres://', 'postgresql://']
const attributesParameter = /(?<=[?&])target_session_attrs=([^&#]*)&?/

/** Position of the first of these characters, or the end of the text. */
function endBefore(text: string, characters: RegExp): number {
  const at = text.search(characters)
  return at < 0 ? text.length : at
}

const invalid = () =>
  new DatabaseMisconfigured(
    'DATABASE_URL must be an address such as postgres://user:password@host:5432/database, with hosts separated by commas',
  )

/** libpq's form for several servers: `postgres://u:p@h1:5432,h2:5432/db?target_session_attrs=read-write`. */
function parseDatabaseUrl(url: string): DatabaseAddress {
  const protocol = schemes.find((each) => url.startsWith(each))
  if (protocol === undefined) throw invalid()
  const rest = url.slice(protocol.length)
  const beforePath = rest.slice(0, endBefore(rest, /[/?#]/))
  const loginEnd = beforePath.lastIndexOf('@') + 1
  const scheme = protocol + beforePath.slice(0, loginEnd)
  const authority = beforePath.slice(loginEnd)
  const afterHosts = rest.slice(beforePath.length)
  const path = afterHosts.slice(0, endBefore(afterHosts, /[?#]/))
  const parameters = afterHosts.slice(path.length)
  const hosts = authority.split(',')
  const query = parameters.replace(attributesParameter, '').replace(/[?&]$/, '')
  const servers = hosts.map((host) => ({ address: host, url: `${scheme}${host}${path}${query}` }))
  const isSocket = hosts.length === 1 && authority === ''
  if (!isSocket && !servers.every((server) => isAddress(server.address))) throw invalid()
  // The driver also reads hosts from here, but only one.
  if (/[?&]host=[^&#]*(,|%2c)/i.test(query)) throw invalid()
  const attributes = attributesParameter.exec(parameters)?.[1] ?? (hosts.length > 1 ? 'read-write' : 'any')
  if (attributes !== 'any' && attributes !== 'read-write' && attributes !== 'primary') {
    throw new DatabaseMisconfigured('target_session_attrs in DATABASE_URL must be any, read-write or primary')
  }
  return { servers: servers as unknown as DatabaseAddress['servers'], database: path.slice(1), attributes }
}

/** A host with an optional port; after a colon, the port is required. */
const isAddress = (host: string): boolean =>
  /^(\[[^\]]+\]|[^:]+)(:\d+)?$/.test(host) && URL.canParse(`postgres://${host}`)

/** Several servers may be slow to answer, one after the other. */
const connectMs = 5000
const connectMsWithOthers = 3000

/**
 * The servers of one database, shared by all connections of a process: the one that worked last is tried first, and
 * connections to any other are closed.
 */
export class DatabaseServers {
  readonly #address: DatabaseAddress
  #current = 0
  #working: DatabaseServer | undefined

  /** Throws `DatabaseMisconfigured` with a one-line message that does not contain the password. */
  constructor(url: string) {
    this.#address = parseDatabaseUrl(url)
  }

  get count(): number {
    return this.#address.servers.length
  }

  get attributes(): SessionAttributes {
    return this.#address.attributes
  }

  /** Timeout for connecting to one server. */
  get connectMs(): number {
    return this.count === 1 ? connectMs : connectMsWithOthers
  }

  /** For logs: `10.0.0.5:5432,10.0.0.6:5432/signet`. */
  get description(): string {
    return `${this.#address.servers.map(({ address }) => address).join()}/${this.#address.database}`
  }

  /** The server to connect to next. */
  get current(): DatabaseServer {
    return this.#address.servers[this.#current] as DatabaseServer
  }

  /** Whether `server` is still the one in use, as far as is known. */
  isInUse(server: DatabaseServer): boolean {
    return this.#working === undefined || this.#working === server
  }

  /** Moves on to the next server, unless another connection has already done so. */
  failed(server: DatabaseServer): void {
    if (server === this.current) this.#current = (this.#current + 1) % this.count
  }

  worked(server: DatabaseServer): void {
    this.#working = server
    this.#current = this.#address.servers.indexOf(server)
  }
}
