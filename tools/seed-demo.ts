import { openDatabase } from '#database/open-database.ts'
import { openMasterKey } from '#server/secrets/open-master-key.ts'
import { fillPlatform, isEmptyPlatform } from '#testing/demo/fill-platform.ts'
import { demoPassword } from '#testing/demo/story.ts'
import { features } from '#features.ts'
import { CommandFailed, readArguments, readSettings, runCommandLine } from '../src/operating/command-line.ts'

const usage = `
npm run demo -- [--if-empty]

Fills an empty database with demo data, and prints the names and the password to sign in with.

  --if-empty  does nothing and succeeds if there are accounts already
`

await runCommandLine(async () => {
  const { values } = readArguments(usage, { 'if-empty': { type: 'boolean' } }, false)
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
    if (!empty && values['if-empty']) return
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
