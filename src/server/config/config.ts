import { isIP } from 'node:net'
import { Ajv } from 'ajv'
import { defaultConnections } from '#database/postgres/connection-count.ts'
import { DatabaseServers } from '#database/postgres/database-servers.ts'
import { OperatorError } from '#database/operator-error.ts'
import { machineAddress } from '../network/machine-address.ts'
import type { IpDataFiles } from '../network/ip-data.ts'
import type { OutgoingSettings } from '../network/outgoing.ts'
import { Type, type Static, type TSchema } from 'typebox'

/** The settings of a running server. Read from the environment once, by `main.ts` and by the commands. */

const levels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']
const text = (description: string, minLength = 1) => Type.Optional(Type.String({ minLength, description }))
/** Only a shell expands `~`: a folder of that name would be created. */
const path = (description: string, byDefault?: string) =>
  Type.String({ pattern: '^(?!~(/|$))', default: byDefault, description: `${description}, without ~` })
const link = Type.Optional(
  Type.String({ pattern: '^https?://[^\\s/]+(/\\S*)?$', description: 'an http:// or https:// address' }),
)
const count = (byDefault: number) =>
  Type.Integer({ minimum: 1, maximum: 1e9, default: byDefault, description: 'a whole number from 1' })

/** Each description completes the sentence "… must be". */
const ConfigSchema = Type.Object({
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080, description: 'a whole number from 0 to 65535' }),
  HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'an address to listen on' }),
  PUBLIC_URL: Type.Optional(
    Type.String({ pattern: '^https?://[^/?#@\\s]+$', description: 'http:// or https:// and a host, without a path' }),
  ),
  DATA_DIR: path('a folder', './data'),
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://', description: 'a postgres:// address' })),
  DATABASE_CONNECTIONS: Type.Integer({
    minimum: 8,
    maximum: 500,
    default: defaultConnections,
    description: 'a whole number from 8 to 500',
  }),
  MASTER_KEY_FILE: Type.Optional(path('a file')),
  TRUSTED_PROXIES: text('a comma-separated list of addresses and networks, such as 10.0.0.0/8'),
  TLS_CERT_FILE: Type.Optional(path('a file')),
  TLS_KEY_FILE: Type.Optional(path('a file')),
  ADMIN_USERNAME: text('a name of at least 3 characters', 3),
  ADMIN_PASSWORD: text('a password of at least 8 characters', 8),
  ADMIN_EMAIL: text('an address', 3),
  METRICS_TOKEN: text('at least 16 characters', 16),
  REGISTRATIONS_PER_HOUR: count(5),
  ANONYMOUS_CALLS_PER_MINUTE: count(60),
  PASSWORD_PEPPER: Type.String({ pattern: '^(on|off)$', default: 'off', description: 'on or off' }),
  ALLOW_HTTP_WEBHOOKS: Type.String({ pattern: '^(on|off)$', default: 'off', description: 'on or off' }),
  NAME_SERVERS: text('a comma-separated list of addresses, such as 9.9.9.9'),
  PROGRAM_STARTS_PER_MINUTE: count(600),
  HEARTBEATS_PER_MINUTE: count(60),
  REJECTED_REQUESTS_PER_MINUTE: count(600),
  LOG_ENTRIES_PER_APP: count(1_000_000),
  DEFAULT_PLAN: Type.String({ pattern: '^[A-Za-z0-9_-]{1,50}$', default: 'Free', description: 'the name of a plan' }),
  DOCUMENTATION_URL: link,
  DISCORD_URL: link,
  TWITTER_URL: link,
  GITHUB_URL: link,
  MAX_UPLOAD_MB: count(512),
  S3_ENDPOINT: Type.Optional(
    Type.String({ pattern: '^https?://[^/?#@\\s]+(/[^?#\\s]*)?$', description: 'an http:// or https:// address' }),
  ),
  S3_BUCKET: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$', description: 'the name of a bucket' }),
  ),
  S3_REGION: Type.String({
    pattern: '^[A-Za-z0-9-]{1,50}$',
    default: 'us-east-1',
    description: 'the name of a region',
  }),
  S3_ACCESS_KEY_ID: text('a key id'),
  S3_SECRET_ACCESS_KEY: text('a key'),
  S3_PREFIX: Type.String({
    pattern: '^([A-Za-z0-9][A-Za-z0-9._-]{0,99}/){1,5}$',
    default: 'signet/',
    description: 'names of letters and digits, each followed by a /, such as signet/',
  }),
  CLAMD_ADDRESS: Type.Optional(
    Type.String({
      pattern: '^(/.+|(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9.-]+):\\d{1,5})$',
      description: 'a host and a port, such as 127.0.0.1:3310, or the path of a socket',
    }),
  ),
  GEOIP_COUNTRY_FILE: Type.Optional(path('a file')),
  VPN_NETWORKS_FILE: Type.Optional(path('a file')),
  ADDRESS_RETENTION_DAYS: Type.Integer({
    minimum: 0,
    maximum: 3650,
    default: 90,
    description: 'a whole number of days from 0 (forever) to 3650',
  }),
  DRAIN_SECONDS: Type.Integer({
    minimum: 0,
    maximum: 300,
    default: 5,
    description: 'a whole number of seconds from 0 to 300',
  }),
  DISK_LOW_MB: Type.Integer({
    minimum: 0,
    maximum: 1e9,
    default: 1000,
    description: 'a whole number of megabytes from 0',
  }),
  SIGNET_COMMIT: text('a commit'),
  LOG_REQUESTS: Type.String({ pattern: '^(on|off)$', default: 'off', description: 'on or off' }),
  LOG_LEVEL: Type.String({
    pattern: `^(${levels.join('|')})$`,
    default: 'info',
    description: `one of ${levels.join(', ')}`,
  }),
})

