import type { AuditEvent } from '#contract/audit-events.ts'
import { needMailPassword } from '#contract/mail-server.ts'
import type { Reader } from '#database/database.ts'
import { listPlans } from '#features/plans/plans.reads.ts'
import { type Changes, isCut } from '#server/audit/changes.ts'
import type { AuditRow } from './audit-chain.ts'
import type { UndoKind, UndoState } from './undo.rules.ts'

/**
 * Edits of an app's settings, and of administrators, that their own call reverts with the former values (AUD-27, AUD-30)
 * as long as nobody has changed one of the fields since. That call checks the values as well.
 */

interface Restorable {
  kind: UndoKind
  /** After these, there is nothing to restore. */
  ends: readonly AuditEvent[]
  /** The ID that the call takes. */
  idOf: (row: Row) => string
  /** An edit of one of these fields can't be restored. */
  except?: readonly string[]
}

type Row = Pick<AuditRow, 'id' | 'act' | 'app_id' | 'owner_id' | 'target' | 'details'>

const restorable: Partial<Record<string, Restorable>> = {
  'app.update': { kind: 'app', ends: ['app.delete'], idOf: ({ target }) => target },
  'plan.update': { kind: 'plan', ends: ['plan.delete', 'plan.create'], idOf: ({ target }) => target },
  'owner.change-plan': { kind: 'owner-plan', ends: ['owner.delete'], idOf: ({ owner_id: ownerId }) => ownerId },
  'settings.save': { kind: 'settings', ends: [], idOf: ({ target }) => target, except: needMailPassword },
}

type Pairs = Record<string, [before: unknown, after: unknown]>

/** Empty without values before, which older entries do not have. */
function pairsOf(text: string): Pairs {
  const { changes = {}, before, after } = JSON.parse(text) as Details
  if (before && after)
    return Object.fromEntries(Object.keys(after).map((field) => [field, [before[field], after[field]]]))
  const pairs = Object.entries(changes).filter((entry): entry is [string, Pairs[string]] => Array.isArray(entry[1]))
  return Object.fromEntries(pairs)
}

interface Details {
  changes?: Changes
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

export async function findRestorable(db: Reader, rows: readonly Row[]): Promise<[number, UndoState][]> {
  const edits = rows.filter(isRestorable)
  if (edits.length === 0) return []
  const later = [...(await laterRows(db, ofAccount(edits), 'account')), ...(await laterRows(db, ofApp(edits), 'app'))]
  const plans = new Set((await listPlans(db)).map(({ name }) => name))
  return edits.flatMap((row): [number, UndoState][] => {
    const rule = restorable[row.act]
    if (!rule) return []
    const following = later.filter(({ edit_id: editId }) => Number(editId) === Number(row.id))
    const state = stateOf(row, rule, following)
    // Nobody is put on a deleted plan again, or on that of the platform.
    const [plan] = pairsOf(row.details)['planType'] ?? []
    const isGone = rule.kind === 'owner-plan' && !plans.has(String(plan))
    return [[Number(row.id), isGone ? { ...state, undo: null } : state]]
  })
}

const ofApp = (rows: readonly Row[]): Row[] => rows.filter(({ app_id: appId }) => appId !== null)
const ofAccount = (rows: readonly Row[]): Row[] => rows.filter(({ app_id: appId }) => appId === null)

function isRestorable({ act, details }: Row): boolean {
  const rule = restorable[act]
  if (!rule) return false
  const pairs = pairsOf(details)
  const values = Object.values(pairs)
  if (values.length === 0 || values.flat().some(isCut) || hasHidden(details)) return false
  // Both ask first, so that no undo does them.
  const [disablesApp, beginsMaintenance] = [pairs['appStatus']?.[0] === false, pairs['maintenanceMode']?.[0] === true]
  if (disablesApp || beginsMaintenance) return false
  return !rule.except?.some((field) => field in (JSON.parse(details) as object))
}

/** Whether a value was too secret to be recorded. */
const hasHidden = (text: string): boolean =>
  Object.values((JSON.parse(text) as Details).changes ?? {}).some((change) => change === 'changed')

function stateOf(row: Row, { kind, ends, idOf }: Restorable, following: readonly Later[]): UndoState {
  const own = pairsOf(row.details)
  const fields = Object.keys(own)
  const next = following
    .toSorted((one, other) => Number(one.id) - Number(other.id))
    .find(
      ({ act, details }) => isEnd(ends, act) || (act === row.act && fields.some((field) => field in pairsOf(details))),
    )
  if (!next) return { undo: { kind, id: idOf(row), until: null }, undone: false }
  return { undo: null, undone: next.act === row.act && isOpposite(own, pairsOf(next.details)) }
}

const isEnd = (ends: readonly string[], act: string): boolean => ends.includes(act)

/** The later edit gave every field its value from before. */
const isOpposite = (own: Pairs, later: Pairs): boolean =>
  Object.entries(own).every(([field, [before, after]]) => {
    const [from, to] = later[field] ?? []
    return JSON.stringify([from, to]) === JSON.stringify([after, before])
  })

interface Later {
  edit_id: number
  id: number
  act: string
  details: string
}

/** Plans belong to the platform, so that another administrator may have changed one since. Targets tell owners apart. */
async function laterRows(db: Reader, edits: readonly Row[], scope: 'account' | 'app'): Promise<Later[]> {
  if (edits.length === 0) return []
  return db
    .selectFrom('audit as edit')
    .innerJoin('audit as later', (join) => {
      const same = join.onRef('later.target', '=', 'edit.target').onRef('later.id', '>', 'edit.id')
      return scope === 'app' ? same.onRef('later.app_id', '=', 'edit.app_id') : same.on('later.app_id', 'is', null)
    })
    .where(
      'edit.id',
      'in',
      edits.map(({ id }) => Number(id)),
    )
    .where(
      'later.act',
      'in',
      Object.entries(restorable).flatMap(([act, rule]) => [act, ...(rule?.ends ?? [])]),
    )
    .select(['edit.id as edit_id', 'later.id', 'later.act', 'later.details'])
    .execute()
}
