import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { OperatorError } from '#database/operator-error.ts'
import { missingDatabase } from '#database/unusable.ts'
import type { Config } from '#server/config/config.ts'
import { loadSettings } from '#server/config/load-settings.ts'
import { MasterKey, MasterKeyMissing } from '#server/secrets/master-key.ts'
import { restrictNewFiles } from '#server/process/umask.ts'
import { oneLine, operatorMessage } from '#server/process/operator-message.ts'
import type { SealKey } from './sealed-file.ts'

/** An error that an operator understands without a stack. */
export class CommandFailed extends OperatorError {}

/** The settings of the server, from the same sources. */
export const readSettings = (): Config => loadSettings().config

/** `--help` was given; the message is the answer. */
class UsageRequested extends Error {}

const help = { help: { type: 'boolean', short: 'h' } } as const

/** The arguments of a command. With `--help`, the command ends here, before it reads a setting, and `usage` is shown. */
export function readArguments<O extends ParseArgsOptionsConfig>(usage: string, options: O, allowPositionals: boolean) {
  const parsed = parseStrictly(options, allowPositionals)
  if ((parsed.values as { help?: boolean }).help) {
    throw new UsageRequested(`${usage.trim()}\n\nThe settings are those of the server, from the environment or .env.`)
  }
  for (const given of [...Object.values<unknown>(parsed.values), ...parsed.positionals]) rejectTilde(given)
  return parsed
}

function parseStrictly<O extends ParseArgsOptionsConfig>(options: O, allowPositionals: boolean) {
  try {
    return parseArgs({ options: { ...options, ...help }, allowPositionals, strict: true })
  } catch (error) {
    // Node's second sentence explains how to pass a file whose name begins with a hyphen.
    const [problem = ''] = (error as Error).message.split('. ')
    throw new CommandFailed(`${problem}. --help shows the options`)
  }
}

/** A shell expands `~` only without quotes and behind a space: a folder of that name would be created. */
function rejectTilde(given: unknown): void {
  if (typeof given !== 'string' || !/^~(?:\/|$)/.test(given)) return
  throw new CommandFailed(
    `${JSON.stringify(given)} is a path with ~, which no shell has expanded: write the whole path`,
  )
}

/** The master key of an existing database. A folder without either is more likely a wrong `DATA_DIR` than a lost key. */
export function readMasterKey({ databaseUrl, dataDir, masterKeyFile }: Config): MasterKey {
  try {
    return MasterKey.read(masterKeyFile)
  } catch (error) {
    const database = join(dataDir, 'signet.db')
    const hasNeither = error instanceof MasterKeyMissing && !databaseUrl && !existsSync(database)
    throw hasNeither ? missingDatabase(database) : error
  }
}

/** The key of backups: a passphrase from a file, or a key derived from the master key. */
export function sealKeyOf(masterKey: MasterKey, passphraseFile: string | undefined): SealKey {
  if (passphraseFile === undefined) return { kind: 'key', key: masterKey.derive('backups') }
  const passphrase = readPassphrase(passphraseFile)
  if (passphrase.length < minPassphraseLength) {
    throw new CommandFailed(`The passphrase in ${passphraseFile} has less than ${minPassphraseLength} characters`)
  }
  return { kind: 'passphrase', passphrase }
}

function readPassphrase(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new CommandFailed(`The passphrase file ${file} can't be read (${(error as Error).message})`)
  }
}

/** A killed server leaves its row behind; a running one renews it. */
export const waitText = (seconds: number): string =>
  `A server of this database is running or was killed: waiting up to ${seconds} s for its heartbeat to expire.`

const minPassphraseLength = 12

const clearCodes = new Set(['ENOENT', 'ENOSPC', 'EDQUOT', 'EFBIG', 'EACCES', 'EROFS', 'EEXIST'])

/**
 * Runs a command; a known error is printed as one line without a stack. Created files are readable only by their user.
 */
export async function runCommandLine(command: () => Promise<void>, print: (line: string) => void): Promise<void> {
  restrictNewFiles()
  try {
    await command()
  } catch (error) {
    if (error instanceof UsageRequested) return void process.stdout.write(`${error.message}\n`)
    const isClear = clearCodes.has((error as NodeJS.ErrnoException).code ?? '')
    const line = operatorMessage(error) ?? (isClear ? oneLine(error as Error) : undefined)
    print(line ?? (error as Error).stack ?? String(error))
    process.exitCode = 1
  }
}
