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

/** Calls that give a whole list as a file. */
type ExportCall = { [K in CallKey]: CallReply<K> extends { content: string; filename: string } ? K : never }[CallKey]
type ExportFormat = NonNullable<NonNullable<CallInput<ExportCall>['query']>['format']>

/**
 * Leaves the file to the browser, which writes it to disk as it comes: a million rows never stand in the page.
 * A link can't say why it failed, nor sign in again, so the export is tried as a call first. Throws `CallFailed`.
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
  /** The call knows no app. */
  ofAccount?: boolean
  /** The first one is chosen at first. */
  formats: readonly [RadioOption<ExportFormat>, ...RadioOption<ExportFormat>[]]
  /** Of the rows in view, and how many it matches. */
  filter: object
  matching: number
  /** How many there are in all, where that is known. */
  all?: number
  /** What is exported, e.g. "Licenses", "All licenses" and "12 licenses". */
  subject: string
  allLabel: string
  countText: (count: number) => string
  /** The beginning of the file's name; the day and the format follow. */
  fileName: string
  failure: string
  onClose: () => void
}

/** Exports a list, or what its filter matches, as a file. */
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
  const scopes = [
    { value: 'all' as const, label: props.allLabel, help: props.all === undefined ? undefined : countText(props.all) },
    { value: 'filter' as const, label: t`Current filter`, help: countText(props.matching) },
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
