import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { lazyDialog } from '#web/lazy/lazy-dialog.tsx'
import { OnSelection } from '#web/bulk/on-selection.tsx'
import { notify } from '#web/notify.ts'
import type { App } from '#web/session.ts'
import type { Selection } from '#web/table/selection.ts'
import type { DialogState } from '#web/use-dialog.ts'
import type { LicenseBulkAction, WholeLicenseList } from './license-bulk-acts.tsx'
import { type License, type LicenseCounts, type LicenseFilter, useLicense } from './license-list.ts'

const CreateLicensesForm = lazyDialog(() => import('./create-licenses-form.tsx'), 'CreateLicensesForm')
const ExportDialog = lazyDialog(() => import('./export-dialog.tsx'), 'ExportDialog')
const EditLicenseForm = lazyDialog(() => import('./edit-license-form.tsx'), 'EditLicenseForm')
const BanLicenseDialog = lazyDialog(() => import('./license-row-acts.tsx'), 'BanLicenseDialog')
const DeleteLicenseDialog = lazyDialog(() => import('./license-row-acts.tsx'), 'DeleteLicenseDialog')
const LicenseBulkDialog = lazyDialog(() => import('./license-bulk-acts.tsx'), 'LicenseBulkDialog')
const WholeLicenseListDialog = lazyDialog(() => import('./license-bulk-acts.tsx'), 'WholeLicenseListDialog')
const LicenseDetails = lazyDialog(() => import('./license-details.tsx'), 'LicenseDetails')

interface LicenseDialogsProps {
  app: App
  dialog: DialogState
  selection: Selection
  filter: LicenseFilter
  rows: readonly License[] | undefined
  counts: LicenseCounts | undefined
  total: number
}

export function LicenseDialogs(props: LicenseDialogsProps) {
  const { dialog } = props
  return dialog.row === undefined ? <BulkDialogs {...props} /> : <LicenseDialog key={dialog.row} {...props} />
}

const wholeLists: readonly string[] = ['delete-unused', 'delete-used', 'delete-all']
const selectionActs: Record<string, LicenseBulkAction> = {
  'add-time': 'add-time',
  'ban-selected': 'ban',
  'unban-selected': 'unban',
  'delete-selected': 'delete',
}

function BulkDialogs({ app, dialog, selection, filter, counts, total }: LicenseDialogsProps) {
  const { name, close } = dialog
  const action = selectionActs[name ?? '']
  const done = () => {
    selection.clear()
    close()
  }
  const ends = { app, onDone: done, onClose: close }
  if (name && wholeLists.includes(name)) return <WholeLicenseListDialog name={name as WholeLicenseList} {...ends} />
  if (action) {
    const unselect = (keys: readonly string[]) => selection.setPage(keys, false)
    return (
      <OnSelection key={name} selection={selection} filter={filter} total={total} onNothing={close}>
        {(target) => <LicenseBulkDialog action={action} target={target} onPart={unselect} {...ends} />}
      </OnSelection>
    )
  }
  if (name === 'create') return <CreateLicensesForm app={app} onClose={close} />
  if (name === 'export' && counts) {
    return <ExportDialog app={app} filter={filter} all={counts.total} matching={total} onClose={close} />
  }
  return null
}

function LicenseDialog({ dialog, rows, selection }: LicenseDialogsProps) {
  const { name, row: key, close } = dialog
  const { license, isMissing } = useLicense(key, rows)
  useEffect(() => {
    if (!isMissing) return
    notify.error(t`License not found`)
    close()
  }, [isMissing, close])
  if (!license) return null
  const deleted = () => {
    selection.setPage([license.license], false)
    close()
  }
  switch (name) {
    case 'license':
      return <LicenseDetails license={license} dialog={dialog} />
    case 'edit':
      return <EditLicenseForm license={license} onClose={close} />
    case 'ban':
      return <BanLicenseDialog license={license} onClose={close} />
    case 'delete':
      return <DeleteLicenseDialog license={license} onDone={deleted} onClose={close} />
    default:
      return null
  }
}
