import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { Plus, Save, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify, notifyUndoable } from '#web/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { refreshUsers, type User } from './user-list.ts'

export function UserVariables({ user }: { user: User }) {
  const variables = Object.entries(user.variables)
  return (
    <div className="flex flex-col gap-3">
      {variables.length === 0 ? (
        <p className="text-ui text-text-2">{t`No variables found.`}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {variables.map(([name, data]) => (
            <Variable key={name} username={user.username} name={name} data={data} />
          ))}
        </ul>
      )}
      <AddVariable username={user.username} />
    </div>
  )
}

/** The data can be edited in place; the name never changes (part 1 §5). */
function Variable({ username, name, data }: { username: string; name: string; data: string }) {
  const [draft, setDraft] = useState(data)
  const named = { username, variableName: name }
  const save = useMutation({
    mutationFn: () => call('PUT /user_variables', { body: { ...named, variableData: draft, originalName: name } }),
    onSuccess: ({ message }) => notify.success(message ?? t`Variable updated successfully`),
    onError: (error) => notify.error(failureText(error, t`Failed to update variable`)),
    onSettled: refreshUsers,
  })
  const remove = useMutation({
    mutationFn: () => call('DELETE /user_variables', { query: {}, body: named }),
    onSuccess: ({ message }) =>
      notifyUndoable(message ?? t`Variable deleted successfully`, () => void restoreVariable(username, name, data)),
    onError: (error) => notify.error(failureText(error, t`Failed to delete variable`)),
    onSettled: refreshUsers,
  })
  return (
    <li className="flex items-end gap-2">
      <TextField mono label={name} value={draft} onChange={(event) => setDraft(event.target.value)} className="grow" />
      <IconButton
        label={t`Save ${name}`}
        icon={<Save />}
        busy={save.isPending}
        disabled={draft === data || draft === ''}
        onClick={() => save.mutate()}
      />
      <IconButton label={t`Delete ${name}`} icon={<Trash2 />} busy={remove.isPending} onClick={() => remove.mutate()} />
    </li>
  )
}

function AddVariable({ username }: { username: string }) {
  const [variableName, setName] = useState('')
  const [variableData, setData] = useState('')
  const [submitted, setSubmitted] = useState(false)
  const isMissing = variableName.trim() === '' || variableData === ''
  const add = useMutation({
    mutationFn: () =>
      call('POST /user_variables', { body: { username, variableName, variableData }, idempotencyKey: true }),
    onSuccess: ({ message }) => {
      notify.success(message ?? t`Variable created successfully`)
      setName('')
      setData('')
      setSubmitted(false)
    },
    onError: (error) => notify.error(failureText(error, t`Failed to create variable`)),
    onSettled: refreshUsers,
  })
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        setSubmitted(true)
        if (!isMissing) add.mutate()
      }}
    >
      <TextField
        mono
        label={t`Variable name`}
        value={variableName}
        onChange={(event) => setName(event.target.value)}
        className="min-w-32 grow"
      />
      <TextField
        mono
        label={t`Variable data`}
        value={variableData}
        onChange={(event) => setData(event.target.value)}
        className="min-w-32 grow"
        error={submitted && isMissing ? t`Variable name and data are required` : undefined}
      />
      <Button type="submit" icon={<Plus />} busy={add.isPending}>{t`Add`}</Button>
    </form>
  )
}

/** Writes a deleted variable again. */
async function restoreVariable(username: string, variableName: string, variableData: string): Promise<void> {
  const body = { username, variableName, variableData }
  await call('POST /user_variables', { body, idempotencyKey: true }).catch((error: unknown) =>
    notify.error(failureText(error, t`Failed to create variable`)),
  )
  await refreshUsers()
}
