import { t } from '@lingui/core/macro'
import { useRouterState } from '@tanstack/react-router'
import { Plus, UserRound } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useListPage } from '#web/list/use-list-page.ts'
import { localeStore } from '#web/locale.ts'
import type { App } from '#web/session.ts'
import { useSelectedApp } from '#web/use-account.ts'
import { useShortcuts } from '#web/shortcuts.ts'
import { useStore } from '#web/store.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { MoreActions } from '#web/ui/more-actions.tsx'
import { NoAppSelected } from '#web/ui/no-app-selected.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { userMenu, wholeListMenu } from './user-menus.tsx'
import { useUserColumns } from './user-columns.tsx'
import { UserDialogs } from './user-dialogs.tsx'
import { UserFilters } from './user-filters.tsx'
import { type User, userFilter, userList } from './user-list.ts'
import { UserRowDetails } from './user-row-details.tsx'
import { UserStats } from './user-stats.tsx'
import { UsersBulkBar } from './users-bulk-bar.tsx'

const detailsOf = (user: User) => <UserRowDetails user={user} />

export function UsersPage() {
  const app = useSelectedApp()
  if (app) return <UsersOf app={app} />
  const text = t`Choose an app at the top of the sidebar: users belong to one app each.`
  return <NoAppSelected title={t`Users`} text={text} />
}

/** Another screen may name a user in its navigation state: the search is filled with it (part 1 §2 /users). */
function useSelectedUser(search: (username: string) => void): [string | undefined, () => void] {
  const state = useRouterState({ select: ({ location }) => location.state as { selectedUser?: string } })
  const [shown, setShown] = useState(state.selectedUser)
  useEffect(() => {
    // Filling the search is a navigation without that state: the notice outlives it.
    if (!state.selectedUser) return
    search(state.selectedUser)
    setShown(state.selectedUser)
    // oxlint-disable-next-line react/exhaustive-deps -- once for each navigation
  }, [state.selectedUser])
  return [shown, () => setShown(undefined)]
}

function UsersOf({ app }: { app: App }) {
  const list = useListPage(userList)
  const { state, data, rows, total, filter, selection, pageIds, dialog } = list
  const { open } = dialog
  const create = <Button variant="primary" icon={<Plus />} onClick={() => open('create')}>{t`Create user`}</Button>

  const [selectedUser, dismissNotice] = useSelectedUser(state.setSearch)

  const columns = useUserColumns(useStore(localeStore))

  useShortcuts([{ id: 'create', keys: 'n', label: t`Create user`, group: t`Users`, run: () => open('create') }])
  const rowMenu = useCallback((row: User) => userMenu(open, row), [open])

  return (
    <>
      <PageHeader
        title={t`Users`}
        actions={
          <>
            <MoreActions entries={() => wholeListMenu(open, data?.counts)} />
            {create}
          </>
        }
      />
      {selectedUser && selectedUser === state.search && (
        <Notice onDismiss={dismissNotice}>
          <span className="block truncate">{t`Showing user: ${selectedUser}`}</span>
        </Notice>
      )}
      <UserStats
        counts={data?.counts}
        status={userFilter(state).status}
        onStatus={(status) => state.setFilter('status', status)}
      />
      <DataTable
        id="users"
        label={t`Users`}
        list={list}
        columns={columns}
        rowLabel={list.rowId}
        errorText={t`Failed to load users`}
        searchPlaceholder={t`Username, email, IP`}
        filters={<UserFilters state={state} />}
        bulkBar={<UsersBulkBar dialog={dialog} selection={selection} total={total} pageIds={pageIds} />}
        rowMenu={rowMenu}
        expand={detailsOf}
        empty={
          <EmptyState icon={<UserRound />} title={t`No users found yet.`} actions={create}>
            {t`Users appear when a program redeems a license, or when you create them here.`}
          </EmptyState>
        }
      />
      <UserDialogs {...{ app, dialog, selection, filter, rows, total }} counts={data?.counts} />
    </>
  )
}
