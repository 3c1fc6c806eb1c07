import { existsSync, readFileSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { databaseIsUnavailable } from '#database/unavailable.ts'
import { ArchiveInvalid } from './archive.ts'
import { TargetNotEmpty } from '#database/copy/postgres-copy.ts'
import { StoreUnavailable } from '#features/downloads/file-store.ts'
import { type Config, ConfigInvalid, readConfig } from '#server/config.ts'
import { MasterKey } from '#server/master-key.ts'
import { RestoreRefused } from './restore-backup.ts'
import { SealBroken, type SealKey } from './sealed-file.ts'
import { CopyWrong } from './move-to-postgres.ts'

/** What an operator can understand without a stack. */
export class CommandFailed extends Error {}

/** The settings of the server, from where it takes them. */
export function readSettings(): Config {
  if (existsSync('.env')) loadEnvFile('.env')
  return readConfig(process.env)
}

export function readArguments<O extends ParseArgsOptionsConfig>(options: O, allowPositionals: boolean) {
  try {
    return parseArgs({ options, allowPositionals, strict: true })
  } catch (error) {
    throw new CommandFailed((error as Error).message)
  }
}

/** Never makes one: a new key would open nothing. */
export function readMasterKey({ masterKeyFile }: Config): MasterKey {
  try {
    return MasterKey.read(masterKeyFile)
  } catch (error) {
    throw new CommandFailed(`The master key ${masterKeyFile} can't be read: ${(error as Error).message}`)
  }
}

/** Of backups: the passphrase in a file, or else what is derived from the master key. */
export function sealKeyOf(masterKey: MasterKey, passphraseFile: string | undefined): SealKey {
  if (passphraseFile === undefined) return { kind: 'key', key: masterKey.derive('backups') }
  const passphrase = readFileSync(passphraseFile, 'utf8').replace(/\r?\n$/, '')
  if (passphrase.length < minPassphraseLength) {
    throw new CommandFailed(`The passphrase in ${passphraseFile} has less than ${minPassphraseLength} characters`)
  }
  return { kind: 'passphrase', passphrase }
}

const minPassphraseLength = 12

const clearErrors = [
  ArchiveInvalid,
  CommandFailed,
  ConfigInvalid,
  CopyWrong,
  RestoreRefused,
  SealBroken,
  StoreUnavailable,
  TargetNotEmpty,
]
const clearCodes = new Set(['ENOENT', 'ENOSPC', 'EDQUOT', 'EFBIG', 'EACCES', 'EEXIST', 'ECONNREFUSED'])

/** Runs a command; what goes wrong is one line where that says it all. */
export async function runCommandLine(command: () => Promise<void>, print: (line: string) => void): Promise<void> {
  try {
    await command()
  } catch (error) {
    const isClear =
      clearErrors.some((kind) => error instanceof kind) ||
      databaseIsUnavailable(error) ||
      clearCodes.has((error as NodeJS.ErrnoException).code ?? '')
    print(isClear ? (error as Error).message : ((error as Error).stack ?? String(error)))
    process.exitCode = 1
  }
}
