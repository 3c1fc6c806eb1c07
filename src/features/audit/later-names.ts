import type { Reader } from '#database/database.ts'
import { idOfReference, publicForm } from '#features/seller-keys/seller-key-text.ts'
import type { AuditRow } from './audit-chain.ts'

export type Row = Pick<AuditRow, 'id' | 'act' | 'app_id' | 'owner_id' | 'target' | 'details'>

/** An action after the one of a row, on the same target. */
export interface Later {
  id: number
  later_id: number
  act: string
}

/** The part of a target that a rotation keeps. */
const keyIdOf = (target: string): string => idOfReference(target) ?? ''

/** Actions on the same seller key after each row, also under what a rotation named it. */
export async function laterOfKeys(db: Reader, rows: readonly Row[], acts: readonly string[]): Promise<Later[]> {
  const targets = [...(await findForms(db, rows))]
  const apps = appsOf(rows)
  const alone = await db
    .selectFrom('audit')
    .select(['id', 'act', 'target'])
    .where('target', 'in', targets)
    .where('app_id', 'in', apps)
    .where('act', 'in', [...acts])
    .execute()
  const amongMany = await db
    .selectFrom('audit_targets as one')
    .innerJoin('audit', 'audit.id', 'one.audit_id')
    .select(['audit.id', 'audit.act', 'one.target'])
    .where('one.target', 'in', targets)
    .where('one.app_id', 'in', apps)
    .where('audit.act', 'in', [...acts])
    .execute()
  const byKey = Map.groupBy([...alone, ...amongMany], ({ target }) => keyIdOf(target))
  return rows.flatMap(({ id, target }) =>
    (byKey.get(keyIdOf(target)) ?? [])
      .filter((later) => Number(later.id) > Number(id))
      .map((later) => ({ id: Number(id), later_id: Number(later.id), act: later.act })),
  )
}

/** The targets of these rows, and all that their keys have been named, from the current one back. */
async function findForms(db: Reader, rows: readonly Row[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (let names = (await findKeys(db, rows)).map(publicForm); names.length > 0;) {
    for (const name of names) found.add(name)
    const rotations = await db
      .selectFrom('audit')
      .select('details')
      .where('target', 'in', names)
      .where('app_id', 'in', appsOf(rows))
      .where('act', '=', 'seller-key.rotate')
      .execute()
    const before = rotations.map(({ details }) => (JSON.parse(details) as { before: string }).before)
    names = before.filter((name) => !found.has(name))
  }
  return found.union(new Set(rows.map(({ target }) => target)))
}

/** The rows whose seller key is deleted. */
export async function findDeleted(db: Reader, rows: readonly Row[]): Promise<Set<number>> {
  const ids = new Set((await findKeys(db, rows)).map(({ id }) => id))
  return new Set(rows.filter(({ target }) => !ids.has(keyIdOf(target))).map(({ id }) => Number(id)))
}

const findKeys = (db: Reader, rows: readonly Row[]) =>
  db
    .selectFrom('seller_keys')
    .select(['id', 'last_four'])
    .where(
      'id',
      'in',
      rows.map(({ target }) => keyIdOf(target)),
    )
    .execute()

const appsOf = (rows: readonly Row[]): string[] => [...new Set(rows.flatMap(({ app_id: appId }) => appId ?? []))]

/** The rows whose file now has another name, or is gone. */
export async function findRenamed(db: Reader, rows: readonly Row[]): Promise<Set<number>> {
  const files = rows.flatMap(({ id, target, details }) => {
    const { downloadId } = JSON.parse(details) as { downloadId?: string }
    return downloadId === undefined ? [] : [{ id: Number(id), name: target, downloadId }]
  })
  if (files.length === 0) return new Set()
  const ids = files.map(({ downloadId }) => downloadId)
  const found = await db.selectFrom('downloads').select(['id', 'name']).where('id', 'in', ids).execute()
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return new Set(files.filter(({ downloadId, name }) => names.get(downloadId) !== name).map(({ id }) => id))
}
