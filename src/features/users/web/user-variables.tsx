import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { Plus, Save, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { variableProblem } from '#features/variables/variables.rules.ts'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notifyDone, undoOf } from '#web/bulk/bulk-toasts.ts'
import { notify, notifyUndoable } from '#web/browser/notify.ts'
import { submitting } from '#web/form/submitting.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { besideInput } from '#web/ui/number-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useListFocus } from '#web/ui/use-list-focus.ts'
import { userDraft } from './user-drafts.ts'
import { type User, userList, userUndo } from './users-data.ts'

export function Variables({ user: { username, variables } }: { user: User }) {
  const [added, setAdded] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const keepFocus = useListFocus(list)
  const rows = Object.entries(variables)
  return (
    <div className="flex flex-col gap-3">
      {rows.length === 0 ? (
        <p className="text-ui text-text-2">{t`No variables found.`}</p>
      ) : (
        <ul ref={list} {...keepFocus} className="flex flex-col gap-2">
          {rows.map(([name, data]) => (
            <Variable key={name} username={username} name={name} data={data} />
          ))}
        </ul>
      )}
      <AddVariable key={added} username={username} onAdded={() => setAdded(added + 1)} />
    </div>
  )
}

interface VariableProps {
  username: string
  name: string
  data: string
}

function Variable(props: VariableProps) {
  const [undone, setUndone] = useState(0)
  // After an undo, the field shows what is stored.
  return <VariableForm key={undone} {...props} onUndone={() => setUndone(undone + 1)} />
}

/** A variable whose data can be edited in place; the name cannot be changed. */
function VariableForm({ username, name, data, onUndone }: VariableProps & { onUndone: () => void }) {
  const named = { username, variableName: name }
  const app = userUndo()
  const form = useSaveForm({
    start: { variableData: data },
    isNew: false,
    draft: userDraft(username, 'variable', name),
    problems: ({ variableData }) => ({ variableData: variableProblem(name, variableData) }),
    send: ({ changes, before }) => call('PUT /user_variables', { body: { ...named, ...changes, before } }),
    failure: t`Failed to update variable`,
    onSaved: (reply) => {
      const refresh = () => app.refresh().then(onUndone)
      const restoring = { ...app, refresh, restoredText: () => t`Variable restored` }
      notifyDone({ done: successText(reply) }, restoring, undoOf(reply))
      return userList.refresh()
    },
  })
  const remove = useMutation({
    mutationFn: () => call('DELETE /user_variables', { query: {}, body: named }),
    onSuccess: (reply) => {
      form.discard()
      notifyUndoable(successText(reply), () => void restoreVariable(app, username, name, data))
    },
    onError: (error) => notify.error(failureText(error, t`Failed to delete variable`)),
    onSettled: userList.refresh,
  })
  const { formRef, busy, isDirty, error, onSubmit } = form.dialog
  const field = form.field('variableData')
  return (
    <li>
      <form ref={formRef} className="flex items-start gap-2" onSubmit={submitting(onSubmit)}>
        <TextField mono label={name} className="grow" {...field} error={field.error ?? error} />
        <IconButton
          type="submit"
          label={t`Save ${name}`}
          icon={<Save />}
          busy={busy}
          disabled={!isDirty}
          className={besideInput}
        />
        <IconButton
          label={t`Delete ${name}`}
          icon={<Trash2 />}
          busy={remove.isPending}
          onClick={() => remove.mutate()}
          className={besideInput}
        />
      </form>
    </li>
  )
}

function AddVariable({ username, onAdded }: { username: string; onAdded: () => void }) {
  const form = useSaveForm({
    start: { variableName: '', variableData: '' },
    isNew: true,
    draft: userDraft(username, 'new-variable'),
    toBody: ({ variableName, variableData }) => ({ variableName: variableName.trim(), variableData }),
    problems: ({ variableName, variableData }) => {
      const problem = variableProblem(variableName.trim(), variableData)
      return problem ? { [problem.field ?? 'variableData']: problem } : {}
    },
    send: ({ body, idempotencyKey }) => call('POST /user_variables', { body: { username, ...body }, idempotencyKey }),
    failure: t`Failed to create variable`,
    onSaved: (reply) => {
      notify.success(successText(reply))
      onAdded()
      return userList.refresh()
    },
  })
  const { formRef, busy, error, onSubmit } = form.dialog
  const data = form.field('variableData')
  return (
    <form ref={formRef} className="flex flex-wrap items-start gap-3" onSubmit={submitting(onSubmit)}>
      <TextField mono label={t`Variable name`} className="min-w-32 grow basis-0" {...form.field('variableName')} />
      <div className="flex min-w-60 grow-2 basis-0 items-start gap-3">
        <TextField
          mono
          label={t`Variable data`}
          className="min-w-32 grow basis-0"
          {...data}
          error={data.error ?? error}
        />
        <Button type="submit" icon={<Plus />} busy={busy} className={besideInput}>{t`Add`}</Button>
      </div>
      {form.body.variableName !== '' && (
        <div className="basis-full">
          <ShowApiCall calls={() => [apiCall('POST /user_variables', { body: { username, ...form.body } })]} />
        </div>
      )}
    </form>
  )
}

/** Recreates a deleted variable. */
async function restoreVariable(
  { appId, refresh }: ReturnType<typeof userUndo>,
  username: string,
  variableName: string,
  variableData: string,
): Promise<void> {
  const body = { username, variableName, variableData }
  await call('POST /user_variables', { body, appId, idempotencyKey: true }).catch((error: unknown) =>
    notify.error(failureText(error, t`Failed to create variable`)),
  )
  await refresh()
}
