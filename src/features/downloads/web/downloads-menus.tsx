import { t } from '@lingui/core/macro'
import { ChartNoAxesColumn, Check, Link, Pencil, Power, Trash2 } from 'lucide-react'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import type { MenuAction, MenuEntry } from '#web/ui/menu-entry.ts'
import { type Download, downloadList, refreshDownloads } from './downloads-data.ts'

type Open = (name: string, row: string) => void

/** Also the buttons of its panel. */
export function downloadActions(row: Download, open: Open): [MenuAction, MenuAction, MenuAction] {
  const id = downloadList.rowId(row)
  const edit = { label: t`Edit`, icon: <Pencil />, onSelect: () => open('edit', id) }
  const remove = { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', id) }
  if (!row.completed) {
    return [{ label: t`Complete upload`, icon: <Check />, onSelect: () => void completeUpload(row) }, edit, remove]
  }
  const toggleLabel = row.active ? t`Disable` : t`Enable`
  return [edit, { label: toggleLabel, icon: <Power />, onSelect: () => open('toggle', id) }, remove]
}

export function downloadMenu(row: Download, open: Open): MenuEntry[] {
  const id = downloadList.rowId(row)
  const [first, second, remove] = downloadActions(row, open)
  const ofCompleted: MenuEntry[] = [
    { label: t`Copy link`, icon: <Link />, onSelect: () => open('link', id) },
    { label: t`Statistics`, icon: <ChartNoAxesColumn />, onSelect: () => open('statistics', id) },
  ]
  return [...(row.completed ? ofCompleted : []), first, second, { kind: 'separator' }, remove]
}

/** Completes an upload whose dialog was lost, with the values sent with the upload. */
async function completeUpload({ downloadId }: Download): Promise<void> {
  try {
    await call('PUT /downloads/file/{name}', { params: { name: downloadId }, body: { complete: true } })
    notify.success(t`File uploaded successfully`)
  } catch (error) {
    notify.error(failureText(error, t`Upload failed`))
  }
  await refreshDownloads()
}
