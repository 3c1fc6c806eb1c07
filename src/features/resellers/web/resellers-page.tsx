import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { Handshake } from 'lucide-react'
import { useCallback } from 'react'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useCreateButton } from '#web/list/use-create-button.tsx'
import { useListPage } from '#web/list/use-list-page.ts'
import { paths } from '#web/navigation/paths.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { resellerColumns } from './resellers-columns.tsx'
import { type Reseller, resellerList } from './resellers-data.ts'
import { ResellerFacets, ResellerFilters } from './resellers-filters.tsx'
import { resellerDialogs, resellerMenu } from './resellers-menus.tsx'

const ResellerForm = lazyDialog(() => import('./resellers-form.tsx'), 'ResellerForm')

/** The list of resellers of this owner's apps. */
export function ResellersPage() {
  const list = useListPage(resellerList)
  const { open, close } = list.dialog
  const navigate = useNavigate()
  const openPage = useCallback(({ username }: Reseller) => void navigate({ to: paths.reseller(username) }), [navigate])
  const create = useCreateButton(list.dialog, t`Create reseller`, t`Resellers`)
  const rowMenu = useCallback((row: Reseller) => resellerMenu(row, open, openPage), [open, openPage])
  return (
    <>
      <PageHeader title={t`Manage Resellers`} actions={create} />
      <DataTable
        id="resellers"
        panelKind="reseller"
        label={t`Resellers`}
        list={list}
        columns={useColumns(resellerColumns)}
        rowLabel={({ username }) => username}
        errorText={t`Failed to load resellers`}
        searchPlaceholder={t`Username or email`}
        facets={<ResellerFacets state={list.state} counts={list.data?.counts} />}
        filters={<ResellerFilters state={list.state} counts={list.data?.counts} />}
        rowMenu={rowMenu}
        namesPage
        empty={
          <EmptyState icon={<Handshake />} title={t`No resellers found yet.`} actions={create}>
            {t`A reseller sells licenses for the apps you assign and pays for each with the credits you provide.`}
          </EmptyState>
        }
      />
      <ListDialogs
        list={list}
        page={{ create: () => <ResellerForm onClose={close} /> }}
        row={resellerDialogs()({ onDone: list.finish, onClose: close })}
        rowMissing={t`Reseller not found`}
      />
    </>
  )
}
