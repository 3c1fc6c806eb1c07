import { createReadStream, existsSync } from 'node:fs'
import { copyFile, type FileHandle, mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder } from '#database/create-folder.ts'
import type { Reader } from '#database/database.ts'
import { OperatorError } from '#database/operator-error.ts'
import { CommitUnanswered, newPostgresTarget, TargetNotEmpty } from '#database/copy/postgres-copy.ts'
import { newSqliteTarget } from '#database/copy/sqlite-copy.ts'
import { sumOf, type TableShape, type Target } from '#database/copy/table-copy.ts'
import { migrations } from '#database/migrations/list.ts'
import type { HeartbeatWait } from '#database/postgres/server-heartbeats.ts'
import { claimDatabaseFile, lockFile } from '#database/sqlite/file-lock.ts'
import { isLocked } from '#database/sqlite/lock-wait.ts'
import { copyName, setAside } from '#database/sqlite/set-aside.ts'
import { SqliteConnection } from '#database/sqlite/sqlite-connection.ts'
import { syncFolder } from '#database/sync-folder.ts'
import { filesFolder, openFileStore } from '#features/downloads/download-files.ts'
import { type KnownHead, RecordedHeads } from '#features/audit/recorded-heads.ts'
import { bucketHasFiles } from '#features/downloads/s3-store.ts'
import { verifyAudit } from '#features/audit/verify-audit.ts'
import { verifyLedger } from '#features/resellers/verify-ledger.ts'
import type { S3Settings } from '#server/config/config.ts'
import { findInstallation } from '#server/secrets/installation.ts'
import { integrityCheck } from '#server/status/platform-checks.ts'
import type { MasterKey } from '#server/secrets/master-key.ts'
import { ArchiveInvalid, type End, type Head } from './archive.ts'
import type { DataLocation } from './make-backup.ts'
import { type BackupReceiver, readBackup } from './read-backup.ts'
import type { SealKey } from './sealed-file.ts'

export interface RestoreOptions {
  /** Path of the backup. */
  file: string
  location: DataLocation
  masterKey: MasterKey
  /** Path of the master key file; the head of the audit chain is recorded next to it. */
  masterKeyFile: string
  key: SealKey
  /** Whether to replace an existing database. */
  replaces: boolean
  /** Epoch seconds. */
  now: number
  /** How to wait for servers that may be running on the PostgreSQL database. */
  wait?: HeartbeatWait
}

export interface RestoredBackup {
  createdAt: number
  rows: number
  files: number
  /** New path of the previous SQLite database. */
  before?: string | undefined
  ledgerProblems: number
  /** Position in the chain where the audit was already broken when the backup was made. */
  brokenAudit?: number | undefined
}

/** The backup cannot be restored here; the message says why. */
export class RestoreRejected extends OperatorError {}

/**
 * Replaces the data of a server by a backup, all of it or nothing: the backup is restored to a temporary place,
 * verified, migrated, and swapped in with one step. Rejected while a server runs. The database may use the other
 * engine.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredBackup> {
  const { location } = options
  createFolder(location.dataDir)
  const databaseFile = join(location.dataDir, 'signet.db')
  const release = location.databaseUrl ? claimFolder(location.dataDir) : claimDatabaseFile(databaseFile)
  try {
    if (!location.databaseUrl && existsSync(databaseFile) && !options.replaces) {
      throw new TargetNotEmpty(
        `${databaseFile} exists already: add --replace to restore anyway, which keeps a copy of it`,
      )
    }
    if (location.s3 && !options.replaces) await rejectFilesInBucket(location.s3)
    await removeLeftovers(location.dataDir)
    const staging = await mkdtemp(join(location.dataDir, stagingPrefix))
    try {
      return await restoreBeside(options, { staging, databaseFile })
    } finally {
      await rm(staging, { recursive: true, force: true })
    }
  } finally {
    release()
  }
}

/** For restores to PostgreSQL: their files are put together in the folder, and each removes what killed ones left there. */
function claimFolder(dataDir: string): () => void {
  const release = lockFile(join(dataDir, 'restore.lock'))
  if (release) return release
  throw new RestoreRejected(`Another restore uses DATA_DIR ${dataDir}. Let it end first.`)
}

const stagingPrefix = 'restore-'

/** As `mkdtemp` makes it from the prefix. */
const stagingName = /^restore-[A-Za-z0-9]{6}$/
const stagedName = /^(?:files|signet\.db(?:-wal|-shm|-journal)?)$/

