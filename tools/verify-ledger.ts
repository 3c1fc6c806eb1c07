import { openDatabase } from '#database/open-database.ts'
import { verifyLedger } from '#features/resellers/verify-ledger.ts'
import { readArguments, readSettings, runCommandLine } from '../src/operating/command-line.ts'

const usage = `
npm run ledger:verify

Verifies that the credits of resellers add up. A server can be running.
`

await runCommandLine(async () => {
  readArguments(usage, {}, false)
  const { databaseUrl, databaseConnections, dataDir } = readSettings()
  const db = await openDatabase({ databaseUrl, databaseConnections, dataDir, sources: [], shared: true })
  const problems = await verifyLedger(db).finally(() => db.close())
  for (const { problem, appId, resellerId, found, expected } of problems)
    console.error(`${problem}: reseller ${resellerId} in app ${appId} has ${found}, not ${expected}`)
  console.log(
    problems.length === 0 ? 'The ledger adds up.' : `The ledger does not add up: ${problems.length} problems.`,
  )
  process.exitCode = problems.length === 0 ? 0 : 1
}, console.error)
