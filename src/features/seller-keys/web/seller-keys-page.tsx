import { t } from '@lingui/core/macro'
import { KeySquare, Trash2 } from 'lucide-react'
import { useCallback } from 'react'
import { AppPage } from '#web/list/app-page.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useCreateButton } from '#web/list/use-create-button.tsx'
import { useListPage } from '#web/list/use-list-page.ts'
import type { App } from '#web/session/session.ts'
import { PlanReasonText } from '#features/plans/web/plan-reason.tsx'
import { usePlanReason } from '#features/plans/web/use-plan-feature.ts'
import { BulkBar } from '#web/table/bulk-bar.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { MoreActions } from '#web/ui/more-actions.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { sellerKeyColumns } from './seller-keys-columns.tsx'
import { type SellerKey, sellerKeyList } from './seller-keys-data.ts'
import { DeleteKeysDialog, moreMenu, sellerKeyDialogs, SellerKeyForm, sellerKeyMenu } from './seller-keys-menus.tsx'

/** Portuguese in all languages (API-12). */
const emptyTitle = <span lang="pt-BR">Nenhuma chave encontrada ainda.</span>

export function SellerKeysPage() {
  const withoutApp = t`Choose an app at the top of the sidebar. Each app has its own seller keys.`
  return (
    <AppPage title={t`Seller API Keys`} withoutApp={withoutApp}>
      {(app) => <SellerKeysTable app={app} />}
    </AppPage>
  )
}

function SellerKeysTable({ app }: { app: App }) {
  const list = useListPage(sellerKeyList)
  const { rows, total, state, selected } = list
  const all = list.data?.all ?? 0
  const isEmpty = total === 0 && !state.isFiltered
  const noBulk = usePlanReason('bulk_operations')
  // One key is deleted by its own call.
  const notSelected = selected > 1 ? noBulk : undefined
  const { open, close } = list.dialog
  const create = useCreateButton(list.dialog, t`Create key`, t`Seller API Keys`)
  const rowMenu = useCallback((row: SellerKey) => sellerKeyMenu(row, open), [open])
  const handlers = { onDone: list.finish, onClose: close }
  return (
    <>
      <PageHeader
        title={t`Seller API Keys`}
        actions={
          <>
            <MoreActions entries={() => moreMenu(app, { isEmpty, noBulk }, open)} />
            {create}
          </>
        }
      />
      {rows?.some(({ exposedAt }) => exposedAt !== null) && (
        <Notice tone="danger">{t`An exposed key was sent in a URL, which logs store. Rotate it.`}</Notice>
      )}
      <DataTable
        id="seller-keys"
        label={t`Seller API Keys`}
        list={list}
        columns={useColumns(sellerKeyColumns)}
        rowLabel={({ keyName }) => keyName}
        errorText={t`Failed to load seller keys`}
        searchPlaceholder={t`Name or key`}
        bulkBar={
          <BulkBar list={list} notice={notSelected && <PlanReasonText reason={notSelected} />}>
            <Button
              variant="danger"
              icon={<Trash2 />}
              disabledReason={notSelected}
              onClick={() => open('delete-selected')}
            >{t`Delete`}</Button>
          </BulkBar>
        }
        rowMenu={rowMenu}
        panelKind="seller-key"
        empty={
          <EmptyState icon={<KeySquare />} title={emptyTitle} actions={create}>
            {t`No seller keys yet. With a seller key, a shop or bot creates and manages licenses automatically, from the addresses and with the permissions you choose.`}
          </EmptyState>
        }
      />
      <ListDialogs
        list={list}
        page={{
          create: () => <SellerKeyForm appName={app.appName} onClose={close} />,
          'delete-all': () => all > 0 && <DeleteKeysDialog target={{ all, appName: app.appName }} {...handlers} />,
        }}
        row={sellerKeyDialogs(app.appName)(handlers)}
        rowMissing={t`Seller key not found`}
        selected={{
          'delete-selected': (target) =>
            'names' in target && <DeleteKeysDialog target={{ sellerKeys: [...target.names] }} {...handlers} />,
        }}
      />
    </>
  )
}
