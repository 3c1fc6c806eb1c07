import { CommandFailed, readArguments, readSettings, runCommandLine, waitText } from '../src/operating/command-line.ts'
import { allowMovedDatabase, moveToPostgres } from '../src/operating/move-to-postgres.ts'

const usage = `
npm run migrate-to-postgres
npm run migrate-to-postgres -- --back-to-sqlite

Copies the SQLite database in DATA_DIR to the empty database in DATABASE_URL. Stop the server first. If the command is
killed, run it again.

  --back-to-sqlite  lets servers use the SQLite database again, as it was when it was moved
`

await runCommandLine(async () => {
  const { values } = readArguments(usage, { 'back-to-sqlite': { type: 'boolean' } }, false)
  const { dataDir, databaseUrl } = readSettings()
  if (values['back-to-sqlite']) {
    if (!(await allowMovedDatabase(dataDir))) throw new CommandFailed(`The database in ${dataDir} was not moved`)
    console.log('Start Signet without DATABASE_URL: it uses the SQLite database as it was when it was moved.')
    return
  }
  if (!databaseUrl) throw new CommandFailed('Set DATABASE_URL to the empty PostgreSQL database')
  const onTable = (name: string, rows: number) => console.log(`${name}: ${rows}`)
  const { rows, tables, isResumed, wasCopied, markProblem } = await moveToPostgres({
    dataDir,
    databaseUrl,
    onTable,
    wait: { onWait: (seconds) => console.error(waitText(seconds)) },
  })
  if (wasCopied) console.log('Finished: an earlier run has copied and verified all rows.')
  else
    console.log(
      `${isResumed ? 'Resumed and finished' : 'Finished'}: ${rows} rows in ${tables} tables, verified to be equal.`,
    )
  if (markProblem) {
    console.error(`The SQLite database could not be marked as moved (${markProblem}): don't start a server on it.`)
  }
  console.log('Start Signet with this DATABASE_URL and the same DATA_DIR, which holds the files and the master key.')
}, console.error)
