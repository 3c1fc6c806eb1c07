import { t } from '@lingui/core/macro'
import { lazy, Suspense, useEffect } from 'react'
import { notify } from '#web/notify.ts'
import type { App } from '#web/session.ts'
import type { Selection } from '#web/table/selection.ts'
import type { DialogState } from '#web/use-dialog.ts'
import type { PlainAct } from './bulk-users-dialog.tsx'
import type { UserTarget } from './bulk-users.ts'
import type { OneUserAct } from './one-user-dialog.tsx'
import type { User, UserCounts, UserFilter } from './user-list.ts'
import type { WholeListAct } from './whole-list-dialog.tsx'

const UserForm = lazy(() => import('./user-form.tsx').then((m) => ({ default: m.UserForm })))
const OneUserDialog = lazy(() => import('./one-user-dialog.tsx').then((m) => ({ default: m.OneUserDialog })))
const BulkUsersDialog = lazy(() => import('./bulk-users-dialog.tsx').then((m) => ({ default: m.BulkUsersDialog })))
const TimeDialog = lazy(() => import('./time-dialog.tsx').then((m) => ({ default: m.TimeDialog })))
const WholeListDialog = lazy(() => import('./whole-list-dialog.tsx').then((m) => ({ default: m.WholeListDialog })))
const ExportUsersDialog = lazy(() =>
  import('./export-users-dialog.tsx').then((m) => ({ default: m.ExportUsersDialog })),
)

interface UserDialogsProps {
  app: App
  dialog: DialogState
  selection: Selection
  filter: UserFilter
  rows: readonly User[] | undefined
  counts: UserCounts | undefined
  total: number
}

const wholeListActs: readonly string[] = ['delete-expired', 'reset-all-hwid', 'unban-all', 'delete-all']
const oneUserActs: readonly string[] = ['ban', 'pause', 'reset-hwid', 'delete']
const bulkActs: Record<string, PlainAct> = {
  'ban-selected': 'ban',
  'reset-selected': 'reset-hwid',
  'delete-selected': 'delete',
}

/** Whichever dialog the address names; those about a selection only while there is one. */
export function UserDialogs(props: UserDialogsProps) {
  const { dialog, selection } = props
  useEffect(() => {
    const { name = '' } = dialog
    if (selection.ids.size > 0 || !(name in bulkActs || name === 'extend' || name === 'subtract')) return
    notify.error(t`No users selected`)
    dialog.close()
    // oxlint-disable-next-line react/exhaustive-deps -- only an address that was opened with it lacks its selection
  }, [])
  return <Suspense fallback={null}>{dialogOf(props)}</Suspense>
}

function dialogOf({ app, dialog, selection, filter, rows, total }: UserDialogsProps) {
  const { name = '', row, close } = dialog
  const user = rows?.find(({ username }) => username === row)
  const done = () => {
    selection.clear()
    close()
  }
  if (name === 'create') return <UserForm onClose={close} />
  if (name === 'export') return <ExportUsersDialog filter={filter} onClose={close} />
  if (name === 'edit' && user) return <UserForm user={user} onClose={close} />
  if (oneUserActs.includes(name) && user) return <OneUserDialog act={name as OneUserAct} user={user} onClose={close} />
  if (wholeListActs.includes(name)) {
    return <WholeListDialog act={name as WholeListAct} appName={app.appName} onDone={done} onClose={close} />
  }
  const selected = selection.count(total)
  if (selected === 0) return null
  const target: UserTarget = selection.allMatching ? { filter, count: total } : { usernames: [...selection.ids] }
  const act = bulkActs[name]
  if (act) {
    const typedName = act === 'delete' && selection.allMatching ? app.appName : undefined
    return <BulkUsersDialog act={act} target={target} typedName={typedName} onDone={done} onClose={close} />
  }
  if (name === 'extend' || name === 'subtract') {
    return <TimeDialog act={name} target={target} onDone={done} onClose={close} />
  }
  return null
}
