import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Row, RowSum } from '#database/copy/table-copy.ts'
import { numberOfPreReleaseBackup } from '#database/migrations/pre-release.ts'
import {
  ArchiveInvalid,
  archiveFormat,
  type ArchiveRecord,
  type End,
  type Head,
  preReleaseFormat,
  readRecords,
} from './archive.ts'
import { openWith, type SealKey } from './sealed-file.ts'

/** Receives the content of a backup while it is read. None of it is verified before the reading has ended. */
export interface BackupReceiver {
  head?(head: Head): Promise<void>
  file?(id: string): Promise<void>
  /** Content of the preceding file. */
  bytes?(bytes: Buffer): Promise<void>
  fileEnd?(): Promise<void>
  table?(name: string, columns: readonly string[]): Promise<void>
  /** Rows of the preceding table. */
  rows?(rows: readonly Row[]): Promise<void>
}

/** Accepts nothing that a file system could interpret as a path. */
const fileId = /^[A-Za-z0-9_-]{1,100}$/

/** Reads a whole backup and verifies it: its seal, and that it is complete. */
export async function readBackup(
  file: string,
  { key, receiver = {} }: { key: SealKey; receiver?: BackupReceiver },
): Promise<{ head: Head; end: End }> {
  const reading = new Reading(receiver)
  if ((await stat(file)).isDirectory()) throw new ArchiveInvalid(`${file} is a folder: name a backup in it`)
  await pipeline(createReadStream(file), openWith(key), createGunzip(), async (source: AsyncIterable<Buffer>) => {
    for await (const record of readRecords(source)) await reading.take(record)
  })
  return reading.result()
}

class Reading {
  readonly #receiver: BackupReceiver
  readonly #tables = new Map<string, RowSum>()
  readonly #files = new Map<string, string>()
  #head: Head | undefined
  #end: End | undefined
  #table: RowSum | undefined
  #file: { id: string; hash: ReturnType<typeof createHash> } | undefined

  constructor(receiver: BackupReceiver) {
    this.#receiver = receiver
  }

  async take(record: ArchiveRecord): Promise<void> {
    const receiver = this.#receiver
    if (!this.#head !== (record.is === 'head')) throw new ArchiveInvalid('The backup does not begin with its head')
    if (record.is !== 'bytes') await this.#endFile()
    switch (record.is) {
      case 'head':
        this.#head = headOf(record)
        return receiver.head?.(this.#head)
      case 'file':
        if (!fileId.test(record.id) || this.#files.has(record.id)) {
          throw new ArchiveInvalid(`The backup has a file with a wrong name: ${JSON.stringify(record.id)}`)
        }
        this.#file = { id: record.id, hash: createHash('sha256') }
        return receiver.file?.(record.id)
      case 'bytes':
        if (!this.#file) throw new ArchiveInvalid('The backup has bytes of no file')
        this.#file.hash.update(record.bytes)
        return receiver.bytes?.(record.bytes)
      case 'table':
        if (this.#tables.has(record.name)) throw new ArchiveInvalid(`The backup has ${record.name} twice`)
        this.#tables.set(record.name, (this.#table = new RowSum()))
        return receiver.table?.(record.name, record.columns)
      case 'rows':
        if (!this.#table) throw new ArchiveInvalid('The backup has rows of no table')
        this.#table.add(record.rows)
        return receiver.rows?.(record.rows)
      case 'end':
        this.#end = record
    }
  }

  result(): { head: Head; end: End } {
    if (!this.#head || !this.#end) throw new ArchiveInvalid('The backup has no end')
    const tables = Object.fromEntries([...this.#tables].map(([name, sum]) => [name, sum.value]))
    const found = JSON.stringify([sorted(tables), sorted(Object.fromEntries(this.#files))])
    if (found !== JSON.stringify([sorted(this.#end.tables), sorted(this.#end.files)])) {
      throw new ArchiveInvalid('The backup does not match its own totals')
    }
    return { head: this.#head, end: this.#end }
  }

  async #endFile(): Promise<void> {
    if (!this.#file) return
    this.#files.set(this.#file.id, this.#file.hash.digest('hex'))
    this.#file = undefined
    await this.#receiver.fileEnd?.()
  }
}

function headOf(head: Head): Head {
  if (head.format === preReleaseFormat) return { ...head, migration: numberOfPreReleaseBackup(head.migration) }
  if (head.format === archiveFormat) return head
  throw new ArchiveInvalid(`The backup has the format ${head.format}; this version reads ${archiveFormat}`)
}

const sorted = (entries: object): [string, unknown][] =>
  Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1))
