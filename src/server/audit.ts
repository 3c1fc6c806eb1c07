import type { Generated } from 'kysely'
import type { RecordedEvent } from '#contract/audit-events.ts'
import type { Tx } from '#database/database.ts'
import type { AccountActor, Actor, AppScope, ResellerActor, SystemActor, UserActor } from './http/actors.ts'

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
  /** Its place in the chain; null until it is sealed. */
  seq: Generated<number | null>
  hash: Generated<string | null>
  /** What the chain has of `ip`: a hash with a salt, or empty where there is none; null until the row is sealed. */
  ip_hash: Generated<string | null>
  /** Goes with the address, so that no trial of all addresses finds it by its hash. */
  ip_salt: Generated<string | null>
}

/** Where the chain of the audit ends: one row. */
export interface AuditHeadTable {
  id: number
  seq: number
  hash: string
  /** Up to this place addresses are blanked. */
  blanked_seq: Generated<number>
  /** By the master key over the three, so that who has only the database can't make another chain. */
  mac: string
  /** When it last stood in the server's log, epoch seconds. */
  logged_at: number
}

/** What an act on many was done to. */
export interface AuditTargetsTable {
  audit_id: number
  app_id: string
  target: string
}

declare module '#database/schema.ts' {
  interface Schema {
    audit: AuditTable
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

/** Who acts on which app and when: what an action works with and writes down. */
export interface AppContext extends AuditContext {
  app: AppScope
}

/** Who acts on the own account, or on apps that the call itself names. */
export interface AccountContext extends AuditContext {
  actor: AccountActor
}

/** Who acts on the own account, of an owner, an administrator or a reseller. */
export interface SignedInContext extends AuditContext {
  actor: AccountActor | ResellerActor
}

interface AuditEntry {
  act: RecordedEvent
  target: string | ManyTargets
  details?: Record<string, unknown>
  /** Whose account it concerns, where nobody knows who it was: failing to sign in. */
  ownerId?: string
}

/** What an act on many was done to: the row says how many, and each of them finds the row. */
export interface ManyTargets {
  /** In the plural: `licenses`. */
  noun: string
  names: readonly string[]
}

/** `1 license`, `2 licenses`. */
export const countedTarget = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun.replace(/s$/, '') : noun}`

const maxTargetLength = 200
const targetsPerStatement = 500

/** Who did what, in the same transaction as the act (R-LOG-01), for whoever listens too. Never secrets. */
export async function recordAudit(tx: Tx, context: AuditContext, entry: AuditEntry): Promise<void> {
  const { actor, app, caller, now } = context
  const actorId = 'id' in actor ? actor.id : ''
  const details = entry.details ?? {}
  const { names, target } =
    typeof entry.target === 'string'
      ? { names: [], target: entry.target }
      : { names: entry.target.names, target: countedTarget(entry.target.names.length, entry.target.noun) }
  const isMany = typeof entry.target !== 'string'
  if (app) {
    const event = { type: entry.act, appId: app.id, ownerId: app.ownerId, at: now, target, details }
    tx.emit({ ...event, ...(isMany && { names }) })
  }
  const row = tx.db.insertInto('audit').values({
    at: now,
    actor_type: actor.type,
    actor_id: actorId,
    owner_id: entry.ownerId ?? ('ownerId' in actor ? actor.ownerId : actorId),
    app_id: app?.id ?? null,
    act: entry.act,
    target: target.slice(0, maxTargetLength),
    details: JSON.stringify(details),
    ip: caller.ip,
    request_id: caller.requestId,
  })
  if (!app || names.length === 0) {
    await row.execute()
    return
  }
  const { id } = await row.returning('id').executeTakeFirstOrThrow()
  const targets = [...new Set(names.map((name) => name.slice(0, maxTargetLength)))]
  for (let from = 0; from < targets.length; from += targetsPerStatement) {
    const some = targets.slice(from, from + targetsPerStatement)
    await tx.db
      .insertInto('audit_targets')
      .values(some.map((name) => ({ audit_id: Number(id), app_id: app.id, target: name })))
      .execute()
  }
}
