import { plural, t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { type BulkTarget, targetCount } from '#web/bulk/bulk-act.ts'
import { call } from '#web/call.ts'
import { failureText, failureTextWithCause, successText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ExportDialog } from '#web/list/export-dialog.tsx'
import type { App } from '#web/session.ts'
import { refreshVariables } from './variables-data.ts'

interface EndProps {
  onDone: () => void
  onClose: () => void
}

function useDelete(send: () => Promise<Parameters<typeof successText>[0]>, onDone: () => void) {
  return useMutation({
    mutationFn: send,
    onSuccess: async (reply) => {
      notify.success(successText(reply))
      onDone()
      await refreshVariables()
    },
  })
}

export function DeleteVariableDialog({ name, onDone, onClose }: EndProps & { name: string }) {
  const body = { variableName: name, deleteVariable: true }
  const remove = useDelete(() => call('POST /modify_app_var', { body }), onDone)
  const withCause = (message: string) => t`Failed to delete variable: ${message}`
  return (
    <ConfirmDialog
      title={t`Delete ${name}?`}
      description={t`This action cannot be undone. Programs that ask for it are refused.`}
      confirmLabel={t`Confirm`}
      danger
      busy={remove.isPending}
      error={remove.error ? failureTextWithCause(remove.error, t`Failed to delete variable`, withCause) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  )
}

interface DeleteVariablesProps extends EndProps {
  target: BulkTarget<{ search?: string }>
  /** Of the app whose every variable goes; it must be typed. */
  appName?: string
}

/** The selected variables, or all of the app. */
export function DeleteVariablesDialog({ target, appName, onDone, onClose }: DeleteVariablesProps) {
  const body = 'names' in target ? { variableNames: [...target.names] } : { filter: target.filter }
  const remove = useDelete(() => call('POST /variables/bulk-delete', { body }), onDone)
  const failure = appName === undefined ? t`Failed to delete selected variables` : t`Failed to delete all variables`
  const count = targetCount(target) ?? 0
  return (
    <ConfirmDialog
      title={
        appName === undefined
          ? plural(count, { one: 'Delete # variable?', other: 'Delete # variables?' })
          : t`Delete all variables?`
      }
      description={t`This action cannot be undone.`}
      impact={t`Programs that ask for them are refused.`}
      typedName={appName}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      confirmLabel={t`Confirm`}
      danger
      busy={remove.isPending}
      error={remove.error ? failureText(remove.error, failure) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <ShowApiCall calls={() => [apiCall('POST /variables/bulk-delete', { body })]} />
    </ConfirmDialog>
  )
}

interface ExportProps {
  app: App
  filter: { search?: string | undefined }
  matching: number
  all: number
  onClose: () => void
}

export const ExportVariablesDialog = ({ app, ...counts }: ExportProps) => (
  <ExportDialog
    title={t`Export variables`}
    call="GET /export_variables"
    formats={[
      { value: 'csv', label: 'CSV', help: t`Every column, for a spreadsheet` },
      { value: 'json', label: 'JSON', help: t`For programs: names, data and access as they are` },
    ]}
    {...counts}
    subject={t`Variables`}
    allLabel={t`All variables`}
    countText={(count) => plural(count, { one: '# variable', other: '# variables' })}
    fileName={`variables-${app.appName}`}
    failure={t`Failed to export variables`}
  />
)