export const settingNames: readonly string[] = Object.keys(ConfigSchema.properties)

/** Settings whose values must not appear on a screen or in a log. */
const secrets = new Set(['DATABASE_URL', 'ADMIN_PASSWORD', 'METRICS_TOKEN', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])

export interface Config {
  port: number
  host: string
  /** Base of links in emails and snippets; the Host header is never used. */
  publicUrl: string
  dataDir: string
  databaseUrl?: string | undefined
  /** Maximum number of PostgreSQL connections of the process. */
  databaseConnections?: number | undefined
  masterKeyFile: string
  /** CIDRs whose `X-Forwarded-For` is trusted. */
  trustedProxies: string[]
  tls?: { certFile: string; keyFile: string } | undefined
  firstAdmin?: { username: string; password: string; email: string } | undefined
  metricsToken?: string | undefined
  limits: {
    /** New accounts per network, and attempts per network or account that would reveal which names are taken. */
    registrationsPerHour: number
    /** Calls that change something without a session, per network and call. */
    anonymousCallsPerMinute: number
    /** Calls of `init`, `license`, `login` and `register` (each), per app and network. */
    programStartsPerMinute: number
    /** Per session with a signed-in user. */
    heartbeatsPerMinute: number
    /** Rejected requests of programs that get a signed reply and a log entry, per app and network. */
    rejectedRequestsPerMinute: number
  }
  /** Password hashes also need a key that is derived from the master key. */
  passwordPepper?: boolean | undefined
  /** The plan of new owners, until an administrator chooses another. */
  defaultPlan: string
  /** Requests to URLs chosen by owners. */
  outgoing: OutgoingSettings
  /** DNS servers; an empty list uses those of the machine. */
  nameServers: string[]
  /** Targets of the Documentation and social links of the dashboard; links without a URL are hidden. */
  links: Links
  /** Maximum size of an uploaded file in bytes, whatever the plan allows. */
  maxUploadBytes: number
  /** Storage of uploaded files; without it, they are in `dataDir`. */
  s3?: S3Settings | undefined
  /** The scanner of uploaded files; without it, files are not scanned. */
  clamd?: ClamdAddress | undefined
  ipData: IpDataFiles
  /** Number of days after which IP addresses and hardware IDs in logs are redacted; 0 for never. */
  addressRetentionDays: number
  /** Maximum number of log entries per app; the oldest entries beyond it are deleted. */
  logEntriesPerApp: number
  /** How long `/readyz` returns 503 before the server stops. */
  drainSeconds: number
  /** The status is degraded when the disk of `dataDir` has less free space. */
  diskLowBytes: number
  /** Commit of the build, if known. */
  commit?: string | undefined
  /** Whether to log each request. */
  logRequests: boolean
  logLevel: string
}

/** The address clamd listens on. */
export type ClamdAddress = { host: string; port: number } | { path: string }

