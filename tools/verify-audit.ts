import { openDatabase } from '#database/open-database.ts'
import { type KnownHead, RecordedHeads } from '#features/audit/recorded-heads.ts'
import { type ChainProblem, verifyAudit, verifyRecordedAudit } from '#features/audit/verify-audit.ts'
import { readInstallation } from '#server/secrets/installation.ts'
import { requireMasterKeyOf } from '#server/secrets/open-master-key.ts'
import {
  CommandFailed,
  readArguments,
  readMasterKey,
  readSettings,
  runCommandLine,
  sealKeyOf,
} from '../src/operating/command-line.ts'
import { readBackup } from '../src/operating/read-backup.ts'

const usage = `
npm run audit:verify -- [SEQ:HASH …] [--backup BACKUP …] [--passphrase-file FILE]
npm run audit:verify -- --accept

Verifies that the audit is unchanged. A server can be running. SEQ:HASH is an end of the chain that you recorded earlier.

  --backup BACKUP         also compares the chain with the end in this backup
  --passphrase-file FILE  the passphrase that encrypted the backup
  --accept                records the present end, after a restore by other means than npm run restore
`

const texts: Record<ChainProblem['problem'], string> = {
  changed: 'differs from what was sealed: it was changed',
  removed: 'is missing: one or more rows were removed from here on',
  inserted: 'was never sealed here: it was inserted',
  reordered: 'was sealed at another position: rows were reordered',
  head: 'is the end of the chain, which this server did not sign',
  rewritten: 'does not match the recorded head: the chain was rebuilt, or the database was restored (see --accept)',
  record: 'is the end of the chain, but the head recorded beside the master key was not written by this server',
}

function knownHead(text: string): KnownHead {
  const [, seq, hash = ''] = /^(\d+):([\w-]{43})$/.exec(text) ?? []
  if (seq === undefined) throw new CommandFailed(`${text} is no head: give SEQ:HASH`)
  return { seq: Number(seq), hash }
}

await runCommandLine(async () => {
  const { values, positionals } = readArguments(
    usage,
    {
      backup: { type: 'string', multiple: true },
      'passphrase-file': { type: 'string' },
      accept: { type: 'boolean', default: false },
    } as const,
    true,
  )
  const known = positionals.map(knownHead)
  const config = readSettings()
  const masterKey = readMasterKey(config)
  for (const file of values.backup ?? []) {
    const { head } = await readBackup(file, { key: sealKeyOf(masterKey, values['passphrase-file']) })
    known.push(head.auditHead)
  }
  const { databaseUrl, databaseConnections, dataDir, masterKeyFile } = config
  const db = await openDatabase({ databaseUrl, databaseConnections, dataDir, sources: [], shared: true })
  try {
    await requireMasterKeyOf(db.read, masterKey, masterKeyFile)
    const { problem, head, sealed, unsealed } = values.accept
      ? await verifyAudit(db, masterKey, known)
      : await verifyRecordedAudit({ db, masterKey, config }, known)
    if (unsealed > 0) console.log(`${unsealed === 1 ? '1 row is' : `${unsealed} rows are`} not sealed yet.`)
    if (problem) {
      const row = problem.id === undefined ? '' : ` (audit row ${problem.id})`
      throw new CommandFailed(
        `The audit chain is broken. Place ${problem.seq} of the chain${row} ${texts[problem.problem]}.`,
      )
    }
    if (values.accept) await new RecordedHeads(config, masterKey).record((await readInstallation(db)).id, head)
    console.log(`The audit chain is whole: ${sealed} rows. Keep its end outside this machine: ${head.seq}:${head.hash}`)
  } finally {
    await db.close()
  }
}, console.error)
