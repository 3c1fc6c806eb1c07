import { OperatorError } from '#database/operator-error.ts'
import type { Row, TableSum } from '#database/copy/table-copy.ts'

/** Records of a backup, in this order: head, files, tables, and an end with the totals. */
export type ArchiveRecord =
  | Head
  | { is: 'file'; id: string }
  /** Content of the preceding file. */
  | { is: 'bytes'; bytes: Buffer }
  | { is: 'table'; name: string; columns: string[] }
  /** Rows of the preceding table. */
  | { is: 'rows'; rows: Row[] }
  | End

export interface Head {
  is: 'head'
  format: number
  /** Time of the snapshot in epoch seconds. */
  createdAt: number
  /** Number of the newest migration. */
  migration: number
  /** Identifies the master key that sealed the secrets. */
  masterKeyCheck: string
  /** End of the audit chain: the restored database must contain this row. */
  auditHead: { seq: number; hash: string }
}

export interface End {
  is: 'end'
  tables: Record<string, TableSum>
  issued: Record<string, number>
  /** SHA-256 by file ID. */
  files: Record<string, string>
  /** Number of problems in the ledger of credits when the backup was made. */
  ledgerProblems: number
}

export class ArchiveInvalid extends OperatorError {}

export const archiveFormat = 2
/** The same, except for migration numbers, which are those of the pre-release chain. */
export const preReleaseFormat = 1
const jsonType = 1
const bytesType = 2
const prefixBytes = 5
/** Larger than the largest batch of rows. */
const maxRecordBytes = 512 * 1024 * 1024

/** Each record consists of its type, length and content. */
export async function* writeRecords(records: AsyncIterable<ArchiveRecord>): AsyncGenerator<Buffer> {
  for await (const record of records) {
    const content = record.is === 'bytes' ? record.bytes : Buffer.from(JSON.stringify(record))
    const prefix = Buffer.alloc(prefixBytes)
    prefix[0] = record.is === 'bytes' ? bytesType : jsonType
    prefix.writeUInt32BE(content.length, 1)
    yield prefix
    yield content
  }
}

/** Throws `ArchiveInvalid` if the end is missing or followed by more data. */
export async function* readRecords(source: AsyncIterable<Buffer>): AsyncGenerator<ArchiveRecord> {
  let pending: Buffer[] = []
  let length = 0
  let needed = prefixBytes
  let last: ArchiveRecord['is'] | undefined
  for await (const bytes of source) {
    pending.push(bytes)
    length += bytes.length
    if (length < needed) continue
    let rest = Buffer.concat(pending)
    for (;;) {
      needed = rest.length < prefixBytes ? prefixBytes : prefixBytes + rest.readUInt32BE(1)
      if (needed > maxRecordBytes) throw new ArchiveInvalid('The backup has a record of an impossible length')
      if (rest.length < needed) break
      const record = recordOf(rest[0], rest.subarray(prefixBytes, needed))
      if (last === 'end') throw new ArchiveInvalid('The backup continues after its end')
      last = record.is
      yield record
      rest = rest.subarray(needed)
    }
    pending = [rest]
    length = rest.length
  }
  if (last !== 'end' || length > 0) throw new ArchiveInvalid('The backup has no end')
}

function recordOf(type: number | undefined, content: Buffer): ArchiveRecord {
  if (type === bytesType) return { is: 'bytes', bytes: content }
  if (type === jsonType) return JSON.parse(content.toString()) as ArchiveRecord
  throw new ArchiveInvalid(`The backup has a record of the unknown type ${type}`)
}