/** A bucket of an S3-compatible store. */
export interface S3Settings {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Prefix of all file keys; ends with a /. */
  prefix: string
  /** Timeout for the store's silence. Only set by tests. */
  timeoutMs?: number
}

export interface Links {
  documentation?: string | undefined
  discord?: string | undefined
  twitter?: string | undefined
  github?: string | undefined
}

export class ConfigInvalid extends OperatorError {}

/** `address` is used in links if the server listens on all addresses of the machine. */
export function readConfig(environment: Record<string, string | undefined>, address = machineAddress()): Config {
  const given: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries<TSchema>(ConfigSchema.properties)) {
    const text = environment[name]
    if (text === undefined || text === '') continue
    if (isWrapped(text) && !lists.has(name)) throw wrong(name, text, 'have no spaces or quotes around it')
    if (text.includes('\n') && !multiline.has(name)) throw wrong(name, text, 'be one line')
    given[name] = 'type' in schema && schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text
  }
  const check = new Ajv({ useDefaults: true, strict: false }).compile<Static<typeof ConfigSchema>>(ConfigSchema)
  if (!check(given)) throw invalid(check.errors?.[0]?.instancePath.slice(1) as SettingName, environment)
  return configOf(given, address)
}

type SettingName = keyof typeof ConfigSchema.properties

