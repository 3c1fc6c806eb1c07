import type { Static } from 'typebox'
import { reject, rejectProblem } from '#contract/errors.ts'
import { maxViews, normalViewQuery, viewNameProblem } from '#contract/saved-view.ts'
import type { Tx } from '#database/database.ts'
import { signInAgain } from '#features/accounts/accounts.actions.ts'
import type { SignInKind } from '#features/accounts/sign-in-kinds.ts'
import { randomText } from '#server/secrets/random-text.ts'
import type { preferencesContract } from './preferences.contract.ts'
import { preferencesErrors } from './preferences.errors.ts'
import { listViews, type PreferencesOf, type SavedView } from './preferences.reads.ts'
import { followLogsName } from './preferences.reply.ts'
import {
  deletePreference,
  deleteViewRow,
  findViewToChange,
  insertView,
  updateViewRow,
  upsertPreference,
} from './preferences.writes.ts'

/** No audit rows: what is stored changes nothing but what the person sees, often several times a minute. */
interface PreferencesContext {
  kind: SignInKind
  actor: { id: string }
  now: number
}

type Body<K extends 'saveColumns' | 'createView' | 'updateView'> = Static<(typeof preferencesContract)[K]['body']>

export const preferencesOf = ({ kind, actor }: Pick<PreferencesContext, 'kind' | 'actor'>): PreferencesOf => ({
  column: kind.name === 'account' ? 'account_id' : 'reseller_id',
  id: actor.id,
})

export const saveDensity = (tx: Tx, context: PreferencesContext, density: string): Promise<void> =>
  upsertPreference(tx.db, preferencesOf(context), { name: 'density', value: JSON.stringify(density) })

export const saveFollowLogs = (tx: Tx, context: PreferencesContext, followLogs: boolean): Promise<void> =>
  upsertPreference(tx.db, preferencesOf(context), { name: followLogsName, value: JSON.stringify(followLogs) })

/** The last save counts, whichever browser it comes from. */
export async function saveColumns(
  tx: Tx,
  context: PreferencesContext,
  { table, columns }: Body<'saveColumns'>,
): Promise<void> {
  const name = `columns.${table}`
  if (columns === null) await deletePreference(tx.db, preferencesOf(context), name)
  else await upsertPreference(tx.db, preferencesOf(context), { name, value: JSON.stringify(columns) })
}

export async function createView(tx: Tx, context: PreferencesContext, form: Body<'createView'>): Promise<SavedView> {
  const of = preferencesOf(context)
  const name = checkedName(form.name)
  const query = checkedQuery(form.query)
  await lockPerson(tx, context)
  const others = await listViews(tx.db, of, form.table)
  rejectTakenName(others, name)
  if (others.length >= maxViews) reject(preferencesErrors, 'VIEW_LIMIT_REACHED', { values: { max: maxViews } })
  const view = {
    id: `view_${randomText(16)}`,
    table_id: form.table,
    name,
    name_key: nameKey(name),
    query,
    columns: JSON.stringify(form.columns),
    created_at: context.now,
  }
  if (!(await insertView(tx.db, of, view))) rejectName()
  return { ...view, account_id: null, reseller_id: null, [of.column]: of.id }
}

export async function updateView(
  tx: Tx,
  context: PreferencesContext,
  id: string,
  form: Body<'updateView'>,
): Promise<SavedView> {
  const of = preferencesOf(context)
  const name = form.name === undefined ? undefined : checkedName(form.name)
  const query = form.query === undefined ? undefined : checkedQuery(form.query)
  await lockPerson(tx, context)
  const view = (await findViewToChange(tx.db, of, id)) ?? viewNotFound()
  if (name !== undefined) {
    const all = await listViews(tx.db, of, view.table_id)
    rejectTakenName(
      all.filter((other) => other.id !== id),
      name,
    )
  }
  const changed = {
    name: name ?? view.name,
    name_key: nameKey(name ?? view.name),
    query: query ?? view.query,
    columns: form.columns === undefined ? view.columns : JSON.stringify(form.columns),
  }
  await updateViewRow(tx.db, id, changed)
  return { ...view, ...changed }
}

export async function deleteView(tx: Tx, context: PreferencesContext, id: string): Promise<void> {
  if (!(await deleteViewRow(tx.db, preferencesOf(context), id))) viewNotFound()
}

/** So that simultaneous saves of one person count each other. */
async function lockPerson(tx: Tx, { kind, actor }: PreferencesContext): Promise<void> {
  if (!(await kind.lock(tx, actor.id))) signInAgain()
}

const nameKey = (name: string): string => name.toLowerCase()

function checkedName(name: string): string {
  rejectProblem(preferencesErrors, viewNameProblem(name))
  return name.trim()
}

const checkedQuery = (query: string): string =>
  normalViewQuery(query) ?? reject(preferencesErrors, 'VIEW_QUERY_INVALID', { details: { field: 'query' } })

function rejectTakenName(others: readonly SavedView[], name: string): void {
  if (others.some((other) => other.name_key === nameKey(name))) rejectName()
}

const rejectName = (): never => reject(preferencesErrors, 'VIEW_NAME_TAKEN', { details: { field: 'name' } })

const viewNotFound = (): never => reject(preferencesErrors, 'VIEW_NOT_FOUND')
