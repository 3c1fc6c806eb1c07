import { t } from '@lingui/core/macro'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import { successText } from '#web/api/errors.ts'
import { queryClient } from '#web/api/query-client.ts'
import { appKeyOf } from '#web/api/query-keys.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notifyDone, undoOf } from '#web/bulk/bulk-toasts.ts'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { maxVariableNameLength, variableProblem } from '../variables.rules.ts'
import { type AppVariable, refreshVariables } from './variables-data.ts'

interface VariableFormProps {
  /** The variable to edit; undefined creates a new one. */
  variable?: AppVariable | undefined
  onClose: () => void
}

/** Adds or edits a variable; the name cannot be changed. */
export function VariableForm({ variable, onClose }: VariableFormProps) {
  const app = selectedAppStore.get()?.appId
  const form = useSaveForm({
    start: {
      variableName: variable?.variableName ?? '',
      variableData: variable?.variableData ?? '',
      authenticated: variable?.authenticated ?? true,
    },
    isNew: variable === undefined,
    toBody: (values) => ({ ...values, variableName: values.variableName.trim() }),
    problems: ({ variableName, variableData }) => {
      const problem = variableProblem(variableName.trim(), variableData)
      if (!problem) return {}
      const field = problem.field ?? (variableName.trim() === '' ? 'variableName' : 'variableData')
      return { [field]: problem }
    },
    send: ({ body, before, idempotencyKey }) => {
      if (!variable) return call('POST /modify_app_var', { body: { ...body, mustBeNew: true }, idempotencyKey })
      return call('POST /modify_app_var', { body: { ...body, before } })
    },
    failure: t`Failed to save variable`,
    failureWithCause: (message) => t`Failed to save variable: ${message}`,
    texts: { authenticated: (only) => (only ? t`Signed in` : t({ message: 'Public', context: 'variable' })) },
    onSaved: async (reply) => {
      notifyDone({ done: successText(reply) }, variableUndo(app), undoOf(reply))
      onClose()
      await refreshVariables()
    },
    onUnchanged: onClose,
  })
  return (
    <FormDialog
      title={variable ? t`Edit Variable` : t`Add Variable`}
      submitLabel={variable ? t`Save Changes` : t`Add Variable`}
      {...form.dialog}
      onClose={onClose}
    >
      {variable ? (
        <TextField
          label={t`Variable Name`}
          readOnly
          mono
          value={variable.variableName}
          help={t`The name can't be changed: programs request the variable by it.`}
        />
      ) : (
        <TextField
          label={t`Variable Name`}
          required
          mono
          maxLength={maxVariableNameLength}
          placeholder="api_key"
          help={t`A descriptive name, such as api_key. Your program requests the variable by this name.`}
          {...form.field('variableName')}
        />
      )}
      <TextArea label={t`Variable Data`} required mono rows={6} {...form.field('variableData')} />
      <CheckboxField
        label={t`Only when signed in`}
        help={t`Otherwise, every copy of your program can read it before anyone has signed in.`}
        {...form.checkbox('authenticated')}
      />
      <ShowApiCall calls={() => [apiCall('POST /modify_app_var', { body: form.body })]} />
    </FormDialog>
  )
}

/** Undo of a change of a variable of this app; another one may be selected by then. */
const variableUndo = (appId: string | undefined) => ({
  undo: (body: { undoId: string }, options: object) => call('POST /variables/undo', { body, appId, ...options }),
  refresh: () => queryClient.invalidateQueries({ queryKey: appKeyOf(appId, 'variables') }),
  restoredText: () => t`Variable restored`,
})
