import { t } from '@lingui/core/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { failureText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import { lazyPart } from '#web/lazy/lazy-part.tsx'
import type { App } from '#web/session/session.ts'
import { Badge } from '#web/ui/badge.tsx'
import { ButtonWithReason } from '#web/ui/button-with-reason.tsx'
import { Card } from '#web/ui/card.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { QueryStale } from '#web/ui/query-stale.tsx'
import { Section } from '#web/ui/section.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { countsText } from './import-texts.ts'
import { type Import, importsQuery, saveReport, undoImport } from './imports-data.ts'

const ConfirmDialog = lazyPart(() => import('#web/ui/confirm-dialog.tsx'), 'ConfirmDialog')

/** The imports of the last 30 days, each with its report and its undo. */
export function PastImports({ app }: { app: App }) {
  const query = useQuery(importsQuery())
  const { data, error } = query
  if (error && !data) return <QueryFailed query={query} failure={t`Failed to load imports`} />
  if (!data || data.imports.length === 0) return null
  return (
    <Card>
      <Section title={t`Imports of the last 30 days`}>
        <QueryStale query={query} failure={t`Failed to load imports`} />
        <ul aria-label={t`Imports of the last 30 days`} className="flex flex-col">
          {data.imports.map((row) => (
            <PastImport key={row.importId} app={app} row={row} />
          ))}
        </ul>
      </Section>
    </Card>
  )
}

function PastImport({ app, row }: { app: App; row: Import }) {
  const { createdBy } = row
  const name = row.fileName || t`Without a file name`
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line py-2.5 first:border-t-0 first:pt-0 last:pb-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 text-ui">
          <span translate="no" className="min-w-0 font-medium break-all">
            {name}
          </span>
          <ImportState row={row} />
        </p>
        <p className="text-meta text-text-2">{countsText(row)}</p>
        <p className="text-meta text-text-2">
          <TimeAgo at={row.createdAt} />
          {createdBy && (
            <>
              {' · '}
              <span translate="no">{createdBy}</span>
            </>
          )}
        </p>
      </div>
      <ImportActions app={app} row={row} />
    </li>
  )
}

/** Whether the import was undone, or stopped, or its undo did. */
export function ImportState({ row: { undoneAt, undoableUntil, doneRows, totalRows } }: { row: Import }) {
  if (undoneAt !== null && undoableUntil === null)
    return (
      <Badge dot="dashed" tone="neutral">
        {t`Undone`}
      </Badge>
    )
  if (undoneAt === null && doneRows === totalRows) return null
  return (
    <Badge dot="ring" tone="warn">
      {t`Not finished`}
    </Badge>
  )
}

/** The report of an import, and its undo. */
export function ImportActions({ app, row }: { app: App; row: Import }) {
  const [asking, setAsking] = useState(false)
  const report = useMutation({
    mutationFn: () => saveReport(app, row),
    onError: (error) => notify.error(failureText(error, t`Failed to download the report`)),
  })
  const undo = useMutation({ mutationFn: () => undoImport(app, row) })
  const nothing = row.undoneAt === null ? t`This import changed nothing` : t`This was already undone`
  const name = row.fileName
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ButtonWithReason
        size="sm"
        icon={<Download />}
        aria-label={t`Report of ${name}`}
        busy={report.isPending}
        disabledReason={
          row.skipped + row.overwritten === 0 && row.undoneAt === null
            ? t`All rows were created, so there is no report`
            : undefined
        }
        onClick={() => report.mutate()}
      >
        {t`Report`}
      </ButtonWithReason>
      <ButtonWithReason
        size="sm"
        icon={<Undo2 />}
        aria-label={t`Undo the import of ${name}`}
        busy={undo.isPending}
        disabledReason={row.undoableUntil === null ? nothing : undefined}
        onClick={() => setAsking(true)}
      >
        {t`Undo`}
      </ButtonWithReason>
      {asking && (
        <ConfirmDialog
          title={t`Undo this import?`}
          description={t`The licenses and users of this import move to Deleted, and overwritten ones get their values back. Those that somebody has used or changed since stay as they are.`}
          confirmLabel={t`Undo import`}
          danger
          onConfirm={() => {
            setAsking(false)
            undo.mutate()
          }}
          onClose={() => setAsking(false)}
          onFailed={() => setAsking(false)}
          onReopen={() => setAsking(true)}
        />
      )}
    </div>
  )
}
