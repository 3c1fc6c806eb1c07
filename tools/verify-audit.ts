import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { openDatabase } from '#database/open-database.ts'
import { type ChainProblem, type KnownHead, verifyAudit } from '#features/audit/verify-audit.ts'
import { readConfig } from '#server/config.ts'
import { MasterKey } from '#server/master-key.ts'

/**
 * `npm run audit:verify`: whether the audit is what was written; beside a server that runs, too. Heads that were written
 * down, from the server's log or an earlier run, can be given as `SEQ:HASH`: they must be in the chain.
 */
if (existsSync('.env')) loadEnvFile('.env')
const { databaseUrl, dataDir, masterKeyFile } = readConfig(process.env)
if (!existsSync(masterKeyFile)) throw new Error(`There is no master key at ${masterKeyFile}`)

const known = process.argv.slice(2).map((text): KnownHead => {
  const [, seq, hash = ''] = /^(\d+):([\w-]{43})$/.exec(text) ?? []
  if (seq === undefined) throw new Error(`${text} is no head: give SEQ:HASH`)
  return { seq: Number(seq), hash }
})

const texts: Record<ChainProblem['problem'], string> = {
  changed: 'is not what was sealed: it was changed',
  removed: 'is missing: one or more rows were removed from here on',
  inserted: 'was never sealed here: it was inserted',
  reordered: 'was sealed in another place: rows were put in another order',
  head: 'is the end of the chain, which this server did not sign',
  rewritten: 'is not what was written down: the chain was made anew',
}

const db = await openDatabase({ databaseUrl, dataDir, sources: [], shared: true })
const { problem, head, sealed, unsealed } = await verifyAudit(db, MasterKey.fromFile(masterKeyFile), known)
await db.close()
if (unsealed > 0) console.log(`${unsealed} rows are not sealed yet.`)
if (problem) {
  const row = problem.id === undefined ? '' : ` (audit row ${problem.id})`
  console.error(`The audit is broken. Place ${problem.seq} of the chain${row} ${texts[problem.problem]}.`)
} else {
  console.log(
    `The audit is whole: ${sealed} rows. Write down where it ends, outside this machine: ${head.seq}:${head.hash}`,
  )
}
process.exitCode = problem ? 1 : 0
