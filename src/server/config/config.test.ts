import { readFileSync } from 'node:fs'
import type { NetworkInterfaceInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { ConfigInvalid, readConfig } from './config.ts'
import { machineAddress } from '../network/machine-address.ts'

/** Of the machine, where the server listens on all its addresses. */
const address = '192.168.1.20'

function problemOf(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigInvalid)
    return (error as Error).message
  }
  return 'none'
}

test('without any settings, a server runs for this machine only, on SQLite', () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    publicUrl: 'http://127.0.0.1:8080',
    dataDir: './data',
    databaseUrl: undefined,
    databaseConnections: 24,
    masterKeyFile: './data/master.key',
    trustedProxies: [],
    tls: undefined,
    firstAdmin: undefined,
    metricsToken: undefined,
    nameServers: [],
    outgoing: { allowHttp: false },
    passwordPepper: false,
    limits: {
      registrationsPerHour: 5,
      anonymousCallsPerMinute: 60,
      programStartsPerMinute: 600,
      heartbeatsPerMinute: 60,
      rejectedRequestsPerMinute: 600,
    },
    defaultPlan: 'Free',
    links: { documentation: undefined, discord: undefined, twitter: undefined, github: undefined },
    maxUploadBytes: 512_000_000,
    ipData: { countryFile: './data/ip/country.mmdb', vpnFile: './data/ip/vpn.txt', named: [] },
    addressRetentionDays: 90,
    logEntriesPerApp: 1_000_000,
    drainSeconds: 5,
    logRequests: false,
    diskLowBytes: 1_000_000_000,
    commit: undefined,
    logLevel: 'info',
  })
})

test('a server that listens on every address has a public URL that other machines can open', () => {
  expect(readConfig({ HOST: '0.0.0.0' }, address).publicUrl).toBe('http://192.168.1.20:8080')
  expect(readConfig({ HOST: '10.0.0.7' }, address).publicUrl).toBe('http://10.0.0.7:8080')
  expect(readConfig({ HOST: '0.0.0.0', PUBLIC_URL: 'https://your.host' }, address).publicUrl).toBe('https://your.host')
  const of = (family: 'IPv4' | 'IPv6', internal: boolean, at: string) =>
    ({ family, internal, address: at, netmask: '', mac: '', cidr: null, scopeid: 0 }) as NetworkInterfaceInfo
  const loopback = [of('IPv4', true, '127.0.0.1')]
  const network = [of('IPv6', false, 'fe80::1'), of('IPv4', false, address)]
  expect(machineAddress({ lo: loopback, eth0: network })).toBe(address)
  expect(machineAddress({ lo: loopback })).toBe('127.0.0.1')
})

test('applies every setting, and treats an empty one as missing', () => {
  const environment = {
    PORT: '443',
    HOST: '::',
    DATA_DIR: '/srv/signet',
    DATABASE_URL: 'postgresql://db1:5432,db2/signet?target_session_attrs=primary',
    DATABASE_CONNECTIONS: '40',
    TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::/32 ,127.0.0.1,loopback,',
    NAME_SERVERS: '9.9.9.9, [2620:fe::fe]:53,127.0.0.1:5353,::1',
    TLS_CERT_FILE: 'cert.pem',
    TLS_KEY_FILE: 'key.pem',
    ADMIN_USERNAME: 'root_user',
    ADMIN_PASSWORD: 'Unattended7Start',
    ADMIN_EMAIL: 'root@example.com',
    METRICS_TOKEN: '',
    DEFAULT_PLAN: 'Developer',
    REGISTRATIONS_PER_HOUR: '50',
    ANONYMOUS_CALLS_PER_MINUTE: '600',
    PROGRAM_STARTS_PER_MINUTE: '6000',
    HEARTBEATS_PER_MINUTE: '120',
    REJECTED_REQUESTS_PER_MINUTE: '300',
    LOG_ENTRIES_PER_APP: '50000',
    DOCUMENTATION_URL: 'https://docs.example.com/signet?from=dashboard',
    DISCORD_URL: 'https://chat.example.com',
    MAX_UPLOAD_MB: '100',
    GEOIP_COUNTRY_FILE: '/srv/ip/country.mmdb',
    VPN_NETWORKS_FILE: '/srv/ip/vpn.txt',
    S3_ENDPOINT: 'https://s3.eu-central-1.amazonaws.com',
    S3_BUCKET: 'signet-files',
    S3_REGION: 'eu-central-1',
    S3_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    S3_SECRET_ACCESS_KEY: 'a/secret+key',
    S3_PREFIX: 'production/signet/',
    ADDRESS_RETENTION_DAYS: '30',
    DRAIN_SECONDS: '30',
    LOG_REQUESTS: 'on',
    DISK_LOW_MB: '2000',
    SIGNET_COMMIT: 'bf3105f',
    LOG_LEVEL: 'warn',
    PATH: '/bin',
  }
  const config = readConfig(environment, address)
  expect(config).toMatchObject({
    port: 443,
    databaseUrl: 'postgresql://db1:5432,db2/signet?target_session_attrs=primary',
    databaseConnections: 40,
    publicUrl: 'https://192.168.1.20:443',
    masterKeyFile: '/srv/signet/master.key',
    trustedProxies: ['10.0.0.0/8', '2001:db8::/32', '127.0.0.1', 'loopback'],
    nameServers: ['9.9.9.9', '[2620:fe::fe]:53', '127.0.0.1:5353', '::1'],
    tls: { certFile: 'cert.pem', keyFile: 'key.pem' },
    firstAdmin: { username: 'root_user', email: 'root@example.com' },
    metricsToken: undefined,
    limits: {
      registrationsPerHour: 50,
      anonymousCallsPerMinute: 600,
      programStartsPerMinute: 6000,
      heartbeatsPerMinute: 120,
      rejectedRequestsPerMinute: 300,
    },
    defaultPlan: 'Developer',
    links: { documentation: 'https://docs.example.com/signet?from=dashboard', discord: 'https://chat.example.com' },
    maxUploadBytes: 100_000_000,
    s3: {
      endpoint: 'https://s3.eu-central-1.amazonaws.com',
      bucket: 'signet-files',
      region: 'eu-central-1',
      accessKeyId: 'AKIAEXAMPLE',
      secretAccessKey: 'a/secret+key',
      prefix: 'production/signet/',
    },
    ipData: { countryFile: '/srv/ip/country.mmdb', vpnFile: '/srv/ip/vpn.txt', named: ['country', 'vpn'] },
    addressRetentionDays: 30,
    logEntriesPerApp: 50_000,
    drainSeconds: 30,
    logRequests: true,
    diskLowBytes: 2_000_000_000,
    commit: 'bf3105f',
    logLevel: 'warn',
  })
})

