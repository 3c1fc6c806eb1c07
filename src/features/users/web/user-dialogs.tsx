import { t } from '@lingui/core/macro'
import { lazyDialog } from '#web/lazy/lazy-dialog.tsx'
import { OnSelection } from '#web/bulk/on-selection.tsx'
import { notify } from '#web/notify.ts'
import type { App } from '#web/session.ts'
import type { Selection } from '#web/table/selection.ts'
import type { DialogState } from '#web/use-dialog.ts'
import type { UserBulkAction, WholeUserList } from './user-bulk-acts.tsx'
import type { User, UserCounts, UserFilter } from './user-list.ts'
import type { OneUserAct } from './user-row-acts.tsx'

const UserForm = lazyDialog(() => import('./user-form.tsx'), 'UserForm')
const OneUserDialog = lazyDialog(() => import('./user-row-acts.tsx'), 'OneUserDialog')
const UserBulkDialog = lazyDialog(() => import('./user-bulk-acts.tsx'), 'UserBulkDialog')
const WholeUserListDialog = lazyDialog(() => import('./user-bulk-acts.tsx'), 'WholeUserListDialog')
const ExportUsersDialog = lazyDialog(() => import('./export-users-dialog.tsx'), 'ExportUsersDialog')

interface UserDialogsProps {
  app: App
  dialog: DialogState
  selection: Selection
  filter: UserFilter
  rows: readonly User[] | undefined
  counts: UserCounts | undefined
  total: number
}

const wholeLists: readonly string[] = ['delete-expired', 'reset-all-hwid', 'unban-all', 'delete-all']
const oneUserActs: readonly string[] = ['ban', 'pause', 'reset-hwid', 'delete']
const selectionActs: Record<string, UserBulkAction> = {
  extend: 'extend',
  subtract: 'subtract',
  'ban-selected': 'ban',
  'unban-selected': 'unban',
  'pause-selected': 'pause',
  'unpause-selected': 'unpause',
  'reset-selected': 'reset-hwid',
  'delete-selected': 'delete',
}

/** Whichever dialog the address names; those about a selection only while there is one. */
export function UserDialogs({ app, dialog, selection, filter, rows, total }: UserDialogsProps) {
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
  const ends = { app, onDone: done, onClose: close }
  if (wholeLists.includes(name)) return <WholeUserListDialog name={name as WholeUserList} {...ends} />
  const action = selectionActs[name]
  if (!action) return null
  const unselect = (names: readonly string[]) => selection.setPage(names, false)
  const onNothing = () => {
    notify.error(t`No users selected`)
    close()
  }
  return (
    <OnSelection key={name} selection={selection} filter={filter} total={total} onNothing={onNothing}>
      {(target) => <UserBulkDialog action={action} target={target} onPart={unselect} {...ends} />}
    </OnSelection>
  )
}
