import { describe, expect, test } from 'vitest'
import { ConfigInvalid, readConfig } from './config.ts'

function problemOf(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigInvalid)
    return (error as Error).message
  }
  return 'none'
}

test('without any settings a server runs for this machine alone, on SQLite (DESIGN §9)', () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    publicUrl: 'http://127.0.0.1:8080',
    dataDir: './data',
    databaseUrl: undefined,
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
    },
    defaultPlan: 'Free',
    links: { documentation: undefined, discord: undefined, twitter: undefined, github: undefined },
    maxUploadBytes: 512_000_000,
    ipData: { countryFile: './data/ip/country.mmdb', vpnFile: './data/ip/vpn.txt' },
    addressRetentionDays: 90,
    logLevel: 'info',
  })
})

test('every setting is taken, and an empty one is as none', () => {
  const config = readConfig({
    PORT: '443',
    HOST: '::',
    DATA_DIR: '/srv/signet',
    DATABASE_URL: 'postgresql://db/signet',
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
    LOG_LEVEL: 'warn',
    PATH: '/bin',
  })
  expect(config).toMatchObject({
    port: 443,
    publicUrl: 'https://[::]:443',
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
    ipData: { countryFile: '/srv/ip/country.mmdb', vpnFile: '/srv/ip/vpn.txt' },
    addressRetentionDays: 30,
    logLevel: 'warn',
  })
})

describe('a wrong value stops the start with one clear line (R-SEC-02)', () => {
  const port = 'PORT must be a whole number from 0 to 65535, but is '
  const url = 'PUBLIC_URL must be http:// or https:// and a host, without a path, but is '
  const proxies =
    'TRUSTED_PROXIES must be a list of addresses and networks, such as 10.0.0.0/8, with commas between, but is '
  const nameServers = 'NAME_SERVERS must be addresses such as 9.9.9.9, with commas between, but is '
  const bucketTogether = 'S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together'
  const prefix = 'S3_PREFIX must be names of letters and digits, each with a / behind it, such as signet/, but is '
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
      'ADDRESS_RETENTION_DAYS must be a whole number of days from 0 (for ever) to 3650, but is "3651"',
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
    [{ ADMIN_USERNAME: 'root_user' }, together],
    [{ ADMIN_USERNAME: 'root_user', ADMIN_PASSWORD: 'Unattended7Start' }, together],
    [{ ADMIN_USERNAME: 'ab' }, 'ADMIN_USERNAME must be a name of at least 3 characters, but is "ab"'],
  ])('%j', (environment, line) => expect(problemOf(environment)).toBe(line))

  test.each([
    [{ DATABASE_URL: 'mysql://root:canary@db/x' }, 'DATABASE_URL must be a postgres:// address'],
    [{ ADMIN_PASSWORD: 'canary' }, 'ADMIN_PASSWORD must be a password of at least 8 characters'],
    [{ PASSWORD_PEPPER: 'yes' }, 'PASSWORD_PEPPER must be on or off, but is "yes"'],
    [{ METRICS_TOKEN: 'canary' }, 'METRICS_TOKEN must be at least 16 characters'],
  ])('of a secret without repeating it: %j', (environment, line) => expect(problemOf(environment)).toBe(line))

  test('in one line, whatever the value holds', () => {
    expect(problemOf({ PORT: '80\nfake log line' })).not.toContain('\n')
  })
})