/** Leftovers of interrupted restores, and nothing else with such a name. */
async function removeLeftovers(dataDir: string): Promise<void> {
  for (const entry of await readdir(dataDir, { withFileTypes: true })) {
    if (!stagingName.test(entry.name) || !entry.isDirectory()) continue
    const folder = join(dataDir, entry.name)
    const names = await readdir(folder)
    if (names.every((name) => stagedName.test(name))) await rm(folder, { recursive: true })
  }
}

async function restoreBeside(
  options: RestoreOptions,
  { staging, databaseFile }: { staging: string; databaseFile: string },
): Promise<RestoredBackup> {
  const { file, key, masterKey, masterKeyFile, location, now } = options
  const newTarget = async ({ migration }: Head): Promise<Target> =>
    location.databaseUrl
      ? newPostgresTarget(location.databaseUrl, { migration, replaces: options.replaces, wait: options.wait })
      : newSqliteTarget(join(staging, 'signet.db'), migration)
  const receiver = new Restoring(options, join(staging, 'files'), newTarget)
  try {
    const { head, end } = await readBackup(file, { key, receiver })
    await receiver.prove(end)
    await beginAnew(receiver.target.reader, now)
    const { problem: brokenAudit } = await verifyAudit({ reports: receiver.target.reader }, masterKey, [head.auditHead])
    const databaseId = (await findInstallation(receiver.target.reader))?.id
    const heads = new RecordedHeads({ masterKeyFile, dataDir: location.dataDir }, masterKey)
    const record = () => recordHead(heads, databaseId, head.auditHead)
    const before = await putInPlace(receiver.target, { ...location, staging, databaseFile, databaseId, now, record })
    const rows = Object.values(end.tables).reduce((sum, table) => sum + table.rows, 0)
    const { createdAt } = head
    const { ledgerProblems } = end
    const files = Object.keys(end.files).length
    return { createdAt, rows, files, before, ledgerProblems, brokenAudit: brokenAudit?.seq }
  } catch (error) {
    await receiver.abort()
    throw error
  }
}

/**
 * What the backup says of the machine: its time, from which a start a month later would continue, and damage, because
 * everything has just been written and read.
 */
async function beginAnew(db: Reader, now: number): Promise<void> {
  const at = now * 1000
  await db.updateTable('server_time').set({ at }).where('at', '<', at).execute()
  await db.deleteFrom('platform_checks').where('name', '=', integrityCheck).execute()
}

/**
 * The previous database may have newer entries: the operator wants the state of the backup. Returns a function that
 * undoes it.
 */
async function recordHead(heads: RecordedHeads, databaseId: string | undefined, head: KnownHead) {
  if (!databaseId) return async () => {}
  const before = await heads.find(databaseId).catch(() => undefined)
  await heads.record(databaseId, head)
  return async () => {
    if (before) await heads.record(databaseId, before)
  }
}

/** Loads a backup: rows into the target, files into a temporary folder. */
class Restoring implements BackupReceiver {
  readonly #options: RestoreOptions
  readonly #folder: string
  readonly #newTarget: (head: Head) => Promise<Target>
  #target: Target | undefined
  #table: TableShape | undefined
  #file: FileHandle | undefined

  constructor(options: RestoreOptions, folder: string, newTarget: (head: Head) => Promise<Target>) {
    this.#options = options
    this.#folder = folder
    this.#newTarget = newTarget
  }

