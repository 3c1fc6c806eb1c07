import {
  CommandFailed,
  readArguments,
  readSettings,
  runCommandLine,
  sealKeyOf,
  waitText,
} from '../src/operating/command-line.ts'
import { restoreBackup } from '../src/operating/restore-backup.ts'
import { MasterKey } from '../src/server/secrets/master-key.ts'

const usage = `
npm run restore -- BACKUP [--replace] [--passphrase-file FILE]

Restores a backup completely or not at all. Stop the server first.

  --replace               replaces the data that are there; a SQLite database is kept as signet.db.before-…
  --passphrase-file FILE  the passphrase that encrypted the backup
`

await runCommandLine(async () => {
  const options = { replace: { type: 'boolean' }, 'passphrase-file': { type: 'string' } } as const
  const { values, positionals } = readArguments(usage, options, true)
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new CommandFailed('Name the backup file: npm run restore -- FILE')
  const config = readSettings()
  const masterKey = MasterKey.read(config.masterKeyFile)
  const restored = await restoreBackup({
    file,
    location: { dataDir: config.dataDir, databaseUrl: config.databaseUrl, s3: config.s3 },
    masterKey,
    masterKeyFile: config.masterKeyFile,
    key: sealKeyOf(masterKey, values['passphrase-file']),
    replaces: values.replace ?? false,
    now: Math.floor(Date.now() / 1000),
    wait: { onWait: (seconds) => console.error(waitText(seconds)) },
  })
  const { createdAt, rows, files, before, ledgerProblems, brokenAudit } = restored
  if (ledgerProblems > 0)
    console.error(`The ledger of credits did not add up when the backup was made: ${ledgerProblems}`)
  if (brokenAudit) console.error(`The audit was broken when the backup was made: place ${brokenAudit} of the chain.`)
  if (before) console.log(`The previous database is kept as ${before}. Delete it when you no longer need it.`)
  console.log(`Restored the backup of ${new Date(createdAt * 1000).toISOString()}: ${rows} rows, ${files} files.`)
}, console.error)
