import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { createFolder } from '#database/create-folder.ts'
import { openPostgresSnapshot } from '#database/copy/postgres-copy.ts'
import { openSqliteSnapshot } from '#database/copy/sqlite-copy.ts'
import { RowSum, type Snapshot, type TableSum } from '#database/copy/table-copy.ts'
import { openDatabase } from '#database/open-database.ts'
import { syncFolder } from '#database/sync-folder.ts'
import { findHead } from '#features/audit/audit-chain.ts'
import { openFileStore } from '#features/downloads/download-files.ts'
import {
  listIdsWithRow,
  listKnownIds,
  listStoredFiles,
  listStoredFilesInBin,
} from '#features/downloads/downloads.reads.ts'
import { FileMissing } from '#features/downloads/file-store.ts'
import { verifyLedger } from '#features/resellers/verify-ledger.ts'
import type { S3Settings } from '#server/config/config.ts'
import { findInstallation } from '#server/secrets/installation.ts'
import type { MasterKey } from '#server/secrets/master-key.ts'
import { requireMasterKeyOf } from '#server/secrets/open-master-key.ts'
import { type FinishedBackup, recordBackup } from '#server/status/backups.ts'
import { archiveFormat, type ArchiveRecord, writeRecords } from './archive.ts'
import { readBackup } from './read-backup.ts'
import { sealWith, type SealKey } from './sealed-file.ts'

/** Where a server stores its data. */
export interface DataLocation {
  /** `postgres://…`; without it, SQLite in `dataDir`. */
  databaseUrl?: string | undefined
  /** Connections to PostgreSQL that this process may open; without it, as many as a server does by default. */
  databaseConnections?: number | undefined
  dataDir: string
  /** Storage of uploaded files; without it, they are in `dataDir`. */
  s3?: S3Settings | undefined
}

export interface BackupOptions {
  location: DataLocation
  masterKey: MasterKey
  /** Tells the operator where the key comes from. */
  masterKeyFile: string
  key: SealKey
  /** Target folder; created if missing. */
  folder: string
  /** Number of newest backups to keep; without it, all are kept. */
  retained?: number | undefined
  /** Epoch seconds. */
  now: number
}

export interface MadeBackup {
  file: string
  bytes: number
  rows: number
  files: number
  /** Problems of the data itself, one line each; the backup contains the data as it is. */
  warnings: string[]
}

export const openSnapshot = ({ databaseUrl, dataDir }: DataLocation): Promise<Snapshot> =>
  databaseUrl ? openPostgresSnapshot(databaseUrl) : Promise.resolve(openSqliteSnapshot(join(dataDir, 'signet.db')))

/**
 * Writes a consistent snapshot of everything but the master key into one sealed file while servers keep running, and
 * verifies it by reading it back. Only then is the file renamed and are old backups deleted. On failure, nothing
 * remains.
 */
export async function makeBackup(options: BackupOptions): Promise<MadeBackup> {
  const { location, masterKey, masterKeyFile, key, folder, retained, now } = options
  createFolder(folder)
  // A backup that is being made at the same time is not in the list, so two never delete each other.
  const before = await listBackups(folder)
  const snapshot = await openSnapshot(location)
  const warnings: string[] = []
  let partial: string | undefined
  try {
    // A backup whose head names another key than the one of its secrets could not be restored.
    await requireMasterKeyOf(snapshot.reader, masterKey, masterKeyFile)
    const damages = await snapshot.damages()
    if (damages.length > 0) throw new Error(`The database is damaged: ${damages.join('; ')}`)
    const { file, handle } = await createPartial(folder, now)
    partial = partialOf(file)
    const output = handle.createWriteStream({ flush: true })
    const frames = Readable.from(writeRecords(recordsOf(snapshot, options, warnings)), { objectMode: false })
    await pipeline(frames, createGzip({ level: 4 }), sealWith(key), output)
    const { end } = await readBackup(partial, { key })
    const { size: bytes } = await stat(partial)
    await rename(partial, file)
    await syncFolder(folder)
    if (retained !== undefined) {
      const others = before.filter((name) => name !== basename(file))
      await removeOld(folder, byAge(others, now), retained - 1)
    }
    await removeAbandoned(folder, now)
    const rows = Object.values(end.tables).reduce((sum, table) => sum + table.rows, 0)
    if (snapshot.isUpToDate) await writeDown(location, { takenAt: now, bytes }, warnings)
    return { file, bytes, rows, files: Object.keys(end.files).length, warnings }
  } catch (error) {
    if (partial !== undefined) await rm(partial, { force: true })
    throw error
  } finally {
    await snapshot.close()
  }
}

