import { t } from '@lingui/core/macro'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Download, Pause, Pencil, Play, Plus, RotateCw, Trash2 } from 'lucide-react'
import { lazy, Suspense, useCallback, useMemo } from 'react'
import { localeStore } from '#web/locale.ts'
import { type App, useSelectedApp } from '#web/session.ts'
import { useShortcuts } from '#web/shortcuts.ts'
import { useStore } from '#web/store.ts'
import { BulkBar } from '#web/table/bulk-bar.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { useSelection } from '#web/table/selection.ts'
import { useTableState } from '#web/table/use-table-state.ts'
import { Button } from '#web/ui/button.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { MoreActions } from '#web/ui/more-actions.tsx'
import { NoAppSelected } from '#web/ui/no-app-selected.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useDialog } from '#web/use-dialog.ts'
import { exportSellerKeys } from './export-seller-keys.ts'
import { NoSellerKeys } from './no-seller-keys.tsx'
import { useSellerKeyColumns } from './seller-key-columns.tsx'
import { type SellerKey, sellerKeysQuery } from './seller-key-list.ts'
import { toggleKeyStatus } from './toggle-key-status.ts'

const SellerKeyForm = lazy(() => import('./seller-key-form.tsx').then((m) => ({ default: m.SellerKeyForm })))
const RotateKeyDialog = lazy(() => import('./rotate-key-dialog.tsx').then((m) => ({ default: m.RotateKeyDialog })))
const DeleteKeysDialog = lazy(() => import('./delete-keys-dialog.tsx').then((m) => ({ default: m.DeleteKeysDialog })))

const tableOptions = {}
/** Without the last characters, which a rotation changes: the dialog that shows the new key must stay open. */
const idOf = ({ sellerKey }: SellerKey) => sellerKey.split('…')[0] ?? sellerKey
const nameOf = ({ keyName }: SellerKey) => keyName

export function SellerKeysPage() {
  const app = useSelectedApp()
  if (app) return <SellerKeysOf app={app} />
  const text = t`Choose an app at the top of the sidebar: seller keys belong to one app each.`
  return <NoAppSelected title={t`Seller API Keys`} text={text} />
}

function SellerKeysOf({ app }: { app: App }) {
  const dialog = useDialog()
  const { open, close } = dialog
  const create = <Button variant="primary" icon={<Plus />} onClick={() => open('create')}>{t`Create key`}</Button>

  const state = useTableState(tableOptions)
  const { data, isFetching, error, refetch } = useQuery({
    ...sellerKeysQuery(state.query),
    placeholderData: keepPreviousData,
  })
  const rows = data?.sellerKeys
  const total = data?.total ?? 0
  const pageIds = useMemo(() => rows?.map(idOf) ?? [], [rows])
  const selection = useSelection(state.search)
  const current = rows?.find((row) => idOf(row) === dialog.row)

  const columns = useSellerKeyColumns(useStore(localeStore))

  useShortcuts([
    { id: 'create', keys: 'n', label: t`Create key`, group: t`Seller API Keys`, run: () => open('create') },
  ])
  const rowMenu = useCallback((row: SellerKey) => sellerKeyMenu(open, row), [open])
  const noneYet = total === 0 ? t`There are no seller keys` : undefined
  const more = (): MenuEntry[] => [
    { label: t`Export`, icon: <Download />, disabledReason: noneYet, onSelect: () => void exportSellerKeys(app) },
    { kind: 'separator' },
    {
      label: t`Delete all`,
      icon: <Trash2 />,
      danger: true,
      disabledReason: noneYet,
      onSelect: () => open('delete-all'),
    },
  ]
  const finish = () => {
    selection.clear()
    close()
  }

  return (
    <>
      <PageHeader
        title={t`Seller API Keys`}
        actions={
          <>
            <MoreActions entries={more} />
            {create}
          </>
        }
      />
      {rows?.some(({ exposedAt }) => exposedAt !== null) && (
        <Notice tone="danger">{t`An exposed key stood in a URL, where logs keep it. Rotate it.`}</Notice>
      )}
      <DataTable
        id="seller-keys"
        label={t`Seller API Keys`}
        columns={columns}
        rows={rows}
        total={total}
        rowId={idOf}
        rowLabel={nameOf}
        state={state}
        fetching={isFetching}
        error={error}
        errorText={t`Failed to load seller keys`}
        onRetry={() => void refetch()}
        searchPlaceholder={t`Name or key`}
        selection={selection}
        bulkBar={
          <BulkBar selection={selection} total={total} pageIds={pageIds} canSelectAllMatching={false}>
            <Button variant="danger" icon={<Trash2 />} onClick={() => open('delete-selected')}>{t`Delete`}</Button>
          </BulkBar>
        }
        rowMenu={rowMenu}
        onOpen={(row) => open('edit', idOf(row))}
        empty={<NoSellerKeys create={create} />}
      />
      <Suspense fallback={null}>
        {dialog.name === 'create' && <SellerKeyForm appName={app.appName} onClose={close} />}
        {dialog.name === 'edit' && current && (
          <SellerKeyForm sellerKey={current} appName={app.appName} onClose={close} />
        )}
        {dialog.name === 'rotate' && current && <RotateKeyDialog sellerKey={current} onClose={close} />}
        {dialog.name === 'delete' && current && (
          <DeleteKeysDialog
            target={{ sellerKeys: [idOf(current)] }}
            name={current.keyName}
            onDone={finish}
            onClose={close}
          />
        )}
        {dialog.name === 'delete-selected' && selection.ids.size > 0 && (
          <DeleteKeysDialog
            target={{ sellerKeys: [...selection.ids] }}
            name={undefined}
            onDone={finish}
            onClose={close}
          />
        )}
        {dialog.name === 'delete-all' && total > 0 && (
          <DeleteKeysDialog
            target={{ all: total, appName: app.appName }}
            name={undefined}
            onDone={finish}
            onClose={close}
          />
        )}
      </Suspense>
    </>
  )
}

function sellerKeyMenu(open: (name: string, row: string) => void, row: SellerKey): MenuEntry[] {
  return [
    { label: t`Edit`, icon: <Pencil />, onSelect: () => open('edit', idOf(row)) },
    row.status === 'active'
      ? { label: t`Pause`, icon: <Pause />, danger: true, onSelect: () => void toggleKeyStatus(row) }
      : { label: t`Activate`, icon: <Play />, onSelect: () => void toggleKeyStatus(row) },
    { label: t`Rotate`, icon: <RotateCw />, onSelect: () => open('rotate', idOf(row)) },
    { kind: 'separator' },
    { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', idOf(row)) },
  ]
}
