import { t } from '@lingui/core/macro'
import type { TableId } from '#contract/table-ids.ts'
import { call } from '../api/call.ts'
import { failureText, successText } from '../api/errors.ts'
import { notify, notifyUndoable } from '../browser/notify.ts'
import { areaOfCalls } from '../session/account-calls.ts'
import { refreshViews, rememberView, type SavedView, type SavedViews } from './use-saved-views.ts'

/** Stores the filter and columns in use under the view's name. */
export async function updateView(table: TableId, before: SavedView, shown: SavedViews['shown']): Promise<void> {
  const store = ({ query, columns }: SavedViews['shown']) =>
    call(`PUT ${areaOfCalls()}/views/{viewId}`, { params: { viewId: before.viewId }, body: { query, columns } })
  try {
    notifyUndoable(successText(await store(shown)), () => void undo(table, () => store(before)))
  } catch (error) {
    notify.error(failureText(error, t`Failed to update view`))
  }
  await refreshViews(table)
}

export async function deleteView(table: TableId, view: SavedView): Promise<void> {
  const { viewId, name, query, columns } = view
  const restore = async () => {
    const body = { table, name, query, columns }
    const reply = await call(`POST ${areaOfCalls()}/views`, { body })
    rememberView(table, reply.view.viewId)
  }
  try {
    const reply = await call(`DELETE ${areaOfCalls()}/views/{viewId}`, { params: { viewId } })
    notifyUndoable(successText(reply), () => void undo(table, restore))
  } catch (error) {
    notify.error(failureText(error, t`Failed to delete view`))
  }
  await refreshViews(table)
}

async function undo(table: TableId, restore: () => Promise<unknown>): Promise<void> {
  try {
    await restore()
  } catch (error) {
    notify.error(failureText(error, t`Failed to undo`))
  }
  await refreshViews(table)
}
