import { createReadStream, existsSync } from 'node:fs'
import { type FileHandle, link, mkdir, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '#database/operator-error.ts'
import { newPostgresTarget, TargetNotEmpty } from '#database/copy/postgres-copy.ts'
import { newSqliteTarget } from '#database/copy/sqlite-copy.ts'
import { sumOf, type TableShape, type Target } from '#database/copy/table-copy.ts'
import { migrations } from '#database/migrations/list.ts'
import type { SignWait } from '#database/postgres/signs-of-life.ts'
import { claimDatabaseFile } from '#database/sqlite/file-lock.ts'
import { isLocked } from '#database/sqlite/lock-wait.ts'
import { SqliteConnection } from '#database/sqlite/sqlite-connection.ts'
import { filesFolder, openFileStore } from '#features/downloads/download-files.ts'
import { RecordedHeads } from '#features/audit/recorded-heads.ts'
import { bucketHasFiles } from '#features/downloads/s3-store.ts'
import { verifyAudit } from '#features/audit/verify-audit.ts'
import { verifyLedger } from '#features/resellers/verify-ledger.ts'
import type { S3Settings } from '#server/config.ts'
import { findInstallation } from '#server/installation.ts'
import type { MasterKey } from '#server/master-key.ts'
import { ArchiveInvalid, type End, type Head } from './archive.ts'
import { type DataPlace, syncFolder } from './make-backup.ts'
import { type BackupReceiver, readBackup } from './read-backup.ts'
import type { SealKey } from './sealed-file.ts'

export interface RestoreOptions {
  /** The backup. */
  file: string
  place: DataPlace
  masterKey: MasterKey
  /** The file of that key; the head of the audit chain is recorded beside it. */
  masterKeyFile: string
  key: SealKey
  /** Whether it takes the place of a database that is there. */
  replaces: boolean
  /** Epoch seconds. */
  now: number
  /** How it waits for servers that may run on the PostgreSQL database. */
  wait?: SignWait
}

export interface RestoredBackup {
  createdAt: number
  rows: number
  files: number
  /** Where the SQLite database from before is now. */
  before?: string | undefined
  ledgerProblems: number
  /** Where the audit was broken already when the backup was made: its place in the chain. */
  brokenAudit?: number | undefined
}

/** The backup can't be restored here, and why. */
export class RestoreRejected extends OperatorError {}

/**
 * Puts a backup in the place of a server's data, all of it or nothing: it is restored beside, proven, brought up to
 * date, and changes places in one step. Refuses while a server runs. The database may be of the other engine.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredBackup> {
  const { place } = options
  await mkdir(place.dataDir, { recursive: true, mode: 0o700 })
  const databaseFile = join(place.dataDir, 'signet.db')
  const release = place.databaseUrl ? () => {} : claimDatabaseFile(databaseFile)
  try {
    if (!place.databaseUrl && existsSync(databaseFile) && !options.replaces) {
      throw new TargetNotEmpty(`${databaseFile} exists already`)
    }
    if (place.s3 && !options.replaces) await rejectFilesInBucket(place.s3)
    await removeLeftovers(place.dataDir)
    const staging = await mkdtemp(join(place.dataDir, stagingPrefix))
    try {
      return await restoreBeside(options, { staging, databaseFile })
    } finally {
      await rm(staging, { recursive: true, force: true })
    }
  } finally {
    release()
  }
}

const stagingPrefix = 'restore-'

/** Of restorations that were killed. */
async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(stagingPrefix)) await rm(join(dataDir, name), { recursive: true })
  }
}

async function restoreBeside(
  options: RestoreOptions,
  { staging, databaseFile }: { staging: string; databaseFile: string },
): Promise<RestoredBackup> {
  const { file, key, masterKey, masterKeyFile, place, now } = options
  const newTarget = async ({ migration }: Head): Promise<Target> =>
    place.databaseUrl
      ? newPostgresTarget(place.databaseUrl, { migration, replaces: options.replaces, wait: options.wait })
      : newSqliteTarget(join(staging, 'signet.db'), migration)
  const receiver = new Restoring(options, join(staging, 'files'), newTarget)
  try {
    const { head, end } = await readBackup(file, { key, receiver })
    await receiver.prove(end)
    const { problem: brokenAudit } = await verifyAudit({ reports: receiver.target.reader }, masterKey, [head.auditHead])
    const databaseId = (await findInstallation(receiver.target.reader))?.id
    const before = await putInPlace(receiver.target, { ...place, staging, databaseFile, now })
    // The database from before may have gone further: the operator wants what the backup has.
    const recordedHeads = new RecordedHeads({ masterKeyFile, dataDir: place.dataDir }, masterKey)
    if (databaseId) await recordedHeads.record(databaseId, head.auditHead)
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

/** Takes a backup in: rows into the target, files into a folder beside. */
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

  /** Reads everything again from where it is now, then brings it up to date and checks what must add up. */
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

interface Places extends DataPlace {
  staging: string
  databaseFile: string
  now: number
}

/** Files first: without a row nobody sees them. Then the database, in one step. Gives where the one before is. */
async function putInPlace(target: Target, places: Places): Promise<string | undefined> {
  const { databaseUrl, dataDir, staging, databaseFile, now } = places
  // A backup from before databases had an id: its files go where the first server that opens it finds them.
  await putFilesInPlace(places, (await findInstallation(target.reader))?.id)
  await target.finish()
  if (databaseUrl) return undefined
  const before = existsSync(databaseFile) ? `${databaseFile}.before-${now}` : undefined
  if (before) await setAside(databaseFile, before)
  // It is of the other database, and is made again by itself.
  for (const ending of ['', '-wal', '-shm']) await rm(`${databaseFile}-search${ending}`, { force: true })
  await rename(join(staging, 'signet.db'), databaseFile)
  await syncFolder(dataDir)
  return before
}

async function putFilesInPlace({ staging, ...place }: Places, databaseId: string | undefined): Promise<void> {
  const restored = join(staging, 'files')
  const ids = await readdir(restored)
  if (place.s3) {
    const store = openFileStore(place, databaseId)
    for (const id of ids) {
      const { size } = await stat(join(restored, id))
      await store.receive(id, createReadStream(join(restored, id)), size)
    }
    return
  }
  const folder = filesFolder(place.dataDir, databaseId)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const id of ids) await rename(join(restored, id), join(folder, id))
  await syncFolder(folder)
}

/** A server that runs on another machine may have them, and this one would sweep what its backup doesn't know. */
async function rejectFilesInBucket(s3: S3Settings): Promise<void> {
  if (await bucketHasFiles(s3)) throw new TargetNotEmpty(`The bucket already has files under ${s3.prefix}`)
}

/** Gives a database a second name; its log, which would be taken for the next database's, goes into it. */
async function setAside(databaseFile: string, before: string): Promise<void> {
  try {
    foldLogIn(databaseFile)
  } catch (error) {
    if (error instanceof RestoreRejected || isLocked(error)) throw error
    // It is damaged, which may be why there is a restoration: everything of it stays beside.
    for (const ending of ['-wal', '-shm']) {
      if (existsSync(databaseFile + ending)) await rename(databaseFile + ending, before + ending)
    }
  }
  await link(databaseFile, before)
}

/** Fails when another program has the file open. */
function foldLogIn(databaseFile: string): void {
  const connection = new SqliteConnection(databaseFile)
  try {
    connection.run('pragma journal_mode = delete', [])
  } finally {
    connection.close()
  }
  if (existsSync(`${databaseFile}-wal`)) throw new RestoreRejected(`Another program has ${databaseFile} open`)
}
