import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { Plus, Save, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { call } from '#web/call.ts'
import { failureText, successText } from '#web/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify, notifyUndoable } from '#web/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { userVariableProblem } from '#features/variables/variables.rules.ts'
import { refreshUsers, type User } from './user-list.ts'

export function UserVariables({ user: { username, variables } }: { user: User }) {
  const [added, setAdded] = useState(0)
  const rows = Object.entries(variables)
  return (
    <div className="flex flex-col gap-3">
      {rows.length === 0 ? (
        <p className="text-ui text-text-2">{t`No variables found.`}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {rows.map(([name, data]) => (
            <Variable key={name} username={username} name={name} data={data} />
          ))}
        </ul>
      )}
      <AddVariable key={added} username={username} onAdded={() => setAdded(added + 1)} />
    </div>
  )
}

/** In line with the input, also when an error stands beneath it: the height of a label. */
const besideInput = 'mt-6.5'

/** The data can be edited in place; the name never changes (part 1 §5). */
function Variable({ username, name, data }: { username: string; name: string; data: string }) {
  const named = { username, variableName: name }
  const form = useSaveForm({
    start: { variableData: data },
    isNew: false,
    problems: ({ variableData }) => ({ variableData: userVariableProblem(name, variableData) }),
    send: ({ changes, before }) => call('PUT /user_variables', { body: { ...named, ...changes, before } }),
    failure: t`Failed to update variable`,
    onSaved: (reply) => {
      notify.success(successText(reply))
      return refreshUsers()
    },
  })
  const remove = useMutation({
    mutationFn: () => call('DELETE /user_variables', { query: {}, body: named }),
    onSuccess: (reply) => notifyUndoable(successText(reply), () => void restoreVariable(username, name, data)),
    onError: (error) => notify.error(failureText(error, t`Failed to delete variable`)),
    onSettled: refreshUsers,
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
    toBody: ({ variableName, variableData }) => ({ variableName: variableName.trim(), variableData }),
    problems: ({ variableName, variableData }) => {
      const problem = userVariableProblem(variableName.trim(), variableData)
      return problem ? { [problem.field ?? 'variableData']: problem } : {}
    },
    send: ({ body, idempotencyKey }) => call('POST /user_variables', { body: { username, ...body }, idempotencyKey }),
    failure: t`Failed to create variable`,
    onSaved: (reply) => {
      notify.success(successText(reply))
      onAdded()
      return refreshUsers()
    },
  })
  const { formRef, busy, error, onSubmit } = form.dialog
  const data = form.field('variableData')
  return (
    <form ref={formRef} className="flex flex-wrap items-start gap-3" onSubmit={submitting(onSubmit)}>
      <TextField mono label={t`Variable name`} className="min-w-32 grow" {...form.field('variableName')} />
      <TextField mono label={t`Variable data`} className="min-w-32 grow" {...data} error={data.error ?? error} />
      <Button type="submit" icon={<Plus />} busy={busy} className={besideInput}>{t`Add`}</Button>
    </form>
  )
}

const submitting = (submit: () => void) => (event: FormEvent) => {
  event.preventDefault()
  submit()
}

/** Writes a deleted variable again. */
async function restoreVariable(username: string, variableName: string, variableData: string): Promise<void> {
  const body = { username, variableName, variableData }
  await call('POST /user_variables', { body, idempotencyKey: true }).catch((error: unknown) =>
    notify.error(failureText(error, t`Failed to create variable`)),
  )
  await refreshUsers()
}
