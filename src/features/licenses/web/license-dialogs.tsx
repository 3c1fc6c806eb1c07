import { t } from '@lingui/core/macro'
import { lazy, Suspense, useEffect } from 'react'
import { notify } from '#web/notify.ts'
import type { App } from '#web/session.ts'
import type { Selection } from '#web/table/selection.ts'
import type { DialogState } from '#web/use-dialog.ts'
import type { BulkTarget } from './bulk-licenses.ts'
import type { WhichLicenses } from './delete-many-dialog.tsx'
import { type License, type LicenseCounts, type LicenseFilter, useLicense } from './license-list.ts'

const CreateLicensesForm = lazy(() =>
  import('./create-licenses-form.tsx').then((m) => ({ default: m.CreateLicensesForm })),
)
const AddTimeForm = lazy(() => import('./add-time-form.tsx').then((m) => ({ default: m.AddTimeForm })))
const ExportDialog = lazy(() => import('./export-dialog.tsx').then((m) => ({ default: m.ExportDialog })))
const EditLicenseForm = lazy(() => import('./edit-license-form.tsx').then((m) => ({ default: m.EditLicenseForm })))
const BanLicenseDialog = lazy(() => import('./ban-license-dialog.tsx').then((m) => ({ default: m.BanLicenseDialog })))
const BanSelectedDialog = lazy(() =>
  import('./ban-selected-dialog.tsx').then((m) => ({ default: m.BanSelectedDialog })),
)
const DeleteLicenseDialog = lazy(() =>
  import('./delete-license-dialog.tsx').then((m) => ({ default: m.DeleteLicenseDialog })),
)
const DeleteSelectedDialog = lazy(() =>
  import('./delete-selected-dialog.tsx').then((m) => ({ default: m.DeleteSelectedDialog })),
)
const DeleteManyDialog = lazy(() => import('./delete-many-dialog.tsx').then((m) => ({ default: m.DeleteManyDialog })))
const LicenseDetails = lazy(() => import('./license-details.tsx').then((m) => ({ default: m.LicenseDetails })))

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
  return (
    <Suspense fallback={null}>
      {dialog.row === undefined ? <BulkDialogs {...props} /> : <LicenseDialog key={dialog.row} {...props} />}
    </Suspense>
  )
}

const deletes: Record<string, WhichLicenses> = { 'delete-unused': 'unused', 'delete-used': 'used', 'delete-all': 'all' }
const onSelected = ['ban-selected', 'unban-selected', 'delete-selected']

function BulkDialogs({ app, dialog, selection, filter, counts, total }: LicenseDialogsProps) {
  const { name, close } = dialog
  const target: BulkTarget = selection.allMatching ? { filter, count: total } : { keys: [...selection.ids] }
  // A link, or Forward, to a dialog about rows that nobody has selected.
  const isLost = onSelected.includes(name ?? '') && selection.count(total) === 0
  useEffect(() => {
    if (isLost) close()
  }, [isLost, close])
  if (isLost) return null

  const done = () => {
    selection.clear()
    close()
  }
  const unselect = (keys: readonly string[]) => 'keys' in target && selection.setPage(keys, false)
  const ends = { onDone: done, onClose: close }
  const which = deletes[name ?? '']
  if (which && counts) return <DeleteManyDialog which={which} app={app} counts={counts} {...ends} />
  switch (name) {
    case 'create':
      return <CreateLicensesForm app={app} onClose={close} />
    case 'add-time':
      return <AddTimeForm appId={app.appId} target={target} {...ends} />
    case 'export':
      return counts && <ExportDialog app={app} filter={filter} all={counts.total} matching={total} onClose={close} />
    case 'ban-selected':
      return <BanSelectedDialog action="ban" target={target} {...ends} />
    case 'unban-selected':
      return <BanSelectedDialog action="unban" target={target} {...ends} />
    case 'delete-selected':
      return <DeleteSelectedDialog target={target} appName={app.appName} onPart={unselect} {...ends} />
    default:
      return null
  }
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
