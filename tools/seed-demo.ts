import { openDatabase } from '#database/open-database.ts'
import { openMasterKey } from '#server/secrets/open-master-key.ts'
import { fillPlatform, isEmptyPlatform } from '#testing/demo/fill-platform.ts'
import { demoPassword } from '#testing/demo/story.ts'
import { features } from '#features.ts'
import { CommandFailed, readSettings, runCommandLine } from '../src/operating/command-line.ts'

/** `npm run demo`: fills the configured database with realistic demo data. */
await runCommandLine(async () => {
  const config = readSettings()
  const { databaseUrl, databaseConnections, dataDir, masterKeyFile } = config
  const db = await openDatabase({
    databaseUrl,
    databaseConnections,
    dataDir,
    sources: features.flatMap((feature) => feature.searches ?? []),
  })
  try {
    const empty = await isEmptyPlatform(db)
    if (!empty && process.argv.includes('--if-empty')) return
    if (!empty) {
      throw new CommandFailed('This database has accounts already: demo data goes into an empty one (set DATA_DIR)')
    }
    const masterKey = await openMasterKey({ db, file: masterKeyFile, features })
    const now = Math.floor(Date.now() / 1000)
    const made = await fillPlatform({ config, db, masterKey }, { now })
    console.log(`Made ${made.apps} apps, ${made.licenses} licenses and ${made.users} users.`)
    for (const username of made.accounts) console.log(`Sign in as ${username} with the password ${demoPassword}`)
  } finally {
    await db.close()
  }
}, console.error)
