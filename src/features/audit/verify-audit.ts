import { sql } from 'kysely'
import type { Database, Reader } from '#database/database.ts'
import type { JobHandler } from '#server/jobs/jobs.ts'
import type { MasterKey } from '#server/secrets/master-key.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { recordCheck } from '#server/status/platform-checks.ts'
import { readInstallation } from '#server/secrets/installation.ts'
import {
  type AuditRow,
  type ChainHead,
  findHead,
  isHeadGenuine,
  isUnsigned,
  nextHash,
  rowDigest,
} from './audit-chain.ts'
import { type KnownHead, RecordedHeadInvalid, RecordedHeads } from './recorded-heads.ts'

export interface ChainProblem {
  /**
   * `changed`: the row differs from what was sealed; `removed`: rows are missing from here on; `inserted`: the row was
   * never sealed here; `reordered`: the row was sealed at another position; `head`: this server did not sign the end of
   * the chain; `rewritten`: the chain is valid, but does not contain the recorded head; `record`: the recorded head
   * itself was not written by this server.
   */
  problem: 'changed' | 'removed' | 'inserted' | 'reordered' | 'head' | 'rewritten' | 'record'
  /** Position in the chain. */
  seq: number
  /** ID of the row at that position; undefined if there is none. */
  id?: number
}

export interface ChainReport {
  sealed: number
  /** The end of the chain, to be kept elsewhere. */
  head: { seq: number; hash: string }
  unsealed: number
  /** Epoch seconds; undefined when all rows are sealed. */
  oldestUnsealed: number | undefined
  /** The first broken position. */
  problem: ChainProblem | undefined
}

const rowsPerRead = 1000

type VerifiedServices = Pick<Services, 'db' | 'masterKey' | 'config'>

/** The same, and compares with the head recorded next to the master key and with the given heads. */
export async function verifyRecordedAudit(
  { db, masterKey, config }: VerifiedServices,
  others: readonly KnownHead[] = [],
): Promise<ChainReport> {
  const { id } = await readInstallation(db)
  try {
    const recorded = await new RecordedHeads(config, masterKey).find(id)
    return await verifyAudit(db, masterKey, [...(recorded ? [recorded] : []), ...others])
  } catch (error) {
    if (!(error instanceof RecordedHeadInvalid)) throw error
    const report = await verifyAudit(db, masterKey, others)
    return { ...report, problem: report.problem ?? { problem: 'record', seq: report.head.seq } }
  }
}

/** Verifies the whole chain in batches; also while a server is sealing. */
export async function verifyAudit(
  { reports: db }: Pick<Database, 'reports'>,
  masterKey: MasterKey,
  known: readonly KnownHead[] = [],
): Promise<ChainReport> {
  const position: Position = { seq: 0, id: 0, hash: '' }
  let head = await findHead(db)
  let problem: ChainProblem | undefined
  // The server continues sealing during the verification.
  do {
    head = await findHead(db)
    problem = await followChain(db, masterKey, { position, until: head.seq, known })
  } while (!problem && (await findHead(db)).seq > head.seq)
  // No server has started on a database whose head is unsigned and unrecorded.
  const isSigned = (isUnsigned(head) && known.length === 0) || isHeadGenuine(masterKey, head)
  problem ??= await problemAtEnd(db, { position, head, isSigned })
  const beyond = known.find(({ seq, hash }) => seq > head.seq || (seq < 1 && hash !== ''))
  if (!problem && beyond) problem = { problem: 'rewritten', seq: beyond.seq }
  const { n, oldest } = await db
    .selectFrom('audit')
    .select(({ fn }) => [fn.countAll<number>().as('n'), fn.min('at').as('oldest')])
    .where('seq', 'is', null)
    .executeTakeFirstOrThrow()
  const { seq, hash } = position
  const oldestUnsealed = oldest === null ? undefined : Number(oldest)
  return { sealed: seq, head: { seq, hash }, unsealed: Number(n), oldestUnsealed, problem }
}

