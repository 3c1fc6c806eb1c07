import type { Tx } from '#database/database.ts'
import { restoreExpiry, revokeEntitlements } from '#features/entitlements/entitlements.actions.ts'
import { lockLevels } from '#features/levels/levels.actions.ts'
import { overwriteLicenses } from '#features/licenses/imported-licenses.actions.ts'
import { deleteLicenses, lockLicensesById } from '#features/licenses/licenses.actions.ts'
import { overwriteUsers } from '#features/users/imported-users.actions.ts'
import { deleteUsers, lockUsersById } from '#features/users/users.actions.ts'
import type { AppContext } from '#server/audit/audit.ts'
import { newDeletion } from '#server/bin/bin-items.ts'
import type { UndoActions } from '#server/bulk/undo.ts'
import { digestLicenses, digestUsers, type ImportedState } from './imported-state.ts'
import type { Import } from './imports.reads.ts'
import { markUndone } from './imports.writes.ts'

type States = readonly { id: number; state: ImportedState }[]

/** Undoes an import: what it created moves to the bin, and what it overwrote is restored (IMP-14). */
export function undoImportActions(
  context: AppContext,
  { id, kind }: Pick<Import, 'id' | 'kind'>,
): UndoActions<ImportedState> {
  const { app, now } = context
  const { id: appId } = app
  const ofUsers = kind === 'users'
  return {
    events: ['import.run'],
    noun: kind,
    lock: async (tx, _act, ids) => {
      await markUndone(tx.db, id, now)
      return ofUsers
        ? (await lockUsersById(tx, appId, ids)).map((user) => ({ id: Number(user.id), name: user.username }))
        : (await lockLicensesById(tx, appId, ids)).map((row) => ({ id: Number(row.id), name: row.license }))
    },
    async snapshot(tx, _act, recorded) {
      const levels = await lockLevels(
        tx,
        appId,
        recorded.flatMap(({ before }) => before.license?.level ?? []),
      )
      // An overwritten license can't get back a level that has been deleted.
      const rows = recorded
        .filter(({ before }) => !before.license || levels.has(before.license.level))
        .map(({ id: rowId, after }) => ({ id: rowId, licenseId: after.licenseId, recorded: after.digest }))
      const digests = ofUsers
        ? await digestUsers(tx.db, appId, rows)
        : await digestLicenses(
            tx.db,
            appId,
            rows.map((row) => row.id),
          )
      return new Map(
        rows.flatMap((row) => {
          const digest = digests.get(row.id)
          if (digest === undefined) return []
          return [[row.id, { digest, ...(row.licenseId !== undefined && { licenseId: row.licenseId }) }] as const]
        }),
      )
    },
    restore: (tx, _act, states) => (ofUsers ? restoreUsers(tx, context, states) : restoreLicenses(tx, context, states)),
  }
}

async function restoreLicenses(tx: Tx, context: AppContext, states: States): Promise<void> {
  const { id: appId } = context.app
  const overwritten = states.flatMap(({ id, state: { license } }) => (license ? [{ id, ...license }] : []))
  await overwriteLicenses(tx, appId, overwritten)
  const created = states.filter(({ state }) => !state.license).map(({ id }) => id)
  await moveLicensesToBin(tx, context, created)
}

async function moveLicensesToBin(tx: Tx, context: AppContext, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const licenses = await lockLicensesById(tx, context.app.id, ids)
  await deleteLicenses(tx, context, licenses, { withUsers: false, refund: false })
}

async function restoreUsers(tx: Tx, context: AppContext, states: States): Promise<void> {
  const { app, now } = context
  const { id: appId } = app
  const prior = states.flatMap(({ id, state: { user } }) => (user ? [{ id, ...user }] : []))
  await overwriteUsers(
    tx,
    { appId, now },
    prior.map(({ id, password_hash, email, hwid_hash, banned }) => ({
      user: { id },
      columns: { password_hash, email, hwid_hash, banned },
    })),
  )
  await restoreExpiry(
    tx,
    appId,
    prior.flatMap(({ id, subscriptions }) => subscriptions.map((row) => ({ user_id: id, ...row }))),
  )
  await revokeEntitlements(
    tx,
    appId,
    prior.flatMap(({ id, added }) => added.map((level) => ({ user_id: id, level }))),
  )
  const created = states.filter(({ state }) => !state.user)
  const users = await lockUsersById(
    tx,
    appId,
    created.map(({ id }) => id),
  )
  await deleteUsers(tx, context, users, newDeletion())
  await moveLicensesToBin(
    tx,
    context,
    created.flatMap(({ state }) => state.licenseId ?? []),
  )
}
