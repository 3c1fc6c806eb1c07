import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { openDatabase } from '#database/open-database.ts'
import { readConfig } from '#server/config.ts'
import { MasterKey } from '#server/master-key.ts'
import { accountCost, Passwords } from '#server/passwords.ts'
import { fillPlatform, isEmptyPlatform } from '#testing/seed.ts'
import { features } from '#features.ts'

/** `npm run demo`: fills the configured database with a believable platform. */
if (existsSync('.env')) loadEnvFile('.env')
const config = readConfig(process.env)
const db = await openDatabase({
  databaseUrl: config.databaseUrl,
  dataDir: config.dataDir,
  sources: features.flatMap((feature) => feature.searches ?? []),
})
try {
  const empty = await isEmptyPlatform(db)
  if (empty || !process.argv.includes('--if-empty')) {
    if (!empty) throw new Error('This database has accounts already: demo data goes into an empty one (set DATA_DIR)')
    const password = 'Demo-only-4711'
    const passwordHash = await new Passwords().hash(password, accountCost)
    const now = Math.floor(Date.now() / 1000)
    const made = await fillPlatform(db, MasterKey.fromFile(config.masterKeyFile), { passwordHash, now })
    console.log(`Made ${made.apps} apps, ${made.licenses} licenses and ${made.users} users.`)
    for (const username of made.owners) console.log(`Sign in as ${username} with the password ${password}`)
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  await db.close()
}