async function* recordsOf(
  snapshot: Snapshot,
  { location, masterKey, now }: BackupOptions,
  warnings: string[],
): AsyncGenerator<ArchiveRecord> {
  const { migration, issued } = snapshot
  const { seq, hash } = await findHead(snapshot.reader)
  yield {
    is: 'head',
    format: archiveFormat,
    createdAt: now,
    migration,
    masterKeyCheck: masterKey.checkValue,
    auditHead: { seq, hash },
  }
  // First, so that files deleted meanwhile are known before their rows are written.
  const stored = new StoredFiles(location, snapshot, warnings)
  yield* stored.records()
  const tables: Record<string, TableSum> = {}
  for (const table of snapshot.tables) {
    const { name } = table
    if (leftOut.has(name)) continue
    yield { is: 'table', name, columns: [...table.columns] }
    const sum = new RowSum()
    const file = table.columns.indexOf(columnOfFile[name] ?? '')
    for await (const all of snapshot.rows(table)) {
      const rows = file < 0 ? all : all.filter((row) => !stored.deleted.has(String(row[file])))
      sum.add(rows)
      yield { is: 'rows', rows }
    }
    tables[name] = sum.value
  }
  const ledgerProblems = (await verifyLedger({ reports: snapshot.reader })).length
  if (ledgerProblems > 0) warnings.push(`The ledger of credits does not add up: ${ledgerProblems} problems.`)
  yield { is: 'end', tables, issued: { ...issued }, files: stored.hashes, ledgerProblems }
}

/** A nonce counts for minutes; a restore goes back to a time before it. */
const leftOut: ReadonlySet<string> = new Set(['used_nonces'])

/** The column with the ID of a stored file. */
const columnOfFile: Record<string, string> = { downloads: 'id', bin_items: 'row_key' }

/** False for a database of an earlier version. */
const keepsFilesInBin = ({ tables }: Snapshot): boolean =>
  tables.some(({ name, columns }) => name === 'bin_items' && columns.includes(columnOfFile['bin_items'] ?? ''))

const idsPerRead = 500

/** The files referenced by the rows of the snapshot. */
class StoredFiles {
  /** SHA-256 by file ID. */
  readonly hashes: Record<string, string> = {}
  /** IDs of files that were deleted, with their row, after the snapshot. */
  readonly deleted = new Set<string>()
  readonly #place: DataLocation
  readonly #snapshot: Snapshot
  readonly #warnings: string[]

