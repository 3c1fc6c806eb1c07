import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { Layers, Trash2 } from 'lucide-react'
import { useCallback } from 'react'
import { AppPage } from '#web/list/app-page.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useCreateButton } from '#web/list/use-create-button.tsx'
import { useDeletedEntry } from '#web/list/use-deleted-entry.tsx'
import { useListPage } from '#web/list/use-list-page.ts'
import type { App } from '#web/session/session.ts'
import { BulkBar } from '#web/table/bulk-bar.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { MoreActions } from '#web/ui/more-actions.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { subscriptionColumns } from './subscriptions-columns.tsx'
import { nextLevel, type Subscription, subscriptionList, usersOfLevel } from './subscriptions-data.ts'
import {
  DeleteSubscriptionsDialog,
  moreMenu,
  StatusFilter,
  subscriptionDialogs,
  SubscriptionForm,
  subscriptionMenu,
} from './subscriptions-menus.tsx'

export function SubscriptionsPage() {
  const withoutApp = t`Choose an app at the top of the sidebar. Each app has its own subscriptions.`
  return (
    <AppPage title={t`Subscriptions`} withoutApp={withoutApp}>
      {(app) => <SubscriptionsTable app={app} />}
    </AppPage>
  )
}

function SubscriptionsTable({ app }: { app: App }) {
  const list = useListPage(subscriptionList)
  const { data: all = [], state } = list
  const { open, close } = list.dialog
  const create = useCreateButton(list.dialog, t`Create subscription`, t`Subscriptions`)
  const navigate = useNavigate()
  const showUsers = useCallback(({ level }: Subscription) => void navigate(usersOfLevel(level)), [navigate])
  const rowMenu = useCallback((row: Subscription) => subscriptionMenu(row, { open, showUsers }), [open, showUsers])
  const showDeleted = useDeletedEntry('subscription')
  const handlers = { appName: app.appName, onDone: list.finish, onClose: close }
  return (
    <>
      <PageHeader
        title={t`Subscriptions`}
        actions={
          <>
            <MoreActions entries={() => [showDeleted(), ...moreMenu(app, all, open)]} />
            {create}
          </>
        }
      />
      <DataTable
        id="subscriptions"
        label={t`Subscriptions`}
        list={list}
        columns={useColumns(subscriptionColumns)}
        rowLabel={({ name }) => name}
        errorText={t`Failed to load subscriptions`}
        searchPlaceholder={t`Name or level`}
        filters={<StatusFilter value={state.filters.status} onChange={(value) => state.setFilter('status', value)} />}
        bulkBar={
          <BulkBar list={list}>
            <Button variant="danger" icon={<Trash2 />} onClick={() => open('delete-selected')}>{t`Delete`}</Button>
          </BulkBar>
        }
        rowMenu={rowMenu}
        panelKind="subscription"
        empty={
          <EmptyState icon={<Layers />} title={t`No subscriptions found...`} actions={create}>
            {t`A subscription is what a license grants: Basic, Pro or whatever you sell. Programs see its level and name.`}
          </EmptyState>
        }
      />
      <ListDialogs
        list={list}
        page={{
          create: () => list.data && <SubscriptionForm level={nextLevel(all)} onClose={close} />,
          'delete-all': () => all.length > 0 && <DeleteSubscriptionsDialog subscriptions={all} isAll {...handlers} />,
        }}
        row={subscriptionDialogs(app.appName)(handlers)}
        rowMissing={t`Subscription not found`}
        selected={{
          'delete-selected': (target) =>
            'names' in target && (
              <DeleteSubscriptionsDialog
                subscriptions={all.filter((row) => target.names.includes(list.rowId(row)))}
                {...handlers}
              />
            ),
        }}
      />
    </>
  )
}
