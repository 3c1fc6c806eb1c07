import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { selectedAppStore } from '../api/app-selection.ts'
import { call, urlOf } from '../api/call.ts'
import type { CallInput, CallKey, CallReply } from '../api/call-types.ts'
import { failureText } from '../api/errors.ts'
import { datedFileName, saveTextFile } from '../browser/save-text-file.ts'
import { CheckboxGroup } from '../ui/checkbox-group.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { RadioGroup } from '../ui/radio-group.tsx'
import { type ExportFormat, exportInParts } from './export-parts.ts'
import type { ListPage } from './use-list-page.ts'

/** Calls that return a list as a file in a chosen format. */
type FileCall = {
  [K in CallKey]: CallReply<K> extends { content: string; filename: string }
    ? [CallInput<K>['query'], CallInput<K>['body']] extends [infer Q, infer B]
      ? NonNullable<Q> extends { format?: unknown }
        ? K
        : NonNullable<B> extends { format?: unknown }
          ? K
          : never
      : never
    : never
}[CallKey]
type ExportCall = Extract<FileCall, `GET ${string}`>

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

export interface ExportDialogProps<Column extends string> {
  title: string
  call: ExportCall
  /** The call takes no app. */
  ofAccount?: boolean
  /** Exports the selected rows, at most 1,000 of them; without it, rows can't be selected. */
  callSelected?: (
    names: string[],
    choice: { format: ExportFormat; columns: Column | undefined },
  ) => Promise<{ content: string }>
  /** The first one is preselected. */
  formats: readonly [ExportFormat, ...ExportFormat[]]
  /** What a text file has in each line. */
  lineText?: string
  /** Labels of the columns, in the order of the file. */
  columns: Readonly<Record<Column, string>>
  list: Pick<ListPage<unknown, unknown, object>, 'filter' | 'total' | 'isMore' | 'dialog'> & {
    selection: Pick<ListPage<unknown, unknown, object>['selection'], 'ids' | 'allMatching'>
  }
  /** Total number of rows, if known. */
  all?: number
  /** Names of what is exported, e.g. "Licenses", "All licenses" and "12 licenses". */
  subject: string
  allLabel: string
  countText: (count: number) => string
  /** Prefix of the file name; date and format follow. */
  fileName: string
  failure: string
}

type Scope = 'selected' | 'filter' | 'all'

/** Exports a list, the rows that match its filter, or the selected ones, as a file with chosen columns. */
export function ExportDialog<Column extends string>(props: ExportDialogProps<Column>) {
  const { formats, list } = props
  const [format, setFormat] = useState(formats[0])
  const { scope, setScope, scopes, names } = useScopes(props)
  const everyColumn = Object.keys(props.columns) as Column[]
  const [columns, setColumns] = useState<ReadonlySet<Column>>(new Set(everyColumn))
  const [tried, setTried] = useState(false)
  const hasColumns = format !== 'txt'
  const isEmpty = hasColumns && columns.size === 0

  const save = useMutation({
    mutationFn: async () => {
      const some = hasColumns && columns.size < everyColumn.length
      // The type of a list has its first value only.
      const chosen = some ? (everyColumn.filter((each) => columns.has(each)).join(',') as Column) : undefined
      if (scope === 'selected' && props.callSelected) {
        const { callSelected } = props
        const read = (part: string[]) => callSelected(part, { format, columns: chosen })
        return saveTextFile(props.fileName, format, await exportInParts(names, format, read))
      }
      const appId = props.ofAccount ? undefined : selectedAppStore.get()?.appId
      await downloadExport(props.call, { ...(scope === 'filter' && list.filter), format, columns: chosen }, appId)
    },
    onSuccess: list.dialog.close,
  })
  const submit = () => {
    setTried(true)
    if (!isEmpty) save.mutate()
  }
  return (
    <FormDialog
      title={props.title}
      submitLabel={t`Export`}
      busy={save.isPending}
      error={save.error ? failureText(save.error, props.failure) : undefined}
      onSubmit={submit}
      onClose={list.dialog.close}
    >
      {scopes.length > 1 ? (
        <RadioGroup legend={props.subject} value={scope} onChange={setScope} options={scopes} />
      ) : (
        <p className="text-ui text-text-2">{scopes[0]?.help}</p>
      )}
      <RadioGroup
        legend={t`Format`}
        value={format}
        onChange={setFormat}
        options={formats.map((value) => ({
          value,
          label: formatLabel(value),
          help: formatHelp(value, props.lineText),
        }))}
      />
      {hasColumns && (
        <CheckboxGroup
          legend={t`Columns`}
          allLabel={t`All columns`}
          options={props.columns}
          value={columns}
          onChange={setColumns}
          error={tried && isEmpty ? t`Choose at least one column` : undefined}
        />
      )}
      <p translate="no" className="machine break-all text-text-2">
        {datedFileName(props.fileName, format)}
      </p>
    </FormDialog>
  )
}

const formatLabel = (format: ExportFormat) => ({ csv: t`CSV`, json: 'JSON', txt: t`TXT` })[format]

const formatHelp = (format: ExportFormat, lineText: string | undefined) =>
  ({
    csv: t`For spreadsheets`,
    json: t`For programs. Includes every field unless you leave out columns.`,
    txt: lineText,
  })[format]

/** What can be exported, with counts. What is selected stays the same while the dialog is open. */
function useScopes<Column extends string>({ list, ...props }: ExportDialogProps<Column>) {
  const [names] = useState(() => (props.callSelected && !list.selection.allMatching ? [...list.selection.ids] : []))
  const hasFilter = Object.values(list.filter).some((value) => value !== undefined)
  const [scope, setScope] = useState<Scope>(names.length > 0 ? 'selected' : hasFilter ? 'filter' : 'all')
  const matching = props.countText(list.total)
  const matchingText = list.isMore ? t`More than ${matching}` : matching
  const all = props.all === undefined ? undefined : props.countText(props.all)
  const scopes: { value: Scope; label: string; help: string | undefined }[] = [
    { value: 'all', label: props.allLabel, help: all ?? (hasFilter ? undefined : matchingText) },
  ]
  if (hasFilter) scopes.unshift({ value: 'filter', label: t`Current filter`, help: matchingText })
  if (names.length > 0) scopes.unshift({ value: 'selected', label: t`Selected`, help: props.countText(names.length) })
  return { scope, setScope, scopes, names }
}
