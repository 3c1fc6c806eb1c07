import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { refreshUsers, type User } from './user-list.ts'

const passwordVariable = 'SIGNET_USER_PASSWORD'

/** Create and edit; a name never changes, and an empty password on edit keeps the old one (part 1 §5 Users). */
export function UserForm({ user, onClose }: { user?: User | undefined; onClose: () => void }) {
  const [username, setUsername] = useState(user?.username ?? '')
  const [password, setPassword] = useState('')
  const [email, setEmail] = useState(user?.email ?? '')
  const [submitted, setSubmitted] = useState(false)
  const [attempt] = useState(() => crypto.randomUUID())
  const created = (sentPassword: string) => ({
    body: { username: username.trim(), password: sentPassword, ...(email && { email }) },
    idempotencyKey: attempt,
  })
  const save = useMutation({
    mutationFn: () =>
      user
        ? call('POST /edit_user', { body: { username: user.username, email, ...(password && { password }) } })
        : call('POST /create_user', created(password)),
    onSuccess: async ({ message }) => {
      notify.success(message ?? (user ? t`User updated successfully` : t`User created successfully`))
      onClose()
      await refreshUsers()
    },
  })
  const problems = user
    ? {}
    : {
        username: username.trim() === '' ? t`Username is required` : undefined,
        password: password === '' ? t`Password is required` : undefined,
      }
  const submit = () => {
    setSubmitted(true)
    if (!problems.username && !problems.password) save.mutate()
  }
  return (
    <FormDialog
      title={user ? t`Edit user` : t`Create user`}
      size="sm"
      submitLabel={user ? t`Save Changes` : t`Create`}
      busy={save.isPending}
      error={
        save.error ? failureText(save.error, user ? t`Failed to update user` : t`Failed to create user`) : undefined
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t`Username`}
        required
        readOnly={user !== undefined}
        autoComplete="off"
        value={username}
        onChange={(event) => setUsername(event.target.value)}
        error={submitted ? problems.username : undefined}
      />
      <PasswordField
        label={user ? t`New password` : t`Password`}
        required={!user}
        autoComplete="new-password"
        help={user ? t`Leave it empty to keep the old one.` : t`At least 8 characters.`}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={submitted ? problems.password : undefined}
      />
      <TextField
        label={t`Email`}
        type="email"
        autoComplete="off"
        help={t`Optional.`}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      {!user && (
        <ShowApiCall
          calls={() => [apiCall('POST /create_user', created(''), { password: passwordVariable })]}
          note={t`The user's password is read from ${passwordVariable}.`}
          sellerApi
        />
      )}
    </FormDialog>
  )
}
