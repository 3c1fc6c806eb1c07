import { t } from '@lingui/core/macro'
import { FileUp, UserRound } from 'lucide-react'
import { useCallback } from 'react'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { AppPage } from '#web/list/app-page.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useLimitReason, usePlanUsage } from '#features/plans/web/plan-limit-notice.tsx'
import { useOpenImport } from '#web/list/use-import-entry.tsx'
import { useCreateButton } from '#web/list/use-create-button.tsx'
import { useListPage } from '#web/list/use-list-page.ts'
import type { App } from '#web/session/session.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { userColumns } from './users-columns.tsx'
import { type User, userList } from './users-data.ts'
import { useDraftsOfExisting } from './user-drafts.ts'
import { UserFacets, UserFilters, userMenu, UsersBulkBar, UsersHeader } from './users-menus.tsx'

const TimeRangeDialog = lazyDialog(() => import('#web/list/time-range-dialog.tsx'), 'TimeRangeDialog')
const UserForm = lazyDialog(() => import('./users-form.tsx'), 'UserForm')
const OneUserDialog = lazyDialog(() => import('./users-form.tsx'), 'OneUserDialog')
const ExportUsersDialog = lazyDialog(() => import('./export-users-dialog.tsx'), 'ExportUsersDialog')
const UserBulkDialog = lazyDialog(() => import('./user-bulk-actions.tsx'), 'UserBulkDialog')
const WholeUserListDialog = lazyDialog(() => import('./user-bulk-actions.tsx'), 'WholeUserListDialog')

export function UsersPage() {
  const withoutApp = t`Choose an app at the top of the sidebar. Each app has its own users.`
  return (
    <AppPage title={t`Users`} withoutApp={withoutApp}>
      {(app) => <UsersTable app={app} />}
    </AppPage>
  )
}

function UsersTable({ app }: { app: App }) {
  useDraftsOfExisting()
  const list = useListPage(userList)
  const { open, close } = list.dialog
  const full = useLimitReason(list.data?.counts.total, usePlanUsage()?.limits.max_users_per_app)
  const create = useCreateButton(list.dialog, t`Create user`, t`Users`, full)
  const openImport = useOpenImport('users')
  const rowMenu = useCallback((row: User) => userMenu(row, open), [open])
  const unselect = (names: readonly string[]) => list.selection.setPage(names, false)
  const handlers = { app, onDone: list.finish, onClose: close }
  const bulk = { ...handlers, onPart: unselect }
  return (
    <>
      <UsersHeader list={list} create={create} />
      <DataTable
        id="users"
        panelKind="user"
        panelButton
        label={t`Users`}
        newestFirst
        list={list}
        columns={useColumns(userColumns)}
        rowLabel={list.rowId}
        errorText={t`Failed to load users`}
        searchPlaceholder={t`Username, email, IP`}
        facets={<UserFacets list={list} />}
        filters={<UserFilters list={list} />}
        bulkBar={<UsersBulkBar list={list} />}
        rowMenu={rowMenu}
        empty={
          <EmptyState
            icon={<UserRound />}
            title={t`No users found yet.`}
            actions={
              <>
                <Button icon={<FileUp />} onClick={openImport}>{t`Import users`}</Button>
                {create}
              </>
            }
          >
            {t`Users appear here when a program redeems a license or when you create them.`}
          </EmptyState>
        }
      />
      <ListDialogs
        list={list}
        page={{
          create: () => <UserForm onClose={close} />,
          created: () => <TimeRangeDialog list={list} filter="created" />,
          'last-login': () => <TimeRangeDialog list={list} filter="lastLogin" />,
          export: () => list.data && <ExportUsersDialog app={app} list={list} />,
          'delete-expired': () => <WholeUserListDialog name="delete-expired" {...handlers} />,
          'reset-all-hwid': () => <WholeUserListDialog name="reset-all-hwid" {...handlers} />,
          'unban-all': () => <WholeUserListDialog name="unban-all" {...handlers} />,
          'delete-all': () => <WholeUserListDialog name="delete-all" {...handlers} />,
        }}
        row={{
          edit: (user) => <UserForm user={user} onClose={close} />,
          ban: (user) => <OneUserDialog action="ban" user={user} onClose={close} />,
          pause: (user) => <OneUserDialog action="pause" user={user} onClose={close} />,
          'reset-hwid': (user) => <OneUserDialog action="reset-hwid" user={user} onClose={close} />,
          delete: (user) => <OneUserDialog action="delete" user={user} onDeleted={list.finish} onClose={close} />,
        }}
        rowMissing={t`User not found`}
        selected={{
          extend: (target) => <UserBulkDialog action="extend" target={target} {...bulk} />,
          subtract: (target) => <UserBulkDialog action="subtract" target={target} {...bulk} />,
          'ban-selected': (target) => <UserBulkDialog action="ban" target={target} {...bulk} />,
          'unban-selected': (target) => <UserBulkDialog action="unban" target={target} {...bulk} />,
          'pause-selected': (target) => <UserBulkDialog action="pause" target={target} {...bulk} />,
          'unpause-selected': (target) => <UserBulkDialog action="unpause" target={target} {...bulk} />,
          'reset-selected': (target) => <UserBulkDialog action="reset-hwid" target={target} {...bulk} />,
          'delete-selected': (target) => <UserBulkDialog action="delete" target={target} {...bulk} />,
        }}
        noneSelected={t`No users selected`}
      />
    </>
  )
}
