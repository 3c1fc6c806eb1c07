import { CommandFailed, readSettings, runCommandLine, waitText } from '../src/operating/command-line.ts'
import { moveToPostgres } from '../src/operating/move-to-postgres.ts'

/**
 * `DATABASE_URL=postgres://… npm run migrate-to-postgres`: copies the SQLite database in `DATA_DIR`. If killed, it
 * resumes on the next run.
 */
await runCommandLine(async () => {
  const { dataDir, databaseUrl } = readSettings()
  if (!databaseUrl) throw new CommandFailed('Set DATABASE_URL to the empty PostgreSQL database')
  const onTable = (name: string, rows: number) => console.log(`${name}: ${rows}`)
  const { rows, tables, isResumed } = await moveToPostgres({
    dataDir,
    databaseUrl,
    onTable,
    wait: { onWait: (seconds) => console.error(waitText(seconds)) },
  })
  console.log(
    `${isResumed ? 'Resumed and finished' : 'Finished'}: ${rows} rows in ${tables} tables, verified to be equal.`,
  )
  console.log('Start Signet with this DATABASE_URL and the same DATA_DIR, which holds the files and the master key.')
}, console.error)
