import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useLevels } from '#features/licenses/web/licenses-data.ts'
import { levelsQuery } from '#features/users/web/users-data.ts'
import { failureText } from '#web/api/errors.ts'
import { stoppedText } from '#web/bulk/bulk-toasts.ts'
import { ProgressLine } from '#web/bulk/progress-line.tsx'
import { LeaveQuestion } from '#web/ui/leave-question.tsx'
import { paths } from '#web/navigation/paths.ts'
import type { App } from '#web/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { QueryFailed } from '#web/ui/query-failed.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Section } from '#web/ui/section.tsx'
import { labelsOf, rowsOf } from '../batch-rows.rules.ts'
import { columnsOf } from '../import-files.rules.ts'
import { ChoiceFields } from './import-choices.tsx'
import { CheckSection } from './import-check.tsx'
import { countsText } from './import-texts.ts'
import { type Choices, type ChosenFile, type Import, importsQuery, sizeOf } from './imports-data.ts'
import { ImportActions, ImportState } from './past-imports.tsx'
import { type ImportStepsState, useImportSteps } from './use-import-steps.ts'

interface ImportFormProps {
  app: App
  chosen: ChosenFile
  /** An import of the same file with rows left. */
  stopped: Import | undefined
  /** Back to choosing a file. */
  onEnd: () => void
}

/** What to do with a file, the check of its rows, and the import. */
export function ImportForm({ app, chosen, stopped, onEnd }: ImportFormProps) {
  const [choices, setChoices] = useState<Choices>()
  const query = useQuery(levelsQuery())
  const { options: levels } = useLevels()
  const columns = useMemo(() => choices?.columns ?? columnsOf(chosen.file), [choices?.columns, chosen.file])
  const rows = useMemo(() => rowsOf(chosen.file, columns), [chosen.file, columns])
  const labels = useMemo(() => labelsOf(rows), [rows])
  if (!levels) {
    return query.error ? (
      <QueryFailed query={query} failure={t`Failed to load subscriptions`} />
    ) : (
      <p role="status" className="text-ui text-text-2">{t`Loading…`}</p>
    )
  }
  const current = withLabels(choices ?? firstChoices(columns), labels, levels)
  return (
    <ImportSteps
      app={app}
      chosen={chosen}
      stopped={stopped}
      rows={rows}
      labels={labels}
      choices={current}
      hasChosen={choices !== undefined}
      onChoices={setChoices}
      onEnd={onEnd}
    />
  )
}

const firstChoices = (columns: Choices['columns']): Choices => ({
  columns,
  levels: {},
  onConflict: 'skip',
  durationUnit: 'days',
  withHwids: false,
  withKeys: false,
})

interface LevelOption {
  value: string
  label: string
}

/** A choice for every label of the file: until somebody decides, the level of that number or name. */
function withLabels(choices: Choices, labels: readonly string[], levels: readonly LevelOption[]): Choices {
  const same =
    (label: string) =>
    ({ value, label: name }: LevelOption) =>
      value === label || name.toLowerCase() === label.toLowerCase()
  const chosen = labels.map((label) => [label, choices.levels[label] ?? levels.find(same(label))?.value ?? ''])
  return { ...choices, levels: Object.fromEntries(chosen) as Choices['levels'] }
}

type StepsProps = ImportFormProps & {
  rows: ReturnType<typeof rowsOf>
  labels: readonly string[]
  choices: Choices
  /** Somebody has changed a choice. */
  hasChosen: boolean
  onChoices: (choices: Choices) => void
}

