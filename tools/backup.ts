import { join } from 'node:path'
import {
  CommandFailed,
  readArguments,
  readMasterKey,
  readSettings,
  runCommandLine,
  sealKeyOf,
} from '../src/operating/command-line.ts'
import { makeBackup } from '../src/operating/make-backup.ts'
import { readBackup } from '../src/operating/read-backup.ts'
import { MasterKey } from '../src/server/secrets/master-key.ts'

const usage = `
npm run backup -- [--to FOLDER] [--keep N] [--passphrase-file FILE]
npm run backup -- --check BACKUP [--passphrase-file FILE]

Writes everything except the master key into one encrypted file. A server can be running.

  --to FOLDER             where to write it; DATA_DIR/backups by default
  --keep N                deletes all but the newest N backups in that folder
  --check BACKUP          verifies this backup and writes none
  --passphrase-file FILE  the passphrase in FILE encrypts the backup, instead of the master key
`

await runCommandLine(async () => {
  const text = { type: 'string' } as const
  const { values } = readArguments(usage, { to: text, keep: text, check: text, 'passphrase-file': text }, false)
  const config = readSettings()
  const masterKey = values.check === undefined ? readMasterKey(config) : MasterKey.read(config.masterKeyFile)
  const key = sealKeyOf(masterKey, values['passphrase-file'])
  if (values.check !== undefined) {
    const { head, end } = await readBackup(values.check, { key })
    const rows = Object.values(end.tables).reduce((sum, table) => sum + table.rows, 0)
    const at = new Date(head.createdAt * 1000).toISOString()
    console.log(`The backup of ${at} is whole: ${rows} rows, ${Object.keys(end.files).length} files.`)
    return
  }
  if (values.keep !== undefined && !/^[1-9]\d{0,4}$/.test(values.keep)) {
    throw new CommandFailed('--keep must be a whole number from 1')
  }
  const { dataDir, databaseUrl, databaseConnections, s3 } = config
  const { file, bytes, rows, files, warnings } = await makeBackup({
    location: { dataDir, databaseUrl, databaseConnections, s3 },
    masterKey,
    masterKeyFile: config.masterKeyFile,
    key,
    folder: values.to ?? join(dataDir, 'backups'),
    retained: values.keep === undefined ? undefined : Number(values.keep),
    now: Math.floor(Date.now() / 1000),
  })
  for (const warning of warnings) console.error(warning)
  console.log(`${file}: ${bytes} bytes, ${rows} rows, ${files} files; read back and verified.`)
}, console.error)
