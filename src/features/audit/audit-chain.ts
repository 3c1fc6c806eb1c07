import { createHash, createHmac, randomBytes } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Reader, Tx } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import { addressRetention } from '#server/jobs/address-retention.ts'
import type { AuditHeadTable, AuditTable } from '#server/audit/audit.ts'
import type { SealedValue } from '#server/secrets/open-master-key.ts'
import type { MasterKey } from '#server/secrets/master-key.ts'
import { hasPassed } from '#server/clock/has-passed.ts'
import { perServer, type Services } from '#server/services.ts'
import { readInstallation } from '#server/secrets/installation.ts'
import { type KnownHead, RecordedHeads } from './recorded-heads.ts'

/**
 * Hash chain over the audit log (docs/decisions/018): rows are sealed shortly after the action, so that
 * actions never wait.
 */

export type AuditRow = Selectable<AuditTable>

export interface ChainHead {
  seq: number
  hash: string
  /** Addresses are redacted up to this position. */
  redactedSeq: number
  mac: string
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Salted hash of an address: without the salt, it cannot be found by trying all addresses. */
const addressHash = (ip: string, salt: string | null): string => (ip === '' ? '' : sha256(`${salt ?? ''} ${ip}`))

/**
 * Covers all meaningful columns of a row; their order must never change. An address is included as its salted hash; the
 * stored hash is only trusted where addresses may be redacted, up to `redactedSeq`.
 */
export const rowDigest = (row: AuditRow, redactedSeq: number): string => {
  const isRedacted = row.ip === '' && row.seq !== null && Number(row.seq) <= redactedSeq
  return sha256(
    JSON.stringify([
      Number(row.id),
      Number(row.at),
      row.actor_type,
      row.actor_id,
      row.owner_id,
      row.app_id,
      row.act,
      row.target,
      row.details,
      isRedacted ? row.ip_hash : addressHash(row.ip, row.ip_salt),
      row.request_id,
    ]),
  )
}

export const nextHash = (previous: string, digest: string): string => sha256(`${previous} ${digest}`)

/** The empty head is signed, too, so that nobody without the key can empty the chain. */
const headMac = (masterKey: MasterKey, { seq, hash, redactedSeq }: Omit<ChainHead, 'mac'>): string =>
  createHmac('sha256', masterKey.macKey('audit-head')).update(`${seq} ${hash} ${redactedSeq}`).digest('base64url')

/** State of a new database until the first server signs it. */
export const isUnsigned = ({ seq, hash, redactedSeq, mac }: ChainHead): boolean =>
  seq === 0 && hash === '' && redactedSeq === 0 && mac === ''

export const isHeadGenuine = (masterKey: MasterKey, head: ChainHead): boolean => head.mac === headMac(masterKey, head)

const headQuery = (db: Reader) => db.selectFrom('audit_head').selectAll().where('id', '=', 1)

const headOf = ({ seq, hash, blanked_seq, mac }: Selectable<AuditHeadTable>): ChainHead => ({
  seq: Number(seq),
  hash,
  redactedSeq: Number(blanked_seq),
  mac,
})

export const findHead = async (db: Reader): Promise<ChainHead> => headOf(await headQuery(db).executeTakeFirstOrThrow())

/** Every action is audited, so a database without a signed head has hardly been used. */
export async function findSealedHead(db: Reader): Promise<SealedValue | undefined> {
  const head = await findHead(db)
  return head.mac === '' ? undefined : { isSealedBy: (masterKey) => isHeadGenuine(masterKey, head) }
}

/** Locked until the transaction ends. Extending a forged head would make a forged chain valid. */
async function lockHead(tx: Tx, masterKey: MasterKey): Promise<ChainHead & { loggedAt: number }> {
  const row = await locking(tx.db, headQuery(tx.db)).executeTakeFirstOrThrow()
  const head = headOf(row)
  if (!isHeadGenuine(masterKey, head)) throw new Error('the head of the audit chain is not genuine')
  return { ...head, loggedAt: Number(row.logged_at) }
}

/** Signs the empty head of a new database. The caller must know that it is new. */
async function signEmptyHead(tx: Tx, masterKey: MasterKey): Promise<void> {
  const row = await locking(tx.db, headQuery(tx.db)).executeTakeFirstOrThrow()
  if (!isUnsigned(headOf(row))) return
  await updateHead(tx, masterKey, { ...headOf(row), loggedAt: Number(row.logged_at) })
}

async function updateHead(
  tx: Tx,
  masterKey: MasterKey,
  { seq, hash, redactedSeq, loggedAt }: Omit<ChainHead, 'mac'> & { loggedAt: number },
): Promise<void> {
  const mac = headMac(masterKey, { seq, hash, redactedSeq })
  const row = { seq, hash, blanked_seq: redactedSeq, mac, logged_at: loggedAt }
  await tx.db.updateTable('audit_head').set(row).where('id', '=', 1).execute()
}

/** Rows to be sealed, in chain order; rows left by a stopped process are sealed by the next one. */
const unsealedRows = (db: Reader, limit: number) =>
  db.selectFrom('audit').selectAll().where('seq', 'is', null).orderBy('seq').orderBy('id').limit(limit)

/** Seconds since the oldest unsealed row; 0 if all are sealed. */
export async function unsealedSeconds({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const row = await unsealedRows(db.read, 1).executeTakeFirst()
  return row ? Math.max(0, Math.floor(clock() / 1000) - Number(row.at)) : 0
}

async function hasRow(db: Reader, head: KnownHead | undefined): Promise<boolean> {
  if (!head || head.seq === 0) return true
  const row = await db.selectFrom('audit').select('hash').where('seq', '=', head.seq).executeTakeFirst()
  return row?.hash === head.hash
}

const sealMs = 2000
/** Small enough that heartbeats get their turn between two transactions. */
const rowsPerTransaction = 200
const secondsPerLine = 3600
const secondsPerRecord = 60
const daySeconds = 86_400

type SealerServices = Pick<Services, 'db' | 'masterKey' | 'log' | 'clock' | 'config'>

/** Seals committed rows every two seconds; locking the head row ensures that one process seals at a time. */
export class AuditSealer {
  readonly #services: SealerServices
  #sealing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  readonly #recordedHeads: RecordedHeads
  #databaseId: string | undefined
  /** Epoch seconds. */
  #recordedAt = Number.NEGATIVE_INFINITY

  constructor(services: SealerServices) {
    this.#services = services
    this.#recordedHeads = new RecordedHeads(services.config, services.masterKey)
  }

  /** Returns a function that stops it; unsealed rows are sealed at the next start. */
  start(): () => Promise<void> {
    this.#timer = setInterval(() => void this.seal(), sealMs).unref()
    return async () => {
      clearInterval(this.#timer)
      this.#isStopped = true
      await this.#sealing
    }
  }

  /** Resolves when all rows committed before are sealed. Never throws: failures are retried. */
  seal(): Promise<void> {
    this.#sealing = this.#sealing.then(() => this.#sealAll())
    return this.#sealing
  }

  async #sealAll(): Promise<void> {
    const { db, log } = this.#services
    try {
      const databaseId = (this.#databaseId ??= await this.#begin())
      // Nothing is written while there are no actions.
      while (!this.#isStopped && (await unsealedRows(db.read, 1).executeTakeFirst())) {
        await db.write((tx) => this.#sealBatch(tx))
      }
      await this.#recordHead(databaseId)
    } catch (error) {
      log.error({ err: error }, 'could not seal the audit log')
    }
  }

  /** Returns the database ID. An unsigned head is only accepted while nothing is recorded of the database. */
  async #begin(): Promise<string> {
    const { db, masterKey } = this.#services
    const { id } = await readInstallation(db)
    if (isUnsigned(await findHead(db.read))) {
      if (await this.#recordedHeads.find(id)) throw new Error('the audit chain was emptied: nothing more is sealed')
      await db.write((tx) => signEmptyHead(tx, masterKey))
    }
    return id
  }

  /** Once a minute; a chain without the recorded head is left for `verify-audit` to report. */
  async #recordHead(databaseId: string): Promise<void> {
    const { db, masterKey, clock } = this.#services
    const now = Math.floor(clock() / 1000)
    if (!hasPassed(secondsPerRecord, this.#recordedAt, now)) return
    const head = await findHead(db.read)
    const recorded = await this.#recordedHeads.find(databaseId)
    const isNewer = !recorded || head.seq > recorded.seq
    if (isNewer && isHeadGenuine(masterKey, head) && (await hasRow(db.read, recorded))) {
      await this.#recordedHeads.record(databaseId, head)
    }
    this.#recordedAt = now
  }

  async #sealBatch(tx: Tx): Promise<void> {
    const { masterKey, log, clock } = this.#services
    const head = await lockHead(tx, masterKey)
    const rows = await unsealedRows(tx.db, rowsPerTransaction).execute()
    if (rows.length === 0) return
    let { seq, hash } = head
    const sealed = rows.map((row) => {
      const salt = row.ip === '' ? null : randomBytes(16).toString('base64url')
      seq += 1
      hash = nextHash(hash, rowDigest({ ...row, seq, ip_salt: salt }, head.redactedSeq))
      const hashes = sql`cast(${hash} as text), cast(${addressHash(row.ip, salt)} as text), cast(${salt} as text)`
      return sql`(cast(${Number(row.id)} as bigint), cast(${seq} as bigint), ${hashes})`
    })
    // Both engines use these names for the columns of a list.
    await sql`
      update audit set seq = sealed.column2, hash = sealed.column3, ip_hash = sealed.column4, ip_salt = sealed.column5
      from (values ${sql.join(sealed)}) as sealed where audit.id = sealed.column1`.execute(tx.db)
    const now = Math.floor(clock() / 1000)
    const isLineDue = hasPassed(secondsPerLine, head.loggedAt, now)
    await updateHead(tx, masterKey, { ...head, seq, hash, loggedAt: isLineDue ? now : head.loggedAt })
    // Logged outside the database, where somebody who changes the database cannot reach it.
    if (isLineDue) tx.afterCommit(() => log.info({ seq, hash }, 'the audit chain ends here'))
  }
}

/**
 * Position of the last row older than `before`; 0 without one. Rows in front of it count as equally old, however many
 * there are: their clock may have been ahead. A row that is much older than those already redacted is of a clock that
 * was behind, and says nothing.
 */
async function findOldEnd(reports: Reader, before: number): Promise<number> {
  const { redactedSeq } = await findHead(reports)
  const audit = reports.selectFrom('audit')
  const last = await audit.select('at').where('seq', '=', Math.max(redactedSeq, 1)).executeTakeFirst()
  if (!last) return 0
  const row = await audit
    .select(({ fn }) => fn.max('seq').as('seq'))
    .where('seq', '>', redactedSeq)
    .where('at', '<', before)
    .where('at', '>=', Math.min(Number(last.at), before) - daySeconds)
    .executeTakeFirst()
  return Number(row?.seq ?? 0)
}

/** Redacts the addresses of the next rows up to a position; returns whether there may be more. */
async function redactBatch(tx: Tx, masterKey: MasterKey, end: number): Promise<boolean> {
  const head = await lockHead(tx, masterKey)
  const rows = await tx.db
    .selectFrom('audit')
    .select(['id', 'seq'])
    .where('seq', '>', head.redactedSeq)
    .where('seq', '<=', Math.min(end, head.seq))
    .orderBy('seq')
    .limit(rowsPerTransaction)
    .execute()
  const last = rows.at(-1)
  if (!last) return false
  const ids = rows.map(({ id }) => id)
  await tx.db.updateTable('audit').set({ ip: '', ip_salt: null }).where('id', 'in', ids).execute()
  await updateHead(tx, masterKey, { ...head, redactedSeq: Number(last.seq) })
  return rows.length === rowsPerTransaction
}

export const redactAuditAddresses = addressRetention(async ({ db, masterKey }, before) => {
  const end = await findOldEnd(db.reports, before)
  while (await db.write((tx) => redactBatch(tx, masterKey, end)));
})

export const auditSealer = perServer((services) => new AuditSealer(services))
