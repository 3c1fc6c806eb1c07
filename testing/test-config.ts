import { join } from 'node:path'
import type { Config } from '#server/config/config.ts'

/** All requests of tests come from one address, as fast as possible; tests of the limits set their own. */
const withoutLimits: Config['limits'] = {
  registrationsPerHour: 1e9,
  anonymousCallsPerMinute: 1e9,
  programStartsPerMinute: 1e9,
  heartbeatsPerMinute: 1e9,
  rejectedRequestsPerMinute: 1e9,
}

/** The settings of a server without proxies that only uses this name server. */
export const testConfig = (dataDir: string, nameServer: string): Config => ({
  port: 0,
  host: '127.0.0.1',
  publicUrl: 'http://signet.test',
  dataDir,
  masterKeyFile: join(dataDir, 'master.key'),
  trustedProxies: [],
  logLevel: process.env['TEST_LOG'] ?? 'fatal',
  limits: { ...withoutLimits },
  defaultPlan: 'Free',
  links: {},
  maxUploadBytes: 8_000_000,
  ipData: { countryFile: join(dataDir, 'ip/country.mmdb'), vpnFile: join(dataDir, 'ip/vpn.txt') },
  nameServers: [nameServer],
  addressRetentionDays: 90,
  logEntriesPerApp: 1_000_000,
  drainSeconds: 0,
  logRequests: false,
  diskLowBytes: 0,
  outgoing: { allowHttp: false },
})
