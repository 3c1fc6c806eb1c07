import { t } from '@lingui/core/macro'
import { useStore } from '#web/browser/store.ts'
import { ListedRecord } from '#web/list/listed-record.tsx'
import { PanelMenu } from '#web/panel/panel-menu.tsx'
import { CopiedFact, CopiedName, PanelFact, PanelFacts } from '#web/panel/panel-parts.tsx'
import { usePanel } from '#web/panel/use-panel.ts'
import { localeStore } from '#web/browser/locale.ts'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { QueryStale } from '#web/ui/query-stale.tsx'
import type { Tab } from '#web/ui/tabs.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { CountryData, useCounts, useStatistics } from './download-statistics.tsx'
import { Access, Status } from './downloads-columns.tsx'
import { type Download, downloadList, publicLink, sizeText, useTotals } from './downloads-data.ts'
import { downloadActions } from './downloads-menus.tsx'

const EditDownloadDialog = lazyDialog(() => import('./downloads-dialogs.tsx'), 'EditDownloadDialog')
const DeleteDownloadDialog = lazyDialog(() => import('./downloads-dialogs.tsx'), 'DeleteDownloadDialog')
const ToggleDownloadDialog = lazyDialog(() => import('./downloads-dialogs.tsx'), 'ToggleDownloadDialog')

interface DownloadPanelProps {
  downloadId: string
  /** Tabs of other features. */
  tabs: (download: Download) => readonly Tab[]
}

/** A file: its link and hash, who can download it, and how often that was done. */
export const DownloadPanel = ({ downloadId, tabs }: DownloadPanelProps) => (
  <ListedRecord
    list={downloadList}
    id={downloadId}
    kind={t`File`}
    missing={t`Download not found`}
    failure={t`Failed to load downloads`}
    parts={(download) => ({
      name: <CopiedName name={download.name} />,
      recentName: download.name,
      badge: <Status row={download} />,
      actions: <Actions download={download} />,
      details: <Facts download={download} />,
      tabs: [...(download.completed ? [statisticsTab(download)] : []), ...tabs(download)],
      dialog: <Dialogs key={download.downloadId} download={download} />,
    })}
  />
)

function Actions({ download }: { download: Download }) {
  const { setAction } = usePanel()
  const actions = downloadActions(download, setAction)
  return <PanelMenu entries={actions} buttons={actions.length} group={t`Downloads`} editLabel={t`Edit download`} />
}

/** A value of several lines with its button beside it. */
const beside = 'min-w-0 flex-1'

function Facts({ download }: { download: Download }) {
  const { description, fileName, fileSize, sha256, downloadCount, downloadId, completed, createdAt } = download
  const locale = useStore(localeStore)
  return (
    <PanelFacts>
      {description !== '' && (
        <PanelFact name={t`Description`}>
          <span translate="no" className="whitespace-pre-line">
            {description}
          </span>
        </PanelFact>
      )}
      <PanelFact name={t`Auth`}>
        <Access row={download} />
        <span className="basis-full text-text-2">{accessNote(download)}</span>
      </PanelFact>
      {completed && (
        <CopiedFact name={t`Link`} value={publicLink(download)} copyLabel={t`Copy link`}>
          <MachineText value={publicLink(download)} shape="plain" className={beside} />
        </CopiedFact>
      )}
      <PanelFact name={t`Downloads`}>
        <span className="tabular-nums">{downloadCount.toLocaleString(locale)}</span>
      </PanelFact>
      <PanelFact name={t`File name`}>
        <span translate="no">{fileName}</span>
      </PanelFact>
      <PanelFact name={t`Size`}>{sizeText(fileSize, locale)}</PanelFact>
      <Hash value={sha256} />
      <PanelFact name={t`Created`}>
        <TimeAgo at={createdAt} />
      </PanelFact>
      <CopiedFact name={t`ID`} value={downloadId} copyLabel={t`Copy ID`}>
        <MachineText value={downloadId} shape="plain" />
      </CopiedFact>
    </PanelFacts>
  )
}

function Hash({ value }: { value: string }) {
  const name = 'SHA-256'
  return (
    <CopiedFact name={name} value={value} copyLabel={t`Copy ${name}`}>
      <MachineText value={value} shape="plain" className={beside} />
    </CopiedFact>
  )
}

function accessNote({ completed, pending, active, authenticated }: Download): string {
  if (!completed) return t`Nobody can download it until the upload is completed.`
  if (pending) return t`Nobody can download it until the virus scan is done.`
  if (!active) return t`Nobody can download it until you enable it.`
  return authenticated
    ? t`Only your program can download it, after a user has signed in.`
    : t`Anyone with the link can download it.`
}

function FileStatistics({ download }: { download: Download }) {
  const query = useStatistics(download)
  const { data, error } = query
  const counts = useCounts(data)
  if (error && !data) return <QueryFailed query={query} failure={t`Failed to load statistics`} />
  return (
    <>
      <QueryStale query={query} failure={t`Failed to load statistics`} />
      <PanelFacts>
        {counts.map(({ label, value }) => (
          <PanelFact key={label} name={label}>
            <span className="tabular-nums">{value}</span>
          </PanelFact>
        ))}
      </PanelFacts>
      <p className="my-4 text-meta text-text-2">
        {t`Counts cover all time; addresses and countries cover the last 90 days.`}
      </p>
      <CountryData data={data} />
    </>
  )
}

const statisticsTab = (download: Download): Tab => ({
  value: 'statistics',
  label: t`Statistics`,
  content: <FileStatistics download={download} />,
})

function Dialogs({ download }: { download: Download }) {
  const { action, setAction, closeDeleted } = usePanel()
  const quota = useTotals()?.quota
  const onClose = () => setAction(undefined)
  switch (action) {
    case 'edit':
      return <EditDownloadDialog download={download} onClose={onClose} />
    case 'toggle':
      return <ToggleDownloadDialog download={download} onDone={onClose} onClose={onClose} />
    case 'delete':
      return <DeleteDownloadDialog download={download} quota={quota} onDone={closeDeleted} onClose={onClose} />
    default:
      return null
  }
}
