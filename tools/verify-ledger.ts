import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { openDatabase } from '#database/open-database.ts'
import { verifyLedger } from '#features/resellers/verify-ledger.ts'
import { readConfig } from '#server/config.ts'

/** `npm run ledger:verify`: whether the credits of resellers add up; beside a server that runs, too. */
if (existsSync('.env')) loadEnvFile('.env')
const { databaseUrl, dataDir } = readConfig(process.env)
const db = await openDatabase({ databaseUrl, dataDir, sources: [], shared: true })
const problems = await verifyLedger(db)
await db.close()
for (const { problem, appId, resellerId, found, expected } of problems)
  console.error(`${problem}: reseller ${resellerId} in app ${appId} has ${found}, not ${expected}`)
console.log(problems.length === 0 ? 'The ledger adds up.' : `The ledger does not add up: ${problems.length} problems.`)
process.exitCode = problems.length === 0 ? 0 : 1