function ImportSteps({ app, chosen, stopped, rows, labels, choices, hasChosen, onChoices, onEnd }: StepsProps) {
  const steps = useImportSteps({ app, chosen, rows, choices })
  const { row, checked, check, isRunning, error } = steps
  const total = sizeOf(rows)
  if (row && !isRunning && row.doneRows === row.totalRows) return <DoneSection app={app} row={row} onEnd={onEnd} />
  const change = (changes: Partial<Choices>) => onChoices({ ...choices, ...changes })
  const canChoose = !row && !isRunning
  return (
    <>
      {isRunning ? (
        <LeaveQuestion
          key="import"
          hasEdits={() => true}
          title={t`Stop the import?`}
          description={t`It stops after the rows that are being sent.`}
          changes={t`Choose the same file again to continue it.`}
          confirmLabel={t`Stop and leave`}
          onDiscard={steps.stop}
        />
      ) : (
        <LeaveQuestion
          key="choices"
          hasEdits={() => canChoose && (hasChosen || !check.isIdle)}
          title={t`Leave without importing?`}
          description={t`Nothing is imported yet.`}
          changes={t`The file and its options are discarded.`}
          confirmLabel={t`Leave`}
        />
      )}
      <Card>
        <Section
          title={t`File`}
          actions={
            <Button size="sm" disabled={isRunning} onClick={onEnd}>
              {t`Choose another file`}
            </Button>
          }
        >
          <p className="text-ui">
            <span translate="no" className="break-all">
              {chosen.name}
            </span>
            {' · '}
            {rowsText(chosen, total)}
          </p>
          {stopped && canChoose && (
            <Notice>
              <div className="flex flex-wrap items-center justify-between gap-2">
                {t`An import of this file stopped:`} {countsText(stopped)}
                <Button size="sm" onClick={() => steps.resume(stopped)}>{t`Continue this import`}</Button>
              </div>
            </Notice>
          )}
        </Section>
        {canChoose && <ChoiceFields chosen={chosen} rows={rows} labels={labels} choices={choices} onChange={change} />}
        {canChoose && (checked || check.isPending || check.error) && (
          <CheckSection
            checked={checked}
            rows={total}
            progress={steps.checkedRows}
            error={check.error && failureText(check.error, t`Failed to check the file`)}
            kind={chosen.file.kind}
          />
        )}
        {(isRunning || error) && (
          <Section title={t`Import`}>
            {isRunning && <ProgressLine label={t`Import`} done={row?.doneRows ?? 0} total={row?.totalRows ?? total} />}
            {!isRunning && error && (
              <p role="alert" className="text-ui text-danger">
                {stoppedText(failureText(error, t`Failed to import`), row?.doneRows ?? 0)}
              </p>
            )}
          </Section>
        )}
        <Actions steps={steps} canCheck={canChoose} />
      </Card>
    </>
  )
}

function Actions({ steps, canCheck }: { steps: ImportStepsState; canCheck: boolean }) {
  const { row, checked, check, isRunning } = steps
  return (
    <div className="flex flex-wrap justify-end gap-2.5 border-t border-line p-4 max-sm:*:grow">
      {canCheck && (
        <Button busy={check.isPending} variant={checked ? 'secondary' : 'primary'} onClick={() => check.mutate()}>
          {checked ? t`Check again` : t`Check file`}
        </Button>
      )}
      {(checked || row || isRunning) && (
        <Button
          variant="primary"
          busy={isRunning}
          disabledReason={checked && checked.valid === 0 ? t`No row can be imported` : undefined}
          onClick={steps.start}
        >
          {row ? t`Continue` : t`Import`}
        </Button>
      )}
    </div>
  )
}

function rowsText({ file: { kind, source } }: ChosenFile, total: number): string {
  const rows =
    kind === 'users'
      ? plural(total, { one: '# user', other: '# users' })
      : plural(total, { one: '# license', other: '# licenses' })
  return source === 'keyauth' ? t`${rows} from KeyAuth` : rows
}

function DoneSection({ app, row: done, onEnd }: { app: App; row: Import; onEnd: () => void }) {
  const navigate = useNavigate()
  // It may have been undone since.
  const { data } = useQuery(importsQuery())
  const row = data?.imports.find(({ importId }) => importId === done.importId) ?? done
  const to = row.kind === 'users' ? paths.users() : paths.licenses()
  return (
    <Card>
      <Section title={t`Import finished`}>
        <p role="status" className="flex flex-wrap items-center gap-2 text-ui">
          {countsText(row)}
          <ImportState row={row} />
        </p>
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" size="sm" onClick={() => void navigate({ to })}>
            {row.kind === 'users' ? t`Show users` : t`Show licenses`}
          </Button>
          <ImportActions app={app} row={row} />
          <Button size="sm" onClick={onEnd}>
            {t`Import another file`}
          </Button>
        </div>
      </Section>
    </Card>
  )
}
