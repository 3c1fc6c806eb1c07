import { plural, t } from '@lingui/core/macro'
import { apiCall } from '#web/api-call/api-call.ts'
import { type BulkTarget, rowsOf } from '#web/bulk/bulk-action.ts'
import { restorableManyText } from '#web/bulk/deletion-undo.ts'
import { call } from '#web/api/call.ts'
import { DeleteDialog, type DeleteHandlers } from '#web/bulk/delete-dialog.tsx'
import { deleteInParts } from '#web/bulk/in-parts.ts'
import { useCountedTarget } from '#web/bulk/use-counted-target.ts'
import type { App } from '#web/session/session.ts'
import { refreshVariables } from './variables-data.ts'

export function DeleteVariableDialog({ name, ...handlers }: DeleteHandlers & { name: string }) {
  const body = { variableName: name, deleteVariable: true }
  return (
    <DeleteDialog
      title={t`Delete ${name}?`}
      description={t`Programs that request it are rejected. You can restore it for 30 days.`}
      confirmLabel={t`Confirm`}
      send={() => call('POST /modify_app_var', { body })}
      apiCall={() => apiCall('POST /modify_app_var', { body })}
      refresh={refreshVariables}
      failure={t`Failed to delete variable`}
      withCause={(message) => t`Failed to delete variable: ${message}`}
      {...handlers}
    />
  )
}

interface DeleteVariablesProps extends DeleteHandlers {
  app: App
  target: BulkTarget<{ search?: string }>
  isAll?: boolean
}

/** Deletes the selected variables, or all of the app. */
export function DeleteVariablesDialog({ app, target: opened, isAll = false, ...handlers }: DeleteVariablesProps) {
  const { target, count, onChanged } = useCountedTarget(opened)
  const rows = rowsOf(target)
  const body = 'names' in rows ? { variableNames: rows.names } : rows
  return (
    <DeleteDialog
      title={
        isAll ? t`Delete all variables?` : plural(count, { one: 'Delete # variable?', other: 'Delete # variables?' })
      }
      description={restorableManyText()}
      impact={t`Programs that request them are rejected.`}
      confirmLabel={t`Confirm`}
      send={() =>
        'names' in rows
          ? deleteInParts(rows.names, (variableNames) =>
              call('POST /variables/bulk-delete', { body: { variableNames } }),
            )
          : call('POST /variables/bulk-delete', { body: rows })
      }
      refresh={refreshVariables}
      failure={isAll ? t`Failed to delete all variables` : t`Failed to delete selected variables`}
      onChanged={onChanged}
      count={count}
      appName={app.appName}
      isAll={isAll}
      apiCall={() => apiCall('POST /variables/bulk-delete', { body })}
      {...handlers}
    />
  )
}
