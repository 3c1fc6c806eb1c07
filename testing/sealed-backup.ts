import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type ArchiveRecord, writeRecords } from '#operating/archive.ts'
import { sealWith, type SealKey } from '#operating/sealed-file.ts'

/** A validly sealed backup with these records, in an empty folder. */
export async function sealedBackup(folder: string, key: SealKey, records: readonly ArchiveRecord[]): Promise<string> {
  const file = join(folder, 'made.backup')
  const source = async function* () {
    yield* records
  }
  await pipeline(
    Readable.from(writeRecords(source()), { objectMode: false }),
    createGzip(),
    sealWith(key),
    createWriteStream(file),
  )
  return file
}
