import { openDatabase } from '#database/open-database.ts'
import { features } from '#features.ts'
import { openMasterKey } from '#server/secrets/open-master-key.ts'
import { testConfig } from '../test-config.ts'
import type { DemoPlatform } from './demo-server.ts'
import { fillPlatform } from './fill-platform.ts'

/** An empty platform in a folder. The caller closes its database. */
export async function openEmptyPlatform(dataDir: string, databaseUrl?: string): Promise<DemoPlatform> {
  const config = testConfig(dataDir, '127.0.0.1')
  const sources = features.flatMap((feature) => feature.searches ?? [])
  const db = await openDatabase({ databaseUrl, databaseConnections: 12, dataDir, sources })
  return { config, db, masterKey: await openMasterKey({ db, file: config.masterKeyFile, features }) }
}

/** The whole story of `npm run demo`, with few licenses. */
export const fillSmallDemo = (platform: DemoPlatform): ReturnType<typeof fillPlatform> =>
  fillPlatform(platform, { now: Math.floor(Date.now() / 1000), maxLicenses: 80 })
