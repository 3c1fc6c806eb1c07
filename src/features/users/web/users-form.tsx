import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiCall, apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { deletionUndo, notifyDeleted } from '#web/bulk/deletion-undo.ts'
import { notifyDone, undoOf } from '#web/bulk/bulk-toasts.ts'
import { call } from '#web/api/call.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { changeAtOnce, withFields } from '#web/api/optimistic-change.ts'
import { appKeyOf } from '#web/api/query-keys.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify, notifyUndoable } from '#web/browser/notify.ts'
import type { Coded } from '#web/api/code-text.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { endUsernameProblem, endUserPasswordProblem, userEmailProblem } from '../users.rules.ts'
import { notifyChanged } from './user-undo.ts'
import { type User, userList, userUndo } from './users-data.ts'

const passwordVariable = 'SIGNET_USER_PASSWORD'
const secrets = { password: passwordVariable }

interface UserFormProps {
  /** The user to edit; without it, a new user is created. */
  user?: User | undefined
  onClose: () => void
}

/** Creates or edits a user; the name cannot be changed, and an empty password keeps the current one. */
export function UserForm({ user, onClose }: UserFormProps) {
  const isNew = user === undefined
  const [undoable] = useState(userUndo)
  const machine = user?.hwid
  const form = useSaveForm({
    start: { username: user?.username ?? '', password: '', email: user?.email ?? '', hwid: '' },
    isNew,
    toBody: ({ username, password, email, hwid }) => ({
      username: username.trim(),
      password,
      email: email.trim(),
      hwid: hwid.trim(),
    }),
    writeOnly: ['password', 'hwid'],
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
      notifyChanged({ undoId: null, ...reply }, undoable)
      onClose()
      await userList.refresh()
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
        help={isNew ? t`At least 8 characters.` : t`Leave empty to keep the current one.`}
        {...form.field('password')}
      />
      <TextField label={t`Email`} type="email" autoComplete="off" help={t`Optional.`} {...form.field('email')} />
      {user && (
        <TextField
          mono
          label={t`New HWID`}
          autoComplete="off"
          spellCheck={false}
          help={
            machine
              ? t`Bound to the machine ${machine}. Leave empty to keep it, or paste the HWID that the program sends from another machine.`
              : t`No machine is bound. Paste the HWID that the program sends from a machine, or leave empty to bind the next machine that signs in.`
          }
          {...form.field('hwid')}
        />
      )}
      <ShowApiCall
        calls={() => {
          if (isNew) return [apiCall('POST /create_user', { body: created(form.body), idempotencyKey: true }, secrets)]
          return (
            form.changes && [
              apiCall('POST /edit_user', { body: { ...form.changes, username: user.username } }, secrets),
            ]
          )
        }}
        note={
          isNew || form.changes?.password !== undefined
            ? t`The user's password is read from ${passwordVariable}.`
            : undefined
        }
      />
    </FormDialog>
  )
}

const created = ({ username, password, email }: { username: string; password: string; email: string }) => ({
  username,
  password,
  ...(email && { email }),
})

type OneUserAction = 'ban' | 'pause' | 'reset-hwid' | 'delete'

/** Confirms an action on one user. */
export function OneUserDialog({
  action,
  user: current,
  onDeleted,
  onClose,
}: {
  action: OneUserAction
  user: User
  onDeleted?: () => void
  onClose: () => void
}) {
  // The list refreshes while the dialog is open; its question must not turn into the opposite.
  const [user] = useState(current)
  const run = useMutation({
    mutationFn: () => actOnUser(action, user),
    onSettled: (isDone) => (isDone && action === 'delete' && onDeleted ? onDeleted() : onClose()),
  })
  const confirm = () => {
    if (action !== 'ban' && action !== 'pause') return run.mutate()
    // Shown before the server has answered.
    void actOnUser(action, user)
    onClose()
  }
  const { username } = user
  const words = {
    ban: user.banned
      ? { title: t`Unban ${username}?`, text: t`The user can sign in again immediately.`, confirm: t`Unban` }
      : {
          title: t`Ban ${username}?`,
          text: t`Active sessions end immediately, and sign-ins are rejected.`,
          confirm: t`Ban`,
        },
    pause: user.paused
      ? {
          title: t`Unpause ${username}?`,
          text: t`The time remaining at the pause resumes now.`,
          confirm: t`Unpause`,
        }
      : {
          title: t`Pause ${username}?`,
          text: t`The remaining time is kept, and programs are rejected until you unpause.`,
          confirm: t`Pause`,
        },
    'reset-hwid': {
      title: t`Reset the HWID of ${username}?`,
      text: t`The next machine that signs in is bound.`,
      confirm: t`Reset HWID`,
    },
    delete: {
      title: t`Delete ${username}?`,
      text: t`Subscriptions and variables are deleted too. You can restore the user for 30 days.`,
      confirm: t`Delete`,
    },
  }[action]
  return (
    <ConfirmDialog
      title={words.title}
      description={words.text}
      confirmLabel={words.confirm}
      danger={action === 'delete' || (action === 'ban' && !user.banned) || (action === 'pause' && !user.paused)}
      busy={run.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <ShowApiCall calls={() => [callFor(action, user)]} />
    </ConfirmDialog>
  )
}

const callFor = (name: OneUserAction, { username, banned, paused }: User): ApiCall =>
  ({
    ban: () => apiCall('POST /toggle_ban_user', { body: { username, banned: !banned } }),
    pause: () => apiCall('POST /toggle_pause_user', { body: { username, paused: !paused } }),
    'reset-hwid': () => apiCall('POST /reset_user_hwid', { body: { username } }),
    delete: () => apiCall('POST /delete_user', { body: { username } }),
  })[name]()

/** Resolves with whether it is done. */
const actOnUser = (name: OneUserAction, user: User): Promise<boolean> =>
  ({
    ban: () => setBanned(user, !user.banned),
    pause: () => setPaused(user, !user.paused),
    'reset-hwid': () => resetHwid(user),
    delete: () => deleteUser(user),
  })[name]()

/** Runs an action from the row's menu; reversible actions offer Undo. False if it failed. */
async function runAction<R extends Coded>(
  run: () => Promise<R>,
  { failure, done = (text) => notify.success(text) }: { failure: string; done?: (text: string, reply: R) => unknown },
): Promise<boolean> {
  let isDone = true
  try {
    const reply = await run()
    done(successText(reply), reply)
  } catch (error) {
    isDone = false
    notify.error(failureText(error, failure))
  }
  await userList.refresh()
  return isDone
}

type Named = Pick<User, 'username'>

function changeUser<R extends Coded>(
  { username }: Named,
  [shown, before]: [Partial<User>, Partial<User>],
  said: { appId: string | undefined; send: () => Promise<R>; onDone: (reply: R) => void; failure: string },
): Promise<boolean> {
  const { appId, ...change } = said
  const isUser = (row: Partial<User>) => row.username === username && row.banned !== undefined
  return changeAtOnce({
    id: username,
    queryKeys: [appKeyOf(appId, 'users')],
    show: withFields<User>(isUser, shown),
    takeBack: withFields<User>(isUser, before),
    ...change,
  })
}

function setBanned({ username }: Named, banned: boolean, appId = userUndo().appId, isUndo = false): Promise<boolean> {
  const undo = () => void setBanned({ username }, !banned, appId, true)
  return changeUser({ username }, [{ banned }, { banned: !banned }], {
    appId,
    send: () => call('POST /toggle_ban_user', { body: { username, banned }, appId }),
    onDone: (reply) => (isUndo ? notify.success(successText(reply)) : notifyUndoable(successText(reply), undo)),
    failure: t`Failed to ban user`,
  })
}

function setPaused({ username }: Named, paused: boolean): Promise<boolean> {
  const undoable = { ...userUndo(), restoredText: () => (paused ? t`User unpaused` : t`User paused`) }
  const { appId } = undoable
  return changeUser({ username }, [{ paused }, { paused: !paused }], {
    appId,
    send: () => call('POST /toggle_pause_user', { body: { username, paused }, appId }),
    onDone: (reply) => notifyDone({ done: successText(reply) }, undoable, undoOf(reply)),
    failure: t`Failed to pause user`,
  })
}

function resetHwid({ username }: Named): Promise<boolean> {
  const undoable = userUndo()
  return runAction(() => call('POST /reset_user_hwid', { body: { username } }), {
    failure: t`Failed to reset HWID`,
    done: (_text, reply) => notifyChanged(reply, undoable),
  })
}

function deleteUser({ username }: Named): Promise<boolean> {
  const deletion = deletionUndo()
  return runAction(() => call('POST /delete_user', { body: { username } }), {
    failure: t`Failed to delete user`,
    done: (text, { undoId }) => notifyDeleted(text, undoId, deletion),
  })
}
