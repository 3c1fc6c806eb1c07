import { join } from 'node:path'
import type { Config } from '#server/config.ts'

/** Tests come from one address, at the pace of their machine; those of the limits name their own. */
const withoutLimits: Config['limits'] = {
  registrationsPerHour: 1e9,
  anonymousCallsPerMinute: 1e9,
  programStartsPerMinute: 1e9,
  heartbeatsPerMinute: 1e9,
  rejectedRequestsPerMinute: 1e9,
}

/** The settings of a plain server without proxies, whose questions go to this name server alone. */
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
