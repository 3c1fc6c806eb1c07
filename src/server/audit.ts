import type { Generated } from 'kysely'
import type { AuditAct } from '#contract/audit-acts.ts'
import type { Tx } from '#database/database.ts'
import type { AccountActor, Actor, AppScope, SystemActor, UserActor } from './actors.ts'

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

declare module '#database/schema.ts' {
  interface Schema {
    audit: AuditTable
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

interface AuditEntry {
  act: AuditAct
  target: string
  details?: Record<string, unknown>
  /** Who did it, where the call itself doesn't know yet: signing in. */
  actorId?: string
  /** Whose account it concerns, where nobody knows who it was: failing to sign in. */
  ownerId?: string
}

const maxTargetLength = 200

/** Who did what, in the same transaction as the act (R-LOG-01), for whoever listens too. Never secrets. */
export async function recordAudit(tx: Tx, context: AuditContext, entry: AuditEntry): Promise<void> {
  const { actor, app, caller, now } = context
  const actorId = entry.actorId ?? ('id' in actor ? actor.id : '')
  const details = entry.details ?? {}
  if (app) tx.emit({ type: entry.act, appId: app.id, ownerId: app.ownerId, at: now, target: entry.target, details })
  await tx.db
    .insertInto('audit')
    .values({
      at: now,
      actor_type: entry.actorId ? 'owner' : actor.type,
      actor_id: actorId,
      owner_id: entry.ownerId ?? ('ownerId' in actor ? actor.ownerId : actorId),
      app_id: app?.id ?? null,
      act: entry.act,
      target: entry.target.slice(0, maxTargetLength),
      details: JSON.stringify(details),
      ip: caller.ip,
      request_id: caller.requestId,
    })
    .execute()
}