  get #where(): string {
    return this.#place.s3 ? 'in the bucket' : 'on the disk'
  }

  constructor(location: DataLocation, snapshot: Snapshot, warnings: string[]) {
    this.#place = location
    this.#snapshot = snapshot
    this.#warnings = warnings
  }

  async *records(): AsyncGenerator<ArchiveRecord> {
    const store = openFileStore(this.#place, (await findInstallation(this.#snapshot.reader))?.id)
    for await (const { id, sha256 } of this.#files()) {
      const content = await store.open(id).catch((error: unknown) => {
        if (!(error instanceof FileMissing)) throw error
      })
      if (!content) {
        await this.#explainMissing(id)
        continue
      }
      yield { is: 'file', id }
      const hash = createHash('sha256')
      for await (const chunk of content as AsyncIterable<Uint8Array>) {
        const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
        hash.update(bytes)
        yield { is: 'bytes', bytes }
      }
      this.hashes[id] = hash.digest('hex')
      if (this.hashes[id] !== sha256) this.#warnings.push(`The file ${id} was changed ${this.#where}.`)
    }
  }

  /** Those of the apps, then those in the bin. */
  async *#files(): AsyncGenerator<{ id: string; sha256: string }> {
    for (const list of keepsFilesInBin(this.#snapshot) ? [listStoredFiles, listStoredFilesInBin] : [listStoredFiles]) {
      for (let after: string | undefined = ''; after !== undefined;) {
        const files: { id: string; sha256: string }[] = await list(this.#snapshot.reader, { after, limit: idsPerRead })
        yield* files
        after = files.length < idsPerRead ? undefined : files.at(-1)?.id
      }
    }
  }

  async #explainMissing(id: string): Promise<void> {
    const later = await openSnapshot(this.#place)
    try {
      const list = keepsFilesInBin(later) ? listKnownIds : listIdsWithRow
      if ((await list(later.reader, [id])).has(id)) this.#warnings.push(`The file ${id} is missing ${this.#where}.`)
      else this.deleted.add(id)
    } finally {
      await later.close()
    }
  }
}

const ending = '.backup'

const abandonedSeconds = 86_400
/** The names start with their time, so that they sort by age. */
const backupName = /^signet-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/

const nameAt = (second: number): string =>
  `signet-${new Date(second * 1000).toISOString().replaceAll(':', '-').slice(0, 19)}Z${ending}`

const partialOf = (file: string): string => `${file}.part`

/**
 * Creates the file that becomes the backup `file`. Of several backups in one second, each further one has the name of
 * the next free second, so that none replaces another and the names still sort by age.
 */
async function createPartial(folder: string, now: number): Promise<{ file: string; handle: FileHandle }> {
  for (let second = now; ; second++) {
    const file = join(folder, nameAt(second))
    const handle = await createOwnFile(partialOf(file))
    if (!handle) continue
    if (!existsSync(file)) return { file, handle }
    await handle.close()
    await rm(partialOf(file), { force: true })
  }
}

/** Undefined if the file exists. */
async function createOwnFile(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  }
}

const listBackups = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => backupName.test(name))

const maxAheadSeconds = 2 * 86_400

/** The newest first. Backups of a clock that was far ahead are the last, or they would replace the next ones for as long. */
function byAge(names: readonly string[], now: number): string[] {
  const latest = nameAt(now + maxAheadSeconds)
  const newestFirst = names.toSorted().toReversed()
  return [...newestFirst.filter((name) => name <= latest), ...newestFirst.filter((name) => name > latest)]
}

/** Another backup may remove the same files. */
async function removeOld(folder: string, newestFirst: readonly string[], retained: number): Promise<void> {
  for (const name of newestFirst.slice(retained)) await rm(join(folder, name), { force: true })
}

/** What killed backups have left: nobody has written to it for a day. */
async function removeAbandoned(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(partialOf(ending))) continue
    const file = join(folder, name)
    const writtenAt = await writtenAtOf(file)
    if (writtenAt !== undefined && now - writtenAt > abandonedSeconds) await rm(file, { force: true })
  }
}

/** Epoch seconds; undefined if another backup has just renamed or removed the file. */
async function writtenAtOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs / 1000
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** For the status page and the metrics; the backup is valid without it, too. */
async function writeDown(location: DataLocation, backup: FinishedBackup, warnings: string[]): Promise<void> {
  try {
    const db = await openDatabase({ ...location, sources: [], shared: true })
    await db.write((tx) => recordBackup(tx, backup)).finally(() => db.close())
  } catch (error) {
    warnings.push(`The backup could not be recorded for the status page: ${(error as Error).message}`)
  }
}
