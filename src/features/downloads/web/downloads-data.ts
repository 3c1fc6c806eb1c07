import { t } from '@lingui/core/macro'
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import type { CallReply } from '#web/api/call-types.ts'
import { successText } from '#web/api/errors.ts'
import { changeAtOnce, withFields } from '#web/api/optimistic-change.ts'
import { notifyUndoable } from '#web/browser/notify.ts'
import { type SortValues, sortRows } from '#web/list/sort-rows.ts'
import { wholeList } from '#web/list/whole-list.ts'
import { queryClient } from '#web/api/query-client.ts'
import { appKeyOf } from '#web/api/query-keys.ts'

type DownloadsReply = CallReply<'GET /downloads'>
export type Download = DownloadsReply['downloads'][number]
export type StorageQuota = DownloadsReply['quota']
type Totals = Pick<DownloadsReply, 'stats' | 'quota'>

const totalsKey = (appId = selectedAppStore.get()?.appId) => appKeyOf(appId, 'downloads', 'totals')

/** All files; their totals are in the same reply and are cached separately. */
const downloadsQuery = (appId = selectedAppStore.get()?.appId) =>
  queryOptions({
    queryKey: appKeyOf(appId, 'downloads', 'list'),
    queryFn: async ({ signal }): Promise<readonly Download[]> => {
      const { downloads, stats, quota } = await call('GET /downloads', { signal, appId })
      queryClient.setQueryData<Totals>(totalsKey(appId), { stats, quota })
      return downloads
    },
  })

/** As the list shows and sorts it. */
export const accessText = ({ authenticated }: Download): string =>
  authenticated ? t`Required` : t({ message: 'Public', context: 'file' })

export function statusText({ completed, pending, active }: Download): string {
  if (!completed) return t`Not completed`
  if (pending) return t`Being checked`
  return active ? t({ message: 'Active', context: 'file' }) : t({ message: 'Inactive', context: 'file' })
}

const sortValues: SortValues<Download> = {
  name: ({ name }) => name,
  size: ({ fileSize }) => fileSize,
  downloads: ({ downloadCount }) => downloadCount,
  auth: (row) => accessText(row),
  status: (row) => statusText(row),
  created: ({ createdAt }) => createdAt,
}

export const downloadList = wholeList({
  query: () => downloadsQuery(),
  live: ['files'],
  rowId: ({ downloadId }: Download) => downloadId,
  table: { filters: { access: ['public', 'required'] }, sorts: Object.keys(sortValues) },
  arrange: (all, { search, filters: { access }, sort }) => {
    const text = search.trim().toLowerCase()
    const found = all.filter(
      ({ name, description, fileName, authenticated }) =>
        (access === undefined || (access === 'required') === authenticated) &&
        [name, description, fileName].some((field) => field.toLowerCase().includes(text)),
    )
    return sortRows(found, sort, sortValues)
  },
})

/** Totals of the files and the remaining quota of the plan, as of the last list. */
export const useTotals = () => useQuery<Totals>({ queryKey: totalsKey(), queryFn: skipToken }).data

export const refreshDownloads = () => queryClient.invalidateQueries({ queryKey: downloadsQuery().queryKey })

/** Enables or disables the link of a file. Can be undone. */
export async function setDownloadActive(
  { downloadId }: Pick<Download, 'downloadId'>,
  active: boolean,
  // Undo can be clicked after switching to another app.
  appId = selectedAppStore.get()?.appId,
): Promise<void> {
  const isDownload = (row: Partial<Download>) => row.downloadId === downloadId
  const undo = () => void setDownloadActive({ downloadId }, !active, appId)
  await changeAtOnce({
    id: downloadId,
    queryKeys: [downloadsQuery(appId).queryKey],
    show: withFields<Download>(isDownload, { active }),
    takeBack: withFields<Download>(isDownload, { active: !active }),
    send: () => call('POST /downloads/file/{name}/toggle', { params: { name: downloadId }, body: { active }, appId }),
    onDone: (reply) => notifyUndoable(successText(reply), undo),
    failure: t`Failed to toggle download status`,
  })
}

export const publicLink = ({ downloadId }: Pick<Download, 'downloadId'>): string =>
  `${window.location.origin}/api/1.0/download/${downloadId}`

const units = ['B', 'KB', 'MB', 'GB'] as const

/** A size in B, KB, MB or GB, in steps of 1000, as plans count. */
export function sizeText(bytes: number, locale: string): string {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const shown = new Intl.NumberFormat(locale, { maximumFractionDigits: power === 0 ? 0 : 1 })
  return `${shown.format(bytes / 1000 ** power)} ${units[power]}`
}
