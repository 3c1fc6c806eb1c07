import type { AuditEvent } from '#contract/audit-events.ts'
import { reject } from '#contract/errors.ts'
import type { Tx } from '#database/database.ts'
import { locking } from '#database/row-lock.ts'
import { reopenAlert } from '#features/alerts/alerts.actions.ts'
import { findOwnApp } from '#features/apps/apps.reads.ts'
import { toggleDownload } from '#features/downloads/downloads.actions.ts'
import { setLevelActive } from '#features/levels/levels.actions.ts'
import { setLicenseBanned } from '#features/licenses/licenses.actions.ts'
import { banReseller } from '#features/resellers/resellers.actions.ts'
import { findResellerByLogin } from '#features/resellers/resellers.reads.ts'
import { setSellerKeyActive } from '#features/seller-keys/seller-keys.actions.ts'
import { banUser } from '#features/users/user-access.actions.ts'
import type { AccountContext, AppContext } from '#server/audit/audit.ts'
import { auditErrors } from './audit.errors.ts'
import { findUndos, undoOfRow } from './find-undos.ts'
import { opposites } from './undo.rules.ts'

/** The opposites of actions in an app, by what they do. */
const inApp: Partial<Record<AuditEvent, (tx: Tx, context: AppContext, target: string) => Promise<unknown>>> = {
  'license.ban': (tx, context, license) => setLicenseBanned(tx, context, { license, banned: true }),
  'license.unban': (tx, context, license) => setLicenseBanned(tx, context, { license, banned: false }),
  'user.ban': (tx, context, username) => banUser(tx, context, { username, banned: true }),
  'user.unban': (tx, context, username) => banUser(tx, context, { username, banned: false }),
  'subscription.pause': (tx, context, level) => setLevelActive(tx, context, { level: Number(level), active: false }),
  'subscription.activate': (tx, context, level) => setLevelActive(tx, context, { level: Number(level), active: true }),
  'seller-key.pause': (tx, context, sellerKey) => setSellerKeyActive(tx, context, { sellerKey, active: false }),
  'seller-key.activate': (tx, context, sellerKey) => setSellerKeyActive(tx, context, { sellerKey, active: true }),
  'alert.reopen': reopenAlert,
  'download.enable': (tx, context, name) => toggleDownload(tx, context, name, true),
  'download.disable': (tx, context, name) => toggleDownload(tx, context, name, false),
}

/**
 * Takes back an action on one target by its opposite (AUD-19), if nothing has happened to the target since. The entry is
 * locked, so that simultaneous calls take it back once.
 */
export async function undoEntry(tx: Tx, context: AccountContext, id: number): Promise<void> {
  const { actor, now } = context
  const query = tx.db.selectFrom('audit').selectAll().where('id', '=', id).where('owner_id', '=', actor.id)
  const row = (await locking(tx.db, query).executeTakeFirst()) ?? reject(auditErrors, 'UNDO_NOT_FOUND')
  const { undo, undone } = undoOfRow(await findUndos(tx.db, [row], now), id)
  if (undone) reject(auditErrors, 'ALREADY_UNDONE')
  const opposite = opposites[row.act as AuditEvent]
  if (undo?.kind !== 'entry' || !opposite) reject(auditErrors, 'UNDO_NOT_FOUND')
  if (row.app_id === null) {
    const reseller = await findResellerByLogin(tx.db, row.target)
    if (!reseller) reject(auditErrors, 'UNDO_NOT_FOUND')
    await banReseller(tx, context, { id: reseller.id, banned: opposite === 'reseller.ban' })
    return
  }
  const app = (await findOwnApp(tx.db, actor.id, row.app_id)) ?? reject(auditErrors, 'UNDO_NOT_FOUND')
  const scope = { ...context, app: { id: app.id, ownerId: actor.id, name: app.name } }
  const undoInApp = inApp[opposite] ?? (() => reject(auditErrors, 'UNDO_NOT_FOUND'))
  await undoInApp(tx, scope, row.target)
}