test('docs/operate/settings.md has every setting once, and no other', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  const settings = [...read('./config.ts').matchAll(/^ {2}([A-Z\d_]+): /gm)].map(([, name]) => name)
  const cells = [...read('../../../docs/operate/settings.md').matchAll(/^\| (`[^|]+`) \|/gm)].map(
    ([, cell = '']) => cell,
  )
  const shown = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z\d_]+)`/g)].map(([, name]) => name))
  expect(settings).toContain('PUBLIC_URL')
  expect(shown.toSorted()).toEqual(settings.toSorted())
})

describe('a wrong value stops the start with one clear line (R-SEC-02)', () => {
  const port = 'PORT must be a whole number from 0 to 65535, but is '
  const url = 'PUBLIC_URL must be http:// or https:// and a host, without a path, but is '
  const proxies =
    'TRUSTED_PROXIES must be a comma-separated list of addresses and networks, such as 10.0.0.0/8, but is '
  const nameServers = 'NAME_SERVERS must be a comma-separated list of addresses, such as 9.9.9.9, but is '
  const bucketTogether = 'S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together'
  const prefix = 'S3_PREFIX must be names of letters and digits, each followed by a /, such as signet/, but is '
  const unwrapped = 'must have no spaces or quotes around it'
  const together = 'ADMIN_USERNAME, ADMIN_PASSWORD and ADMIN_EMAIL go together'
  test.each<[Record<string, string>, string]>([
    [{ PORT: 'http' }, `${port}"http"`],
    [{ PORT: '65536' }, `${port}"65536"`],
    [{ PORT: '-1' }, `${port}"-1"`],
    [{ PORT: '80.5' }, `${port}"80.5"`],
    [{ PORT: '0x50' }, `${port}"0x50"`],
    [{ PORT: '1e3' }, `${port}"1e3"`],
    [{ PUBLIC_URL: 'signet.example' }, `${url}"signet.example"`],
    [{ PUBLIC_URL: 'https://signet.example/' }, `${url}"https://signet.example/"`],
    [{ PUBLIC_URL: 'https://signet example' }, `${url}"https://signet example"`],
    [{ PUBLIC_URL: 'https://signet.example:99999' }, `${url}"https://signet.example:99999"`],
    [{ PUBLIC_URL: 'https://user@signet.example' }, `${url}"https://user@signet.example"`],
    [{ PUBLIC_URL: 'ftp://signet.example' }, `${url}"ftp://signet.example"`],
    [{ TRUSTED_PROXIES: 'everybody' }, `${proxies}"everybody"`],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, `${proxies}"10.0.0.0/33"`],
    [{ TRUSTED_PROXIES: '127.0.0.1 10.0.0.1' }, `${proxies}"127.0.0.1 10.0.0.1"`],
    [{ TRUSTED_PROXIES: '10' }, `${proxies}"10"`],
    [{ TRUSTED_PROXIES: '::1/129' }, `${proxies}"::1/129"`],
    [{ NAME_SERVERS: 'dns.example' }, `${nameServers}"dns.example"`],
    [{ NAME_SERVERS: '9.9.9.9,1.1.1.1:x' }, `${nameServers}"9.9.9.9,1.1.1.1:x"`],
    [
      { ADDRESS_RETENTION_DAYS: '3651' },
      'ADDRESS_RETENTION_DAYS must be a whole number of days from 0 (forever) to 3650, but is "3651"',
    ],
    [{ DATABASE_CONNECTIONS: '7' }, 'DATABASE_CONNECTIONS must be a whole number from 8 to 500, but is "7"'],
    [
      { DATABASE_URL: 'postgres://db/signet?target_session_attrs=standby' },
      'target_session_attrs in DATABASE_URL must be any, read-write or primary',
    ],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of silent, fatal, error, warn, info, debug, trace, but is "loud"'],
    [{ REGISTRATIONS_PER_HOUR: '0' }, 'REGISTRATIONS_PER_HOUR must be a whole number from 1, but is "0"'],
    [{ REGISTRATIONS_PER_HOUR: 'many' }, 'REGISTRATIONS_PER_HOUR must be a whole number from 1, but is "many"'],
    [{ TLS_CERT_FILE: 'cert.pem' }, 'TLS_CERT_FILE and TLS_KEY_FILE go together'],
    [{ TLS_KEY_FILE: 'key.pem' }, 'TLS_CERT_FILE and TLS_KEY_FILE go together'],
    [{ S3_BUCKET: 'files' }, bucketTogether],
    [{ S3_ENDPOINT: 'http://[::1]:9000/base', S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id' }, bucketTogether],
    [
      { S3_ENDPOINT: 'https://user@s3.example' },
      'S3_ENDPOINT must be an http:// or https:// address, but is "https://user@s3.example"',
    ],
    [{ S3_BUCKET: 'files/../other' }, 'S3_BUCKET must be the name of a bucket, but is "files/../other"'],
    [{ S3_PREFIX: '/' }, `${prefix}"/"`],
    [{ S3_PREFIX: 'no-end' }, `${prefix}"no-end"`],
    [{ S3_PREFIX: '../up/' }, `${prefix}"../up/"`],
    [{ NAME_SERVERS: '9.9.9.9:0' }, `${nameServers}"9.9.9.9:0"`],
    [{ NAME_SERVERS: '[2620:fe::fe]:65536' }, `${nameServers}"[2620:fe::fe]:65536"`],
    [
      { CLAMD_ADDRESS: 'clamd:65536' },
      'CLAMD_ADDRESS must be a host and a port, such as 127.0.0.1:3310, or the path of a socket, but is "clamd:65536"',
    ],
    [{ DATA_DIR: '"/srv/data"' }, `DATA_DIR ${unwrapped}, but is "\\"/srv/data\\""`],
    [{ DATA_DIR: '   ' }, `DATA_DIR ${unwrapped}, but is "   "`],
    [{ MASTER_KEY_FILE: '/srv/key\r' }, `MASTER_KEY_FILE ${unwrapped}, but is "/srv/key\\r"`],
    [{ HOST: "'0.0.0.0'" }, `HOST ${unwrapped}, but is "'0.0.0.0'"`],
    [{ DATA_DIR: '~/signet' }, 'DATA_DIR must be a folder, without ~, but is "~/signet"'],
    [{ VPN_NETWORKS_FILE: '~' }, 'VPN_NETWORKS_FILE must be a file, without ~, but is "~"'],
    [{ ADMIN_USERNAME: 'root_user' }, together],
    [{ ADMIN_USERNAME: 'root_user', ADMIN_PASSWORD: 'Unattended7Start' }, together],
    [{ ADMIN_USERNAME: 'ab' }, 'ADMIN_USERNAME must be a name of at least 3 characters, but is "ab"'],
  ])('%j', (environment, line) => expect(problemOf(environment)).toBe(line))

  const databaseUrl =
    'DATABASE_URL must be an address such as postgres://user:password@host:5432/database, with hosts separated by commas'
  test.each([
    [{ DATABASE_URL: 'mysql://root:canary@db/x' }, 'DATABASE_URL must be a postgres:// address'],
    [{ DATABASE_URL: 'postgres://root:canary@db:x,db2/signet' }, databaseUrl],
    [{ ADMIN_PASSWORD: 'canary' }, 'ADMIN_PASSWORD must be a password of at least 8 characters'],
    [{ PASSWORD_PEPPER: 'yes' }, 'PASSWORD_PEPPER must be on or off, but is "yes"'],
    [{ METRICS_TOKEN: 'canary' }, 'METRICS_TOKEN must be at least 16 characters'],
    [{ METRICS_TOKEN: '"canary-of-16-characters"' }, `METRICS_TOKEN ${unwrapped}`],
    [{ ADMIN_PASSWORD: "'Canary-of-a-start'" }, `ADMIN_PASSWORD ${unwrapped}`],
  ])('of a secret, without repeating it: %j', (environment, line) => expect(problemOf(environment)).toBe(line))

  test('in one line, whatever the value contains', () => {
    expect(problemOf({ PORT: '80\nfake log line' })).not.toContain('\n')
  })
})