/** As `docker run --env-file` passes a quoted value. */
const isWrapped = (text: string): boolean => text !== text.trim() || /^(["'`]).*\1$/s.test(text)

/** Spaces around the entries of a list are no mistake. */
const lists = new Set(['TRUSTED_PROXIES', 'NAME_SERVERS'])

/** Any other may be repeated in a message, even the server and the database of an address. */
const multiline = new Set([...lists, ...secrets].filter((name) => name !== 'DATABASE_URL'))

function invalid(name: SettingName, environment: Record<string, string | undefined>): ConfigInvalid {
  const { description = '' } = ConfigSchema.properties[name] as { description?: string }
  return wrong(name, environment[name], `be ${description}`)
}

function wrong(name: string, value: string | undefined, rule: string): ConfigInvalid {
  const but = secrets.has(name) ? '' : `, but is ${shown(value)}`
  return new ConfigInvalid(`${name} must ${rule}${but}`)
}

/** After a quote in `.env` that isn't closed, the further lines are other settings, which may be secret. */
function shown(value = ''): string {
  const [first, ...more] = value.split('\n')
  return JSON.stringify(first) + (more.length === 0 ? '' : ' and more lines: a quote in .env may not be closed')
}

/** The names are those of the library that parses the list. */
const namedNetworks = new Set(['loopback', 'linklocal', 'uniquelocal'])

function isNetwork(entry: string): boolean {
  if (namedNetworks.has(entry)) return true
  const [address = '', bits = '0', ...rest] = entry.split('/')
  const max = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= max
}

/** In the resolver's format: an address, optionally with a port. */
function isNameServer(entry: string): boolean {
  if (isIP(entry) !== 0) return true
  const [, address = '', port] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(entry) ?? []
  return isIP(address) !== 0 && isPort(Number(port))
}

const isPort = (port: number): boolean => port >= 1 && port <= 65_535

const isWildcard = (host: string): boolean => host === '::' || host === '0.0.0.0'

const listOf = (setting = ''): string[] =>
  setting
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

function configOf(settings: Static<typeof ConfigSchema>, address: string): Config {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = settings
  if (!certFile !== !keyFile) throw new ConfigInvalid('TLS_CERT_FILE and TLS_KEY_FILE go together')
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password, ADMIN_EMAIL: email } = settings
  const admin = [username, password, email].filter(Boolean)
  if (admin.length !== 0 && admin.length !== 3) {
    throw new ConfigInvalid('ADMIN_USERNAME, ADMIN_PASSWORD and ADMIN_EMAIL go together')
  }
  const s3 = s3Of(settings)
  const trustedProxies = listOf(settings.TRUSTED_PROXIES)
  if (!trustedProxies.every(isNetwork)) throw invalid('TRUSTED_PROXIES', { TRUSTED_PROXIES: settings.TRUSTED_PROXIES })
  const nameServers = listOf(settings.NAME_SERVERS)
  if (!nameServers.every(isNameServer)) throw invalid('NAME_SERVERS', { NAME_SERVERS: settings.NAME_SERVERS })
  const clamd = clamdOf(settings.CLAMD_ADDRESS)
  if (clamd && 'port' in clamd && !isPort(clamd.port)) {
    throw invalid('CLAMD_ADDRESS', { CLAMD_ADDRESS: settings.CLAMD_ADDRESS })
  }
  const { PUBLIC_URL } = settings
  if (PUBLIC_URL !== undefined && !URL.canParse(PUBLIC_URL)) throw invalid('PUBLIC_URL', { PUBLIC_URL })
  const reached = isWildcard(settings.HOST) ? address : settings.HOST
  const host = reached.includes(':') ? `[${reached}]` : reached
  return {
    port: settings.PORT,
    host: settings.HOST,
    publicUrl: settings.PUBLIC_URL ?? `${certFile ? 'https' : 'http'}://${host}:${settings.PORT}`,
    dataDir: settings.DATA_DIR,
    databaseUrl: databaseUrlOf(settings.DATABASE_URL),
    databaseConnections: settings.DATABASE_CONNECTIONS,
    masterKeyFile: settings.MASTER_KEY_FILE ?? `${settings.DATA_DIR}/master.key`,
    trustedProxies,
    tls: certFile && keyFile ? { certFile, keyFile } : undefined,
    firstAdmin: username && password && email ? { username, password, email } : undefined,
    metricsToken: settings.METRICS_TOKEN,
    limits: {
      registrationsPerHour: settings.REGISTRATIONS_PER_HOUR,
      anonymousCallsPerMinute: settings.ANONYMOUS_CALLS_PER_MINUTE,
      programStartsPerMinute: settings.PROGRAM_STARTS_PER_MINUTE,
      heartbeatsPerMinute: settings.HEARTBEATS_PER_MINUTE,
      rejectedRequestsPerMinute: settings.REJECTED_REQUESTS_PER_MINUTE,
    },
    passwordPepper: settings.PASSWORD_PEPPER === 'on',
    defaultPlan: settings.DEFAULT_PLAN,
    nameServers,
    outgoing: { allowHttp: settings.ALLOW_HTTP_WEBHOOKS === 'on' },
    links: {
      documentation: settings.DOCUMENTATION_URL,
      discord: settings.DISCORD_URL,
      twitter: settings.TWITTER_URL,
      github: settings.GITHUB_URL,
    },
    maxUploadBytes: settings.MAX_UPLOAD_MB * 1_000_000,
    s3,
    clamd,
    ipData: {
      countryFile: settings.GEOIP_COUNTRY_FILE ?? `${settings.DATA_DIR}/ip/country.mmdb`,
      vpnFile: settings.VPN_NETWORKS_FILE ?? `${settings.DATA_DIR}/ip/vpn.txt`,
      named: [
        ...(settings.GEOIP_COUNTRY_FILE === undefined ? [] : (['country'] as const)),
        ...(settings.VPN_NETWORKS_FILE === undefined ? [] : (['vpn'] as const)),
      ],
    },
    addressRetentionDays: settings.ADDRESS_RETENTION_DAYS,
    logEntriesPerApp: settings.LOG_ENTRIES_PER_APP,
    drainSeconds: settings.DRAIN_SECONDS,
    diskLowBytes: settings.DISK_LOW_MB * 1_000_000,
    commit: settings.SIGNET_COMMIT,
    logRequests: settings.LOG_REQUESTS === 'on',
    logLevel: settings.LOG_LEVEL,
  }
}

function databaseUrlOf(url: string | undefined): string | undefined {
  try {
    if (url !== undefined) void new DatabaseServers(url)
    return url
  } catch (error) {
    throw new ConfigInvalid((error as Error).message)
  }
}

function clamdOf(address: string | undefined): ClamdAddress | undefined {
  if (address === undefined) return undefined
  if (address.startsWith('/')) return { path: address }
  const [, host = '', port = ''] = /^\[?([^\]]+?)\]?:(\d+)$/.exec(address) ?? []
  return { host, port: Number(port) }
}

function s3Of(settings: Static<typeof ConfigSchema>): S3Settings | undefined {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region, S3_PREFIX: prefix } = settings
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings
  if (endpoint && bucket && accessKeyId && secretAccessKey) {
    return { endpoint, bucket, region, accessKeyId, secretAccessKey, prefix }
  }
  if (!endpoint && !bucket && !accessKeyId && !secretAccessKey) return undefined
  throw new ConfigInvalid('S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together')
}
