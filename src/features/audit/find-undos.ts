import type { AuditEvent } from '#contract/audit-events.ts'
import { binRetentionSeconds } from '#contract/bin.ts'
import type { Reader } from '#database/database.ts'
import { undoableUntil } from '#server/bulk/undo-log.ts'
import { findRestorable } from './find-restorable.ts'
import { findDeleted, findRenamed, type Later, laterOfKeys, type Row } from './later-names.ts'
import { laterActs, opposites, subjectOf, type UndoKind, type UndoState } from './undo.rules.ts'

const kindOfSubject: Record<string, UndoKind> = {
  license: 'licenses',
  user: 'users',
  'seller-key': 'seller-keys',
  variable: 'variables',
  import: 'imports',
}
const nothing: UndoState = { undo: null, undone: false }

/** The state of each of these rows of the account, by ID. */
export async function findUndos(db: Reader, rows: readonly Row[], now: number): Promise<Map<number, UndoState>> {
  const states = await findOperations(db, rows, now)
  for (const id of await findLost(db, rows, states)) states.set(id, nothing)
  for (const candidates of Map.groupBy(rows.filter(hasOpposite), groupOf).values()) {
    for (const [id, state] of await findOpposites(db, candidates)) states.set(id, state)
  }
  for (const [id, state] of await findRestorable(db, rows)) states.set(id, state)
  return states
}

/** An action that changed nothing, such as a second ban, has nothing to take back. */
const hasOpposite = ({ act, details }: Row): boolean =>
  opposites[act as AuditEvent] !== undefined && 'changes' in (JSON.parse(details) as object)

const groupOf = ({ act, app_id }: Row): string => `${subjectOf(act)} ${app_id === null ? 'account' : 'app'}`

async function findOperations(db: Reader, rows: readonly Row[], now: number): Promise<Map<number, UndoState>> {
  const acts = new Map(rows.map(({ id, act }) => [Number(id), act]))
  if (acts.size === 0) return new Map()
  const links = await db
    .selectFrom('audit_operations as link')
    .where('link.audit_id', 'in', [...acts.keys()])
    .where('link.undoes', '=', 0)
    .select(['link.audit_id', 'link.operation_id'])
    .select((select) => [
      select
        .selectFrom('undo_operations as recorded')
        .whereRef('recorded.id', '=', 'link.operation_id')
        .whereRef('recorded.app_id', '=', 'link.app_id')
        .where(undoableUntil('recorded'), '>=', now)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('undo_batches as batch')
              .select('batch.number')
              .whereRef('batch.operation_id', '=', 'recorded.id'),
          ),
        )
        .select(undoableUntil('recorded').as('until'))
        .as('undoable_until'),
      select
        .selectFrom('bin_items as item')
        .whereRef('item.app_id', '=', 'link.app_id')
        .whereRef('item.operation_id', '=', 'link.operation_id')
        .where('item.deleted_at', '>', now - binRetentionSeconds)
        .orderBy('item.id', 'desc')
        .limit(1)
        .select('item.deleted_at')
        .as('deleted_at'),
      select
        .selectFrom('audit_operations as undo')
        .whereRef('undo.app_id', '=', 'link.app_id')
        .whereRef('undo.operation_id', '=', 'link.operation_id')
        .where('undo.undoes', '=', 1)
        .limit(1)
        .select('undo.undoes')
        .as('undone'),
    ])
    .execute()
  return new Map(
    links.map(({ audit_id: auditId, operation_id: id, undoable_until: until, deleted_at: deletedAt, undone }) => {
      const kind = kindOfSubject[subjectOf(acts.get(Number(auditId)) ?? '')]
      const stateOf = (): UndoState => {
        if (until !== null && kind) return { undo: { kind, id, until: Number(until) }, undone: false }
        if (deletedAt !== null)
          return { undo: { kind: 'bin', id, until: Number(deletedAt) + binRetentionSeconds }, undone: false }
        return { undo: null, undone: undone !== null }
      }
      return [Number(auditId), stateOf()]
    }),
  )
}

