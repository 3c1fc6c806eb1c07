import type { Tx } from '#database/database.ts'
import { lockApp, roomInQuota } from '#features/apps/apps.actions.ts'
import { insertImportedLicenses, overwriteLicenses } from '#features/licenses/imported-licenses.actions.ts'
import { lockSameKeys } from '#features/licenses/licenses.actions.ts'
import { countLicensesOfApps } from '#features/licenses/licenses.reads.ts'
import type { LicenseRow } from './imported-rows.rules.ts'
import { licenseStates } from './imported-state.ts'
import type { BatchContext, ImportedBatch } from './batch-context.ts'
import { type PlannedLicense, planLicenses, skipped } from './plan-batch.ts'

/** Imports one batch of licenses, as far as the plan allows. */
export async function importLicenses(
  tx: Tx,
  { context, settings, levelOf }: BatchContext,
  rows: readonly LicenseRow[],
): Promise<ImportedBatch> {
  const { app, now } = context
  const { id: appId } = app
  const keys = [...new Set(rows.map(({ key }) => key.trim()))]
  await lockApp(tx, appId)
  const existing = await lockSameKeys(tx, appId, keys)
  const plan = planLicenses(rows, settings, { levelOf, existing })
  const { room, limit } = await licenseRoom(tx, appId, now)
  const fitting = plan.create.slice(0, room)
  const tooMany = plan.create.slice(fitting.length)
  const ids = await insertImportedLicenses(
    tx,
    { appId, now },
    fitting.map((license) => ({ license: license.key, ...columnsOf(license) })),
  )
  await overwriteLicenses(
    tx,
    appId,
    plan.overwrite.map(({ from, existing: { id } }) => ({ id, ...columnsOf(from) })),
  )
  const at = ({ row, key }: PlannedLicense) => ({ row, name: key })
  const results = [
    ...plan.results,
    ...tooMany.map((license) => skipped(at(license), { code: 'LICENSE_LIMIT_REACHED', values: { limit } })),
    // A concurrent call created the key.
    ...fitting.filter(({ key }) => !ids.has(key)).map((license) => skipped(at(license), { code: 'LICENSE_TAKEN' })),
  ]
  const before = new Map(
    plan.overwrite.map(({ existing: { id, level, duration_seconds, notes, banned } }) => [
      id,
      { license: { level, duration_seconds, notes, banned } },
    ]),
  )
  return {
    results: results.toSorted((one, other) => one.row - other.row),
    names: [...ids.keys(), ...plan.overwrite.map(({ from }) => from.key)],
    overwritten: plan.overwrite.length,
    states: await licenseStates(tx.db, appId, { created: [...ids.values()], before }),
  }
}

const columnsOf = ({ level, seconds, notes, isBanned }: PlannedLicense) => ({
  level,
  duration_seconds: seconds,
  notes,
  banned: isBanned ? 1 : 0,
})

export const licenseRoom = (tx: Tx, appId: string, now: number) =>
  roomInQuota(tx, {
    appId,
    kind: 'licensesPerApp',
    now,
    count: async () => (await countLicensesOfApps(tx.db, [appId])).get(appId) ?? 0,
  })
