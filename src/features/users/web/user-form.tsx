import { t } from '@lingui/core/macro'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/call.ts'
import { successText } from '#web/errors.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/notify.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { endUsernameProblem, endUserPasswordProblem, userEmailProblem } from '../users.rules.ts'
import { refreshUsers, type User } from './user-list.ts'

const passwordVariable = 'SIGNET_USER_PASSWORD'

interface UserFormProps {
  /** Who is edited; without one a new user is made. */
  user?: User | undefined
  onClose: () => void
}

/** Create and edit; a name never changes, and an empty password on edit keeps the old one (part 1 §5 Users). */
export function UserForm({ user, onClose }: UserFormProps) {
  const isNew = user === undefined
  const form = useSaveForm({
    start: { username: user?.username ?? '', password: '', email: user?.email ?? '' },
    isNew,
    toBody: ({ username, password, email }) => ({ username: username.trim(), password, email: email.trim() }),
    writeOnly: ['password'],
    problems: ({ username, password, email }) => ({
      username: isNew ? endUsernameProblem(username.trim()) : undefined,
      password: isNew || password !== '' ? endUserPasswordProblem(password) : undefined,
      email: userEmailProblem(email),
    }),
    send: ({ body, changes, before, idempotencyKey }) =>
      user
        ? call('POST /edit_user', { body: { ...changes, before, username: user.username } })
        : call('POST /create_user', { body: created(body), idempotencyKey }),
    failure: isNew ? t`Failed to create user` : t`Failed to update user`,
    onSaved: async (reply) => {
      notify.success(successText(reply))
      onClose()
      await refreshUsers()
    },
    onUnchanged: onClose,
  })
  return (
    <FormDialog
      title={isNew ? t`Create user` : t`Edit user`}
      size="sm"
      submitLabel={isNew ? t`Create` : t`Save Changes`}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField label={t`Username`} required readOnly={!isNew} autoComplete="off" {...form.field('username')} />
      <PasswordField
        label={isNew ? t`Password` : t`New password`}
        required={isNew}
        autoComplete="new-password"
        help={isNew ? t`At least 8 characters.` : t`Leave it empty to keep the old one.`}
        {...form.field('password')}
      />
      <TextField label={t`Email`} type="email" autoComplete="off" help={t`Optional.`} {...form.field('email')} />
      {isNew && (
        <ShowApiCall
          calls={() => [
            apiCall(
              'POST /create_user',
              { body: created({ ...form.body, password: '' }), idempotencyKey: true },
              { password: passwordVariable },
            ),
          ]}
          note={t`The user's password is read from ${passwordVariable}.`}
          sellerApi
        />
      )}
    </FormDialog>
  )
}

const created = ({ email, ...required }: { username: string; password: string; email: string }) => ({
  ...required,
  ...(email && { email }),
})
