import { t } from '@lingui/core/macro'
import { maxViewNameLength, viewNameProblem } from '#contract/saved-view.ts'
import type { TableId } from '#contract/table-ids.ts'
import { call } from '../api/call.ts'
import { successText } from '../api/errors.ts'
import { notify } from '../browser/notify.ts'
import { useSaveForm } from '../form/use-save-form.tsx'
import { areaOfCalls } from '../session/account-calls.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { TextField } from '../ui/text-field.tsx'
import { refreshViews, rememberView, type SavedView, type SavedViews } from './use-saved-views.ts'

interface ViewFormProps {
  table: TableId
  /** The view to rename; undefined for a new one. */
  view?: SavedView | undefined
  /** What a new view keeps. */
  content: SavedViews['shown']
  onClose: () => void
}

/** Asks for the name of a view. */
export function ViewForm({ table, view, content, onClose }: ViewFormProps) {
  const form = useSaveForm({
    start: { name: view?.name ?? '' },
    isNew: view === undefined,
    toBody: ({ name }) => ({ name: name.trim() }),
    problems: ({ name }) => ({ name: viewNameProblem(name) }),
    send: ({ body, idempotencyKey }) =>
      view
        ? call(`PUT ${areaOfCalls()}/views/{viewId}`, { params: { viewId: view.viewId }, body })
        : call(`POST ${areaOfCalls()}/views`, { body: { table, ...content, ...body }, idempotencyKey }),
    failure: t`Failed to save view`,
    onSaved: async (reply) => {
      notify.success(successText(reply))
      onClose()
      await refreshViews(table)
      rememberView(table, reply.view.viewId)
    },
    onUnchanged: onClose,
  })
  const isNew = view === undefined
  return (
    <FormDialog
      title={isNew ? t`Save view` : t`Rename view`}
      submitLabel={isNew ? t`Save view` : t`Rename`}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField
        label={t`Name`}
        help={isNew ? t`Keeps the search, filters, sort order, page size, and columns of this table.` : undefined}
        required
        maxLength={maxViewNameLength}
        {...form.field('name')}
      />
    </FormDialog>
  )
}
