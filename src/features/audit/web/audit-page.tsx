import { t } from '@lingui/core/macro'
import { Download, FileClock, ListFilter, RotateCw } from 'lucide-react'
import { useCallback, useId } from 'react'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useListPage } from '#web/list/use-list-page.ts'
import { DataTable } from '#web/table/data-table.tsx'
import type { TableState } from '#web/table/use-table-state.ts'
import { ActionsReason } from '#web/ui/actions-reason.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { auditColumns, platformAuditColumns } from './audit-columns.tsx'
import { type AuditEntry, auditList, platformAuditList } from './audit-data.ts'
import { AuditFilters } from './audit-filters.tsx'

const TimeRangeDialog = lazyDialog(() => import('#web/list/time-range-dialog.tsx'), 'TimeRangeDialog')
const ExportAuditDialog = lazyDialog(() => import('./export-audit-dialog.tsx'), 'ExportAuditDialog')

/** The audit log of the user's own account, or of the whole platform. */
export const AuditPage = () => <AuditTable isPlatform={false} />
export const PlatformAuditPage = () => <AuditTable isPlatform />

const rowLabel = ({ id }: AuditEntry) => t`entry ${id}`

function AuditTable({ isPlatform }: { isPlatform: boolean }) {
  const source = isPlatform ? platformAuditList : auditList
  const list = useListPage(source)
  const { state, rows, total } = list
  const { open } = list.dialog
  const reasonId = useId()
  const nothing = rows !== undefined && total === 0 ? t`There is nothing to export` : undefined
  const rowMenu = useCallback((row: AuditEntry) => auditMenu(row, state, isPlatform), [state, isPlatform])
  return (
    <>
      <PageHeader
        title={t`Audit`}
        actions={
          <>
            <Button
              icon={<Download />}
              disabledReason={nothing}
              aria-describedby={nothing && reasonId}
              onClick={() => open('export')}
            >{t`Export`}</Button>
            <Button icon={<RotateCw />} onClick={() => void source.refresh()}>{t`Refresh`}</Button>
          </>
        }
      />
      <ActionsReason id={reasonId} reason={nothing} />
      <DataTable
        id={isPlatform ? 'admin-audit' : 'audit'}
        label={t`Audit`}
        newestFirst
        list={list}
        columns={useColumns(isPlatform ? platformAuditColumns : auditColumns)}
        rowLabel={rowLabel}
        errorText={t`Failed to load the audit log`}
        searchPlaceholder={t`Exact key, username or ID`}
        filters={<AuditFilters list={list} rows={rows ?? []} isPlatform={isPlatform} />}
        rowMenu={rowMenu}
        panelKind="audit"
        panelButton
        empty={
          <EmptyState icon={<FileClock />} title={t`No events yet`}>
            {t`All changes to your account and your apps appear here: who made them, what they affected, from where and when.`}
          </EmptyState>
        }
      />
      <ListDialogs
        list={list}
        page={{
          days: () => <TimeRangeDialog list={list} filter="days" />,
          export: () => <ExportAuditDialog list={list} isPlatform={isPlatform} />,
        }}
        rowMissing={t`Entry not found`}
      />
    </>
  )
}

/** Row menu that filters the list by values of the row. */
function auditMenu(row: AuditEntry, { setFilter, setSearch }: TableState, isPlatform: boolean): MenuEntry[] {
  const { act, actor, app, ip, owner, target } = row
  const only = (label: string, value: string, choose: (value: string) => void): MenuEntry[] =>
    value === '' ? [] : [{ label, icon: <ListFilter />, onSelect: () => choose(value) }]
  return [
    ...only(t`Only this event`, act.replace(/\.undo$/, ''), (value) => setFilter('act', value)),
    ...only(t`Only this target`, target, setSearch),
    ...only(t`Only this actor`, actor.id, (value) => setFilter('actorId', value)),
    ...only(t`Only this app`, app?.id ?? '', (value) => setFilter('app', value)),
    ...only(t`Only this address`, ip, (value) => setFilter('ip', value)),
    ...(isPlatform ? only(t`Only this owner`, owner.id, (value) => setFilter('owner', value)) : []),
  ]
}