/** Those of the undone deletions of many rows of which some were deleted for good instead. */
async function findLost(db: Reader, rows: readonly Row[], states: Map<number, UndoState>): Promise<number[]> {
  const undone = rows.filter(({ id, act }) => act.includes('delete') && states.get(Number(id))?.undone)
  if (undone.length === 0) return []
  const lost = await db
    .selectFrom('audit_operations as link')
    .where(
      'link.audit_id',
      'in',
      undone.map(({ id }) => Number(id)),
    )
    .where('link.undoes', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('audit_targets as deleted')
          .select('deleted.target')
          .whereRef('deleted.audit_id', '=', 'link.audit_id')
          .where((target) =>
            target.not(
              target.exists(
                target
                  .selectFrom('audit_operations as undo')
                  .innerJoin('audit_targets as restored', 'restored.audit_id', 'undo.audit_id')
                  .whereRef('undo.app_id', '=', 'link.app_id')
                  .whereRef('undo.operation_id', '=', 'link.operation_id')
                  .where('undo.undoes', '=', 1)
                  .whereRef('restored.target', '=', 'deleted.target')
                  .select('restored.target'),
              ),
            ),
          ),
      ),
    )
    .select('link.audit_id')
    .execute()
  return lost.map(({ audit_id: id }) => Number(id))
}

/** Rows of one subject, all of an app or all of the account. */
async function findOpposites(db: Reader, rows: readonly Row[]): Promise<[number, UndoState][]> {
  const [first] = rows
  if (!first) return []
  const subject = subjectOf(first.act)
  const ids = rows.map(({ id }) => Number(id))
  const acts = laterActs(subject)
  const next =
    first.app_id === null
      ? await laterByName(db, ids, acts, 'owner_id')
      : subject === 'seller-key'
        ? await laterOfKeys(db, rows, acts)
        : [...(await laterByName(db, ids, acts, 'app_id')), ...(await laterAmongMany(db, ids, acts))]
  const gone = await findGone(db, subject, rows)
  const byRow = Map.groupBy(next, ({ id }) => Number(id))
  return rows.map(({ id, act, owner_id: ownerId }): [number, UndoState] => {
    const following = byRow.get(Number(id))?.toSorted((one, other) => Number(one.later_id) - Number(other.later_id))
    if (following?.[0]) return [Number(id), { undo: null, undone: following[0].act === opposites[act as AuditEvent] }]
    if (gone.has(Number(id))) return [Number(id), nothing]
    if (subject === 'owner') return [Number(id), { undo: { kind: 'owner', id: ownerId, until: null }, undone: false }]
    return [Number(id), { undo: { kind: 'entry', id: String(id), until: null }, undone: false }]
  })
}

/** Actions on the same target after each row, of the same app, or of the same account outside its apps. */
function laterByName(
  db: Reader,
  ids: readonly number[],
  acts: readonly string[],
  scope: 'app_id' | 'owner_id',
): Promise<Later[]> {
  const query = db
    .selectFrom('audit as row')
    .innerJoin('audit as later', (join) =>
      join
        .onRef('later.target', '=', 'row.target')
        .onRef(`later.${scope}`, '=', `row.${scope}`)
        .onRef('later.id', '>', 'row.id'),
    )
    .where('row.id', 'in', [...ids])
    .where('later.act', 'in', [...acts])
    .select(['row.id', 'later.id as later_id', 'later.act'])
  return (scope === 'owner_id' ? query.where('later.app_id', 'is', null) : query).execute()
}

/** The same among the targets of actions on many rows. */
const laterAmongMany = (db: Reader, ids: readonly number[], acts: readonly string[]): Promise<Later[]> =>
  db
    .selectFrom('audit as row')
    .innerJoin('audit_targets as one', (join) =>
      join
        .onRef('one.app_id', '=', 'row.app_id')
        .onRef('one.target', '=', 'row.target')
        .onRef('one.audit_id', '>', 'row.id'),
    )
    .innerJoin('audit as later', 'later.id', 'one.audit_id')
    .where('row.id', 'in', [...ids])
    .where('later.act', 'in', [...acts])
    .select(['row.id', 'later.id as later_id', 'later.act'])
    .execute()

/** The rows whose file or key can't be found by their target any more. */
async function findGone(db: Reader, subject: string, rows: readonly Row[]): Promise<Set<number>> {
  return subject === 'download' ? findRenamed(db, rows) : subject === 'seller-key' ? findDeleted(db, rows) : new Set()
}

export const undoOfRow = (states: Map<number, UndoState>, id: number): UndoState => states.get(Number(id)) ?? nothing
