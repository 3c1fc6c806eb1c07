import type { Generated } from 'kysely'
import { accountSubjectsOf } from '#contract/account-subjects.ts'
import type { RecordedEvent } from '#contract/audit-events.ts'
import type { Tx } from '#database/database.ts'
import type { Changes } from './changes.ts'
import { publishAccountChanges } from './account-changes.ts'
import type { AccountActor, Actor, AppScope, ResellerActor, SystemActor, UserActor } from './actors.ts'

export interface AuditTable {
  id: Generated<number>
  at: number
  actor_type: string
  actor_id: string
  owner_id: string
  app_id: string | null
  act: string
  target: string
  details: string
  ip: string
  request_id: string
  /** Position in the chain; null until the row is sealed. */
  seq: Generated<number | null>
  hash: Generated<string | null>
  /** Salted hash of `ip`, as it is part of the chain; empty without an address, null until the row is sealed. */
  ip_hash: Generated<string | null>
  /** Deleted together with the address, so that the hash cannot be reversed by trying all addresses. */
  ip_salt: Generated<string | null>
}

/** The end of the audit chain: a single row. */
export interface AuditHeadTable {
  id: number
  seq: number
  hash: string
  /** Addresses are redacted up to this position. */
  blanked_seq: Generated<number>
  /**
   * MAC with the master key over the three values above, so that nobody with access to the database alone can forge a
   * chain.
   */
  mac: string
  /** When the end was last written to the server log, in epoch seconds. */
  logged_at: number
}

/** Targets of an action on many rows. */
export interface AuditTargetsTable {
  audit_id: number
  app_id: string
  target: string
}

/** Which action an undo takes back: the actions of an operation, and the undos of it. */
export interface AuditOperationsTable {
  audit_id: number
  app_id: string
  /** ID of the undo record or of the deletion in the bin. */
  operation_id: string
  /** 1 if the row records an undo of the operation. */
  undoes: number
}

declare module '#database/schema.ts' {
  interface Schema {
    audit: AuditTable
    audit_operations: AuditOperationsTable
    audit_targets: AuditTargetsTable
    audit_head: AuditHeadTable
  }
}

/** The part of a call's context that an audit row needs. */
export interface AuditContext {
  actor: Actor | UserActor | SystemActor
  app?: AppScope | undefined
  now: number
  caller: { ip: string; requestId: string }
}

/** Actor, app and time of an action, as its code needs and records them. */
export interface AppContext extends AuditContext {
  app: AppScope
}

/** Actor of a call on their own account, or on apps named in the call. */
export interface AccountContext extends AuditContext {
  actor: AccountActor
}

/** Actor of a call on their own account: an owner, an administrator or a reseller. */
export interface SignedInContext extends AuditContext {
  actor: AccountActor | ResellerActor
}

/** Of what the server does by itself. */
export const systemContext = (now: number) => ({
  actor: { type: 'system' as const },
  now,
  caller: { ip: '', requestId: '' },
})

interface AuditEntry {
  act: RecordedEvent
  target: string | ManyTargets
  details?: Record<string, unknown>
  /** What an edit changed. Stored with the details, but not part of the event that webhooks receive. */
  changes?: Changes
  /** Undo records or deletions by which the action can be undone, or which it undoes. */
  operations?: readonly string[]
  /** The account concerned by an unauthenticated event, such as a failed sign-in. */
  ownerId?: string
}

/** Targets of an action on many rows. The audit row holds their number and can be found by each of them. */
export interface ManyTargets {
  /** Plural noun: `licenses`. */
  noun: string
  names: readonly string[]
}

/** `1 license`, `2 licenses`. */
export const countedTarget = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun.replace(/s$/, '') : noun}`

const maxTargetLength = 200
const targetsPerStatement = 500

/** Writes an audit row in the transaction of the action and publishes it. Never contains secrets. */
export async function recordAudit(tx: Tx, context: AuditContext, entry: AuditEntry): Promise<void> {
  const { actor, app, caller, now } = context
  const actorId = 'id' in actor ? actor.id : ''
  const { details = {}, changes = {}, operations = [] } = entry
  const hasChanges = Object.keys(changes).length > 0
  const { names, target } =
    typeof entry.target === 'string'
      ? { names: [], target: entry.target }
      : { names: entry.target.names, target: countedTarget(entry.target.names.length, entry.target.noun) }
  const isMany = typeof entry.target !== 'string'
  if (app) {
    const event = { type: entry.act, appId: app.id, ownerId: app.ownerId, at: now, target, details }
    tx.emit({ ...event, ...(isMany && { names }) })
  }
  const ownerId = entry.ownerId ?? ('ownerId' in actor ? actor.ownerId : actorId)
  // A bulk action without changes is not announced.
  if (!isMany || names.length > 0)
    publishAccountChanges(tx, ownerId, accountSubjectsOf(entry.act, actor.type === 'reseller'))
  const row = tx.db.insertInto('audit').values({
    at: now,
    actor_type: actor.type,
    actor_id: actorId,
    owner_id: ownerId,
    app_id: app?.id ?? null,
    act: entry.act,
    target: target.slice(0, maxTargetLength),
    details: JSON.stringify(hasChanges ? { ...details, changes } : details),
    ip: caller.ip,
    request_id: caller.requestId,
  })
  if (!app || (names.length === 0 && operations.length === 0)) {
    await row.execute()
    return
  }
  const { id } = await row.returning('id').executeTakeFirstOrThrow()
  await linkOperations(tx, { audit_id: Number(id), app_id: app.id }, entry.act, operations)
  const targets = [...new Set(names.map((name) => name.slice(0, maxTargetLength)))]
  for (let from = 0; from < targets.length; from += targetsPerStatement) {
    const some = targets.slice(from, from + targetsPerStatement)
    await tx.db
      .insertInto('audit_targets')
      .values(some.map((name) => ({ audit_id: Number(id), app_id: app.id, target: name })))
      .execute()
  }
}

const isUndo = (act: RecordedEvent): boolean => act.endsWith('.undo') || act === 'bin.restore'

async function linkOperations(
  tx: Tx,
  row: { audit_id: number; app_id: string },
  act: RecordedEvent,
  operations: readonly string[],
): Promise<void> {
  const undoes = isUndo(act) ? 1 : 0
  const links = [...new Set(operations)].map((operation_id) => ({ ...row, operation_id, undoes }))
  if (links.length > 0) await tx.db.insertInto('audit_operations').values(links).execute()
}
