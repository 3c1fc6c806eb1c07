import { t } from '@lingui/core/macro'
import { FileDown } from 'lucide-react'
import { useCallback } from 'react'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { AppPage } from '#web/list/app-page.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useCreateButton } from '#web/list/use-create-button.tsx'
import { useDeletedEntry } from '#web/list/use-deleted-entry.tsx'
import { useListPage } from '#web/list/use-list-page.ts'
import { localeStore } from '#web/browser/locale.ts'
import { PlanLimitNotice } from '#features/plans/web/plan-limit-notice.tsx'
import { PlanReason } from '#features/plans/web/plan-reason.tsx'
import { useStore } from '#web/browser/store.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { FacetLine } from '#web/table/facet-line.tsx'
import type { TableState } from '#web/table/use-table-state.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { MoreActions } from '#web/ui/more-actions.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { usePlanReason } from '#features/plans/web/use-plan-feature.ts'
import { downloadColumns } from './downloads-columns.tsx'
import { megabytes } from '../downloads.rules.ts'
import { type Download, downloadList, sizeText, type StorageQuota, useTotals } from './downloads-data.ts'
import { downloadMenu } from './downloads-menus.tsx'

const UploadDialog = lazyDialog(() => import('./upload-dialog.tsx'), 'UploadDialog')
const EditDownloadDialog = lazyDialog(() => import('./downloads-dialogs.tsx'), 'EditDownloadDialog')
const DeleteDownloadDialog = lazyDialog(() => import('./downloads-dialogs.tsx'), 'DeleteDownloadDialog')
const ToggleDownloadDialog = lazyDialog(() => import('./downloads-dialogs.tsx'), 'ToggleDownloadDialog')
const DownloadLinkDialog = lazyDialog(() => import('./downloads-dialogs.tsx'), 'DownloadLinkDialog')
const DownloadStatisticsDialog = lazyDialog(() => import('./downloads-dialogs.tsx'), 'DownloadStatisticsDialog')

export function DownloadsPage() {
  const withoutApp = t`Please select an app from the sidebar to manage its files.`
  return (
    <AppPage title={t`Downloads`} withoutApp={withoutApp}>
      {() => <DownloadsTable />}
    </AppPage>
  )
}

function DownloadsTable() {
  const list = useListPage(downloadList)
  const { open, close } = list.dialog
  const quota = useTotals()?.quota
  const missing = usePlanReason('file_upload')
  const upload = useCreateButton(list.dialog, t`Upload File`, t`Downloads`, missing)
  const rowMenu = useCallback((row: Download) => downloadMenu(row, open), [open])
  const showDeleted = useDeletedEntry('file')
  const handlers = { onDone: list.finish, onClose: close }
  return (
    <>
      <PageHeader
        title={t`Downloads`}
        actions={
          <>
            <MoreActions entries={() => [showDeleted()]} />
            {upload}
          </>
        }
      />
      <PlanReason reason={missing} />
      <PlanLimitNotice
        used={quota && megabytes(quota.usedBytes)}
        limit={quota && (quota.storageBytes < 0 ? 'unlimited' : megabytes(quota.storageBytes))}
        text={(used, limit, name) => t`Your ${name} plan: ${used} of ${limit} MB of storage used across all apps.`}
      />
      <DataTable
        id="downloads"
        label={t`Downloads`}
        list={list}
        columns={useColumns(downloadColumns)}
        rowLabel={({ name }) => name}
        errorText={t`Failed to load downloads`}
        searchPlaceholder={t`Name or description`}
        facets={<Facets state={list.state} />}
        rowMenu={rowMenu}
        panelKind="file"
        empty={
          <EmptyState icon={<FileDown />} title={t`No files yet`} actions={upload}>
            {t`Upload files that your program or its users download: installers, updates, data. Each file has a link; you decide whether anyone can use it or only signed-in programs.`}
          </EmptyState>
        }
      />
      <ListDialogs
        list={list}
        page={{
          create: () =>
            quota &&
            list.data && <UploadDialog quota={quota} names={list.data.map(({ name }) => name)} onClose={close} />,
        }}
        row={{
          edit: (row) => <EditDownloadDialog download={row} onClose={close} />,
          link: (row) => <DownloadLinkDialog download={row} onClose={close} />,
          statistics: (row) => <DownloadStatisticsDialog download={row} onClose={close} />,
          toggle: (row) => <ToggleDownloadDialog download={row} {...handlers} />,
          delete: (row) => <DeleteDownloadDialog download={row} quota={quota} {...handlers} />,
        }}
        rowMissing={t`Download not found`}
      />
    </>
  )
}

/** Storage of the plan used by the files of all apps. */
function PlanStorage({ quota: { usedBytes, storageBytes } }: { quota: StorageQuota }) {
  const locale = useStore(localeStore)
  const used = sizeText(usedBytes, locale)
  if (storageBytes < 0) return t`${used} across all apps`
  const limit = sizeText(storageBytes, locale)
  const text = t`${used} of ${limit} across all apps`
  return <span title={text}>{text}</span>
}

/** Files by who can download them, and the totals. */
function Facets({ state }: { state: TableState }) {
  const locale = useStore(localeStore)
  const { stats, quota } = useTotals() ?? {}
  const number = (value: number | undefined) => value?.toLocaleString(locale)
  return (
    <FacetLine
      label={t`Totals`}
      filter="access"
      filterLabel={t`Auth`}
      single
      state={state}
      total={{ label: t`Total Files`, count: stats?.total_files }}
      facets={[
        { value: 'public', label: t({ message: 'Public', context: 'files' }), count: stats?.public_count },
        { value: 'required', label: t`Auth Required`, count: stats?.authenticated_count },
      ]}
      facts={[
        { label: t`Total Downloads`, count: number(stats?.total_download_count) },
        {
          label: t`Storage (MB)`,
          count: number(stats?.total_storage_mb),
          note: quota && <PlanStorage quota={quota} />,
        },
      ]}
    />
  )
}
