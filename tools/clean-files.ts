import { openDatabase } from '../src/database/open-database.ts'
import { openFileStore } from '../src/features/downloads/download-files.ts'
import { findOrphans, removedDays, setAsideOrphans } from '../src/features/downloads/file-cleanup.ts'
import { CommandFailed, readArguments, readSettings, runCommandLine } from '../src/operating/command-line.ts'
import { findInstallation } from '../src/server/secrets/installation.ts'
import { newLog } from '../src/server/log/log.ts'

const usage = `
npm run files:cleanup -- [--set-aside]

Counts the uploaded files, and those without a row in the database. A server can be running.

  --set-aside  moves the files without a row aside, however many there are; after 30 days they are deleted
`

await runCommandLine(async () => {
  const { values } = readArguments(usage, { 'set-aside': { type: 'boolean' } }, false)
  const config = readSettings()
  const db = await openDatabase({ ...config, sources: [], shared: true })
  try {
    const installation = await findInstallation(db.read)
    if (!installation) throw new CommandFailed('No server has opened this database yet, so it has no files')
    const now = Math.floor(Date.now() / 1000)
    const cleanup = { db, store: openFileStore(config, installation.id), log: newLog('error'), now }
    const orphans = await findOrphans(cleanup)
    const { files, ids } = orphans
    console.log(`${files} files of the database ${installation.id}; without a row and older than a day: ${ids.length}.`)
    if (!values['set-aside']) return
    const moved = await setAsideOrphans(cleanup, orphans)
    console.log(`Set aside: ${moved}. They can be brought back for ${removedDays} days.`)
  } finally {
    await db.close()
  }
}, console.error)
