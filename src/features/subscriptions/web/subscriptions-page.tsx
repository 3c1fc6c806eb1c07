import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Download, Layers, Pause, Pencil, Play, Plus, Trash2 } from 'lucide-react'
import { lazy, Suspense, useCallback, useMemo } from 'react'
import { csvLine } from '#contract/csv.ts'
import { localeStore } from '#web/locale.ts'
import { usePaletteActions } from '#web/palette-actions.ts'
import { saveTextFile } from '#web/save-text-file.ts'
import { type App, useSelectedApp } from '#web/session.ts'
import { useShortcuts } from '#web/shortcuts.ts'
import { useStore } from '#web/store.ts'
import { BulkBar } from '#web/table/bulk-bar.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { useSelection } from '#web/table/selection.ts'
import { useTableState } from '#web/table/use-table-state.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { MoreActions } from '#web/ui/more-actions.tsx'
import { NoAppSelected } from '#web/ui/no-app-selected.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useDialog } from '#web/use-dialog.ts'
import { useSubscriptionColumns } from './subscription-columns.tsx'
import {
  matching,
  nextLevel,
  type Subscription,
  subscriptionsQuery,
  subscriptionTableOptions,
} from './subscription-list.ts'
import { toggleSubscription } from './toggle-subscription.ts'

const SubscriptionForm = lazy(() => import('./subscription-form.tsx').then((m) => ({ default: m.SubscriptionForm })))
const DeleteSubscriptionsDialog = lazy(() =>
  import('./delete-subscriptions-dialog.tsx').then((m) => ({ default: m.DeleteSubscriptionsDialog })),
)

const idOf = ({ level }: Subscription) => String(level)
const nameOf = ({ name }: Subscription) => name

export function SubscriptionsPage() {
  const app = useSelectedApp()
  if (app) return <SubscriptionsOf app={app} />
  const text = t`Choose an app at the top of the sidebar: subscriptions belong to one app each.`
  return <NoAppSelected title={t`Subscriptions`} text={text} />
}

function SubscriptionsOf({ app }: { app: App }) {
  const dialog = useDialog()
  const { open } = dialog
  const create = (
    <Button variant="primary" icon={<Plus />} onClick={() => open('create')}>{t`Create subscription`}</Button>
  )

  const state = useTableState(subscriptionTableOptions)
  const { data: all, isFetching, error, refetch } = useQuery(subscriptionsQuery())
  const { status } = state.filters
  const found = useMemo(() => all && matching(all, state.search, status), [all, state.search, status])
  const rows = useMemo(
    () => found?.slice((state.page - 1) * state.limit, state.page * state.limit),
    [found, state.page, state.limit],
  )
  const total = found?.length ?? 0
  const selection = useSelection(`${state.search} ${status}`)
  const chosen = all?.filter((row) => selection.has(idOf(row))) ?? []
  const current = all?.find((row) => idOf(row) === dialog.row)

  const columns = useSubscriptionColumns(useStore(localeStore))

  useShortcuts([
    { id: 'create', keys: 'n', label: t`Create subscription`, group: t`Subscriptions`, run: () => open('create') },
  ])
  usePaletteActions(useMemo(() => [{ label: t`Create subscription`, run: () => open('create') }], [open]))
  const rowMenu = useCallback((row: Subscription): MenuEntry[] => subscriptionMenu(open, row), [open])
  const noneYet = all?.length === 0 ? t`There are no subscriptions` : undefined
  const more: MenuEntry[] = [
    { label: t`Export`, icon: <Download />, onSelect: () => exportLevels(app, all ?? []), disabledReason: noneYet },
    { kind: 'separator' },
    {
      label: t`Delete all`,
      icon: <Trash2 />,
      danger: true,
      onSelect: () => open('delete-all'),
      disabledReason: noneYet,
    },
  ]
  const finish = () => {
    selection.clear()
    dialog.close()
  }

  return (
    <>
      <PageHeader
        title={t`Subscriptions`}
        actions={
          <>
            <MoreActions entries={() => more} />
            {create}
          </>
        }
      />
      <DataTable
        id="subscriptions"
        label={t`Subscriptions`}
        columns={columns}
        rows={rows}
        total={total}
        rowId={idOf}
        rowLabel={nameOf}
        state={state}
        fetching={isFetching}
        error={error}
        errorText={t`Failed to load subscriptions`}
        onRetry={() => void refetch()}
        searchPlaceholder={t`Name or level`}
        filters={
          <FilterChip
            label={t`Status`}
            value={status}
            options={[
              { value: 'active', label: t`Active` },
              { value: 'paused', label: t`Paused` },
            ]}
            onChange={(value) => state.setFilter('status', value)}
          />
        }
        selection={selection}
        bulkBar={
          <BulkBar selection={selection} total={total} pageIds={rows?.map(idOf) ?? []}>
            <Button variant="danger" icon={<Trash2 />} onClick={() => open('delete-selected')}>{t`Delete`}</Button>
          </BulkBar>
        }
        rowMenu={rowMenu}
        onOpen={(row) => open('edit', idOf(row))}
        empty={
          <EmptyState icon={<Layers />} title={t`No subscriptions found...`} actions={create}>
            {t`A subscription is what a license gives: Basic, Pro, or whatever you sell. Programs see its level and name.`}
          </EmptyState>
        }
      />
      <Suspense fallback={null}>
        {dialog.name === 'create' && all && <SubscriptionForm level={nextLevel(all)} onClose={dialog.close} />}
        {dialog.name === 'edit' && current && (
          <SubscriptionForm subscription={current} level={current.level} onClose={dialog.close} />
        )}
        {dialog.name === 'delete' && current && (
          <DeleteSubscriptionsDialog subscriptions={[current]} onDone={finish} onClose={dialog.close} />
        )}
        {dialog.name === 'delete-selected' && chosen.length > 0 && (
          <DeleteSubscriptionsDialog subscriptions={chosen} onDone={finish} onClose={dialog.close} />
        )}
        {dialog.name === 'delete-all' && all && all.length > 0 && (
          <DeleteSubscriptionsDialog
            subscriptions={all}
            typedName={app.appName}
            onDone={finish}
            onClose={dialog.close}
          />
        )}
      </Suspense>
    </>
  )
}

function subscriptionMenu(open: (name: string, row: string) => void, row: Subscription): MenuEntry[] {
  return [
    { label: t`Edit`, icon: <Pencil />, onSelect: () => open('edit', idOf(row)) },
    row.active
      ? { label: t`Pause`, icon: <Pause />, danger: true, onSelect: () => void toggleSubscription(row) }
      : { label: t`Activate`, icon: <Play />, onSelect: () => void toggleSubscription(row) },
    { kind: 'separator' },
    { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', idOf(row)) },
  ]
}

function exportLevels(app: App, all: readonly Subscription[]): void {
  const lines = all.map(({ level, name, userCount, active }) =>
    csvLine([String(level), name, String(userCount), active ? 'active' : 'paused']),
  )
  saveTextFile(`subscriptions-${app.appName}`, 'csv', csvLine(['Level', 'Name', 'Users', 'Status']) + lines.join(''))
}
