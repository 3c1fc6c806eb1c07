import { t } from '@lingui/core/macro'
import { Braces, Download, Trash2 } from 'lucide-react'
import { useCallback, useEffect } from 'react'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { AppPage } from '#web/list/app-page.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useCreateButton } from '#web/list/use-create-button.tsx'
import { useDeletedEntry } from '#web/list/use-deleted-entry.tsx'
import { useListPage } from '#web/list/use-list-page.ts'
import type { App } from '#web/session/session.ts'
import { usePlanReason } from '#features/plans/web/use-plan-feature.ts'
import { PlanLimitNotice, useLimitReason, usePlanUsage } from '#features/plans/web/plan-limit-notice.tsx'
import { PlanReason } from '#features/plans/web/plan-reason.tsx'
import { BulkBar } from '#web/table/bulk-bar.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { MoreActions } from '#web/ui/more-actions.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { hideAllData } from './shown-data.ts'
import { moreMenu, variableColumns, variableDialogs, VariableForm, variableMenu } from './variables-columns.tsx'
import { type AppVariable, variableList } from './variables-data.ts'

const ExportVariablesDialog = lazyDialog(() => import('./export-variables-dialog.tsx'), 'ExportVariablesDialog')
const DeleteVariablesDialog = lazyDialog(() => import('./variables-dialogs.tsx'), 'DeleteVariablesDialog')

export function VariablesPage() {
  const withoutApp = t`Please select an app from the sidebar to manage its variables.`
  return (
    <AppPage title={t`Variables Management`} withoutApp={withoutApp}>
      {(app) => <VariablesTable app={app} />}
    </AppPage>
  )
}

function VariablesTable({ app }: { app: App }) {
  const list = useListPage(variableList)
  const { total, state } = list
  const { open, close } = list.dialog
  const plan = usePlanUsage()
  const all = state.search === '' ? total : undefined
  const missing = usePlanReason('custom_variables')
  const full = useLimitReason(all, plan?.limits.max_variables_per_app)
  const create = useCreateButton(list.dialog, t`Add Variable`, t`Variables`, missing ?? full)
  const rowMenu = useCallback((row: AppVariable) => variableMenu(row, open), [open])
  const showDeleted = useDeletedEntry('variable')
  useEffect(() => hideAllData, [])
  const isEmpty = total === 0 && state.search === ''
  const handlers = { onDone: list.finish, onClose: close }
  return (
    <>
      <PageHeader
        title={t`Variables Management`}
        actions={
          <>
            <MoreActions entries={() => [showDeleted(), ...moreMenu(isEmpty, open)]} />
            {create}
          </>
        }
      />
      <PlanReason reason={missing} />
      <PlanLimitNotice
        used={all}
        limit={plan?.limits.max_variables_per_app}
        text={(used, limit, name) => t`Your ${name} plan: ${used} of ${limit} variables used in this app.`}
      />
      <DataTable
        id="variables"
        label={t`Variables`}
        list={list}
        columns={useColumns(variableColumns)}
        rowLabel={({ variableName }) => variableName}
        errorText={t`Failed to load variables`}
        searchPlaceholder={t`Name or data`}
        bulkBar={
          <BulkBar list={list} canSelectAllMatching>
            <Button icon={<Download />} onClick={() => open('export')}>{t`Export`}</Button>
            <Button variant="danger" icon={<Trash2 />} onClick={() => open('delete-selected')}>{t`Delete`}</Button>
          </BulkBar>
        }
        rowMenu={rowMenu}
        panelKind="variable"
        empty={
          <EmptyState icon={<Braces />} title={t`No variables found yet.`} actions={create}>
            {t`A variable is a text that your program loads from here instead of containing it: a key, an address, a message. Change it, and every copy gets the new value on its next call.`}
          </EmptyState>
        }
      />
      <ListDialogs
        list={list}
        page={{
          create: () => <VariableForm onClose={close} />,
          export: () => list.data && <ExportVariablesDialog app={app} list={list} all={list.data.all} />,
          'delete-all': () => <DeleteVariablesDialog app={app} target={{ filter: {} }} isAll {...handlers} />,
        }}
        row={variableDialogs(handlers)}
        rowMissing={t`Variable not found`}
        selected={{ 'delete-selected': (target) => <DeleteVariablesDialog app={app} target={target} {...handlers} /> }}
        noneSelected={t`No variables selected`}
      />
    </>
  )
}
