import { t } from '@lingui/core/macro'
import { ChartNoAxesColumn, Check, Link, Pencil, Power, Trash2 } from 'lucide-react'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { type Download, downloadList, refreshDownloads } from './downloads-data.ts'

export function downloadMenu(row: Download, open: (name: string, row: string) => void): MenuEntry[] {
  const id = downloadList.rowId(row)
  if (!row.completed) {
    return [
      { label: t`Complete upload`, icon: <Check />, onSelect: () => void completeUpload(row) },
      { label: t`Edit`, icon: <Pencil />, onSelect: () => open('edit', id) },
      { kind: 'separator' },
      { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', id) },
    ]
  }
  return [
    { label: t`Copy link`, icon: <Link />, onSelect: () => open('link', id) },
    { label: t`Statistics`, icon: <ChartNoAxesColumn />, onSelect: () => open('statistics', id) },
    { label: t`Edit`, icon: <Pencil />, onSelect: () => open('edit', id) },
    { label: row.active ? t`Disable` : t`Enable`, icon: <Power />, onSelect: () => open('toggle', id) },
    { kind: 'separator' },
    { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', id) },
  ]
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