/** The last row found at its position. */
interface Position {
  seq: number
  id: number
  hash: string
}

async function followChain(
  db: Reader,
  masterKey: MasterKey,
  { position, until, known }: { position: Position; until: number; known: readonly KnownHead[] },
): Promise<ChainProblem | undefined> {
  for (;;) {
    const rows = await rowsAfter(db, position, until)
    if (rows.length === 0) return undefined
    // Read after the rows, because addresses may be redacted meanwhile; only the signature shows up to which position.
    const { redactedSeq, ...head } = await findHead(db)
    const redacted = isHeadGenuine(masterKey, { redactedSeq, ...head }) ? redactedSeq : 0
    for (const [index, row] of rows.entries()) {
      const seq = position.seq + 1
      if (Number(row.seq) !== seq || nextHash(position.hash, rowDigest(row, redacted)) !== row.hash) {
        const last = rows.at(-1) as AuditRow
        const more = await rowsAfter(db, { seq: Number(last.seq), id: Number(last.id) }, until)
        return { problem: kindOf(position, [...rows.slice(index), ...more], redacted), seq, id: Number(row.id) }
      }
      if (known.some((each) => each.seq === seq && each.hash !== row.hash)) {
        return { problem: 'rewritten', seq, id: Number(row.id) }
      }
      Object.assign(position, { seq, id: Number(row.id), hash: row.hash })
    }
  }
}

/** Sorted by position and ID, so that two rows with the same position are both seen. */
const rowsAfter = (db: Reader, { seq, id }: { seq: number; id: number }, until: number): Promise<AuditRow[]> =>
  db
    .selectFrom('audit')
    .selectAll()
    .where(sql<boolean>`(seq, id) > (${seq}, ${id})`)
    .where('seq', '<=', until)
    .orderBy('seq')
    .orderBy('id')
    .limit(rowsPerRead)
    .execute()

/** Finds out what happened at the first row that does not follow its predecessor, by where the chain continues. */
function kindOf({ seq, hash }: Position, rows: readonly AuditRow[], redactedSeq: number): ChainProblem['problem'] {
  const digests = rows.map((row) => rowDigest(row, redactedSeq))
  const follows = (previous: string | null, index: number) =>
    nextHash(previous ?? '', digests[index] as string) === rows[index]?.hash
  const successor = rows.findIndex((_, index) => follows(hash, index))
  // It is the successor, but with another position.
  if (successor === 0) return 'reordered'
  if (successor > 0) return rows.some((row) => follows(row.hash, 0)) ? 'reordered' : 'inserted'
  return Number(rows[0]?.seq) === seq + 1 ? 'changed' : 'removed'
}

async function problemAtEnd(
  db: Reader,
  { position, head, isSigned }: { position: Position; head: ChainHead; isSigned: boolean },
): Promise<ChainProblem | undefined> {
  const place = { seq: position.seq + 1 }
  if (position.seq < head.seq) return { problem: 'removed', ...place }
  if (position.hash !== head.hash || !isSigned) return { problem: 'head', seq: position.seq }
  // One statement, so that both values are consistent.
  const last = await sql<{ id: number }>`
    select audit.id from audit where audit.seq > (select seq from audit_head where id = 1)
    order by audit.seq, audit.id limit 1`.execute(db)
  const [row] = last.rows
  return row && { problem: 'inserted', ...place, id: Number(row.id) }
}

export const chainProblemText = 'the audit chain is broken'

/** Every night. */
export const verifyAuditJob: JobHandler = {
  concurrency: 1,
  leaseSeconds: 3600,
  maxAttempts: 3,
  everySeconds: 86_400,
  async run(services) {
    const { db, log } = services
    const { problem, head } = await verifyRecordedAudit(services)
    const check = { name: 'audit', checkedAt: epochSeconds(services), problems: problem ? 1 : 0 }
    await db.write((tx) => recordCheck(tx, check))
    if (problem) log.error(problem, chainProblemText)
    else log.info(head, 'the audit chain is whole, and ends here')
  },
}
