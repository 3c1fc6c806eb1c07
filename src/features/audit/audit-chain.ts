import { createHash, createHmac } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Reader, Tx } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import type { AuditTable } from '#server/audit.ts'
import type { MasterKey } from '#server/master-key.ts'
import type { Services } from '#server/services.ts'

/** The chain over the audit (R-LOG-02, docs/decisions/018): rows are sealed some moments after the act, so that acts never wait. */

export type AuditRow = Selectable<AuditTable>

export interface ChainHead {
  seq: number
  hash: string
  mac: string
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** Over every column of a row that says something, in this order for ever. */
export const rowDigest = (row: Omit<AuditRow, 'seq' | 'hash'>): string =>
  sha256(
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
      row.ip,
      row.request_id,
    ]),
  )

export const nextHash = (previous: string, digest: string): string => sha256(`${previous} ${digest}`)

/** Before the first row there is nothing to sign. */
const headMac = (masterKey: MasterKey, { seq, hash }: Omit<ChainHead, 'mac'>): string =>
  seq === 0 ? '' : createHmac('sha256', masterKey.derive('audit-head')).update(`${seq} ${hash}`).digest('base64url')

export const isHeadGenuine = (masterKey: MasterKey, head: ChainHead): boolean => head.mac === headMac(masterKey, head)

export async function findHead(db: Reader): Promise<ChainHead> {
  const { seq, hash, mac } = await db.selectFrom('audit_head').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
  return { seq: Number(seq), hash, mac }
}

/** Rows as they stand in the chain; those of one process that stopped are taken by the next. */
const unsealedRows = (db: Reader, limit: number) =>
  db.selectFrom('audit').selectAll().where('seq', 'is', null).orderBy('seq').orderBy('id').limit(limit)

const sealMs = 2000
/** So few that heartbeats pass between two transactions. */
const rowsPerTransaction = 200
const secondsPerLine = 3600

type SealerServices = Pick<Services, 'db' | 'masterKey' | 'log' | 'clock'>

/** Seals what has been committed, every other second; the row of the head lets one process seal at a time. */
export class AuditSealer {
  readonly #services: SealerServices
  #sealing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(services: SealerServices) {
    this.#services = services
  }

  /** Gives how to stop; what is unsealed then is sealed at the next start. */
  start(): () => Promise<void> {
    this.#timer = setInterval(() => void this.seal(), sealMs).unref()
    return async () => {
      clearInterval(this.#timer)
      this.#isStopped = true
      await this.#sealing
    }
  }

  /** Resolves when every row that was committed before is sealed. Never throws: what failed is tried again. */
  seal(): Promise<void> {
    this.#sealing = this.#sealing.then(() => this.#sealAll())
    return this.#sealing
  }

  async #sealAll(): Promise<void> {
    const { db, log } = this.#services
    try {
      // Nothing is written while nobody does anything.
      while (!this.#isStopped && (await unsealedRows(db.read, 1).executeTakeFirst())) {
        await db.write((tx) => this.#sealBatch(tx))
      }
    } catch (error) {
      log.error({ err: error }, 'could not seal the audit')
    }
  }

  async #sealBatch(tx: Tx): Promise<void> {
    const { masterKey, log, clock } = this.#services
    const query = tx.db.selectFrom('audit_head').selectAll().where('id', '=', 1)
    const head = await locking(tx.db, query).executeTakeFirstOrThrow()
    const start = { seq: Number(head.seq), hash: head.hash, mac: head.mac }
    // To go on would make somebody else's chain genuine.
    if (!isHeadGenuine(masterKey, start)) throw new Error('the head of the audit chain is not genuine')
    const rows = await unsealedRows(tx.db, rowsPerTransaction).execute()
    if (rows.length === 0) return
    let { seq, hash } = start
    const sealed = rows.map((row) => {
      seq += 1
      hash = nextHash(hash, rowDigest(row))
      return sql`(cast(${Number(row.id)} as bigint), cast(${seq} as bigint), cast(${hash} as text))`
    })
    // Both engines call the columns of a list so.
    await sql`
      update audit set seq = sealed.column2, hash = sealed.column3
      from (values ${sql.join(sealed)}) as sealed where audit.id = sealed.column1`.execute(tx.db)
    const now = Math.floor(clock() / 1000)
    const isLineDue = now - Number(head.logged_at) >= secondsPerLine
    const next = { seq, hash, mac: headMac(masterKey, { seq, hash }) }
    const logged = isLineDue ? now : Number(head.logged_at)
    await tx.db
      .updateTable('audit_head')
      .set({ ...next, logged_at: logged })
      .where('id', '=', 1)
      .execute()
    // Outside the database, where who changes it can't reach.
    if (isLineDue) tx.afterCommit(() => log.info({ seq, hash }, 'the audit chain ends here'))
  }
}

const sealers = new WeakMap<Services, AuditSealer>()

export function auditSealer(services: Services): AuditSealer {
  const existing = sealers.get(services)
  if (existing) return existing
  const created = new AuditSealer(services)
  sealers.set(services, created)
  return created
}