  get target(): Target {
    if (!this.#target) throw new ArchiveInvalid('The backup has no head')
    return this.#target
  }

  async head(head: Head): Promise<void> {
    if (head.migration > migrations.length) {
      throw new RestoreRejected(
        `The backup is from a newer version (migration ${head.migration}); this version knows ${migrations.length}`,
      )
    }
    if (head.masterKeyCheck !== this.#options.masterKey.checkValue) {
      throw new RestoreRejected(
        'This master key does not belong to the backup. Put back the master key of the backup first: without it, no app can sign its replies.',
      )
    }
    await mkdir(this.#folder, { mode: 0o700 })
    this.#target = await this.#newTarget(head)
  }

  async file(id: string): Promise<void> {
    this.#file = await open(join(this.#folder, id), 'wx', 0o600)
  }

  async bytes(bytes: Buffer): Promise<void> {
    await this.#file?.writeFile(bytes)
  }

  async fileEnd(): Promise<void> {
    await this.#file?.sync()
    await this.#file?.close()
    this.#file = undefined
  }

  async table(name: string, columns: readonly string[]): Promise<void> {
    const table = this.target.tables.find((each) => each.name === name)
    if (!table || JSON.stringify(table.columns) !== JSON.stringify(columns)) {
      throw new ArchiveInvalid(`The backup has an unknown table or unknown columns: ${JSON.stringify(name)}`)
    }
    this.#table = table
  }

  async rows(rows: Parameters<Target['insert']>[1]): Promise<void> {
    if (this.#table && rows.length > 0) await this.target.insert(this.#table, rows)
  }

  /** Reads everything back from the target, then migrates it and checks that the totals match. */
  async prove(end: End): Promise<void> {
    const { target } = this
    await target.setIssued(end.issued)
    for (const table of target.tables) {
      const sum = await sumOf(target.rows(table))
      const wanted = end.tables[table.name]
      if (sum.rows !== (wanted?.rows ?? 0) || (wanted && sum.digest !== wanted.digest)) {
        throw new RestoreRejected(`The restored rows of ${table.name} differ from the backup`)
      }
    }
    await target.migrate()
    const problems = await verifyLedger({ reports: target.reader })
    if (problems.length !== end.ledgerProblems)
      throw new RestoreRejected('The restored ledger of credits does not add up')
  }

  async abort(): Promise<void> {
    await this.#file?.close()
    await this.#target?.abort()
  }
}

interface Locations extends DataLocation {
  staging: string
  databaseFile: string
  /** A backup made before databases had an ID has none: its files go where the first server that opens it looks for them. */
  databaseId: string | undefined
  now: number
  /** Records the head of the backup, and returns a function that undoes it. */
  record: () => Promise<() => Promise<void>>
}

/**
 * Files first: without a row, they are not visible. Then the head of the audit chain, which the previous database mostly
 * has as well, while the restored one would miss a newer one. Then the database, in one step. Returns the path of the
 * previous one.
 */
async function putInPlace(target: Target, locations: Locations): Promise<string | undefined> {
  await putFilesInPlace(locations)
  const undo = await locations.record()
  try {
    await target.finish()
    return locations.databaseUrl ? undefined : await replaceFile(locations)
  } catch (error) {
    // The previous data may have the head of the backup, too; the restored ones miss what was recorded before.
    if (!(error instanceof CommitUnanswered)) await undo()
    throw error
  }
}

async function replaceFile({ dataDir, staging, databaseFile, now }: Locations): Promise<string | undefined> {
  const before = existsSync(databaseFile) ? copyName(databaseFile, now) : undefined
  if (before) {
    tryToFoldLogIn(databaseFile)
    setAside(databaseFile, before)
  }
  // The search index belongs to the other database and is rebuilt automatically.
  for (const ending of ['', '-wal', '-shm']) await rm(`${databaseFile}-search${ending}`, { force: true })
  await rename(join(staging, 'signet.db'), databaseFile)
  await syncFolder(dataDir)
  return before
}

async function putFilesInPlace({ staging, databaseId, ...location }: Locations): Promise<void> {
  const restored = join(staging, 'files')
  const ids = await readdir(restored)
  if (location.s3) {
    const store = openFileStore(location, databaseId)
    for (const id of ids) {
      const { size } = await stat(join(restored, id))
      // The previous database may have the same file, and stays if this fails.
      await store.receive(id, createReadStream(join(restored, id)), size, { mayExist: true })
    }
    return
  }
  const folder = filesFolder(location.dataDir, databaseId)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const id of ids) await moveFile(join(restored, id), join(folder, id))
  await syncFolder(folder)
}

/** The folder of the files may be on another disk than the database. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    return await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
  }
  const partial = `${to}.part`
  try {
    await copyFile(from, partial)
    await syncFile(partial)
    await rename(partial, to)
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {})
    throw error
  }
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A server on another machine may use these files, and this one would remove files that its backup does not know. */
async function rejectFilesInBucket(s3: S3Settings): Promise<void> {
  if (await bucketHasFiles(s3)) throw new TargetNotEmpty(`The bucket already has files under ${s3.prefix}`)
}

function tryToFoldLogIn(databaseFile: string): void {
  try {
    foldLogIn(databaseFile)
  } catch (error) {
    if (error instanceof RestoreRejected || isLocked(error)) throw error
    // It is damaged, which may be the reason for the restore: its log stays beside it.
  }
}

/** Throws if another program has the file open. */
function foldLogIn(databaseFile: string): void {
  const connection = new SqliteConnection(databaseFile)
  try {
    connection.run('pragma journal_mode = delete', [])
  } finally {
    connection.close()
  }
  if (existsSync(`${databaseFile}-wal`)) throw new RestoreRejected(`Another program has ${databaseFile} open`)
}
