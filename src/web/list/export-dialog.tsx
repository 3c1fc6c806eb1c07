import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { selectedAppStore } from '../api/app-selection.ts'
import { call, urlOf } from '../api/call.ts'
import type { CallInput, CallKey, CallReply } from '../api/call-types.ts'
import { failureText } from '../api/errors.ts'
import { datedFileName } from '../browser/save-text-file.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { RadioGroup, type RadioOption } from '../ui/radio-group.tsx'

/** Calls that return a whole list as a file in a chosen format. */
type ExportCall = {
  [K in CallKey]: CallReply<K> extends { content: string; filename: string }
    ? NonNullable<CallInput<K>['query']> extends { format?: unknown }
      ? K
      : never
    : never
}[CallKey]
type ExportFormat = NonNullable<NonNullable<CallInput<ExportCall>['query']>['format']>

/**
 * Downloads the file with a link, so that the browser writes it to disk as it arrives: a million rows never fit into
 * the page. A link cannot report an error or sign in again, so the export is first tried as a call. Throws
 * `CallFailed`.
 */
async function downloadExport(key: ExportCall, choice: object, appId: string | undefined): Promise<void> {
  const query = { ...choice, download: true, ...(appId !== undefined && { appId }) }
  await call(key, { query, isFile: true })
  const link = document.createElement('a')
  link.href = urlOf(key.slice('GET '.length), { query })
  link.download = ''
  link.click()
}

interface ExportDialogProps {
  title: string
  call: ExportCall
  /** The call takes no app. */
  ofAccount?: boolean
  /** Formats; the first one is preselected. */
  formats: readonly [RadioOption<ExportFormat>, ...RadioOption<ExportFormat>[]]
  /** The current filter and the number of matching rows. */
  filter: object
  matching: number
  /** More rows match: the server stopped counting. */
  isMore?: boolean | undefined
  /** Total number of rows, if known. */
  all?: number
  /** Names of what is exported, e.g. "Licenses", "All licenses" and "12 licenses". */
  subject: string
  allLabel: string
  countText: (count: number) => string
  /** Prefix of the file name; date and format follow. */
  fileName: string
  failure: string
  onClose: () => void
}

/** Exports a list, or the rows that match its filter, as a file. */
export function ExportDialog(props: ExportDialogProps) {
  const { formats, filter, countText } = props
  const hasFilter = Object.values(filter).some((value) => value !== undefined)
  const [format, setFormat] = useState(formats[0].value)
  const [scope, setScope] = useState<'all' | 'filter'>(hasFilter ? 'filter' : 'all')
  const save = useMutation({
    mutationFn: () => {
      const appId = props.ofAccount ? undefined : selectedAppStore.get()?.appId
      return downloadExport(props.call, { ...(scope === 'filter' && filter), format }, appId)
    },
    onSuccess: props.onClose,
  })
  const matching = countText(props.matching)
  const scopes = [
    { value: 'all' as const, label: props.allLabel, help: props.all === undefined ? undefined : countText(props.all) },
    { value: 'filter' as const, label: t`Current filter`, help: props.isMore ? t`More than ${matching}` : matching },
  ]
  return (
    <FormDialog
      title={props.title}
      size="sm"
      submitLabel={t`Export`}
      busy={save.isPending}
      error={save.error ? failureText(save.error, props.failure) : undefined}
      onSubmit={() => save.mutate()}
      onClose={props.onClose}
    >
      <RadioGroup legend={t`Format`} value={format} onChange={setFormat} options={formats} />
      {hasFilter ? (
        <RadioGroup legend={props.subject} value={scope} onChange={setScope} options={scopes} />
      ) : (
        <p className="text-ui text-text-2">{countText(props.all ?? props.matching)}</p>
      )}
      <p translate="no" className="machine break-all text-text-2">
        {datedFileName(props.fileName, format)}
      </p>
    </FormDialog>
  )
}
