import { plural, t } from '@lingui/core/macro'
import { Download } from 'lucide-react'
import { csvLine } from '#contract/csv.ts'
import { saveTextFile } from '#web/browser/save-text-file.ts'
import { ProgressLine } from '#web/bulk/progress-line.tsx'
import { codeText } from '#web/api/code-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Section } from '#web/ui/section.tsx'
import type { Checked, Import, RowResult } from './imports-data.ts'

interface CheckSectionProps {
  checked: Checked | undefined
  rows: number
  progress: number
  error: string | null
  kind: Import['kind']
}

const maxShown = 100

/** What the import would do, and to which rows it would do something else than create them. */
export function CheckSection({ checked, rows, progress, error, kind }: CheckSectionProps) {
  return (
    <Section title={t`Check`} description={t`Nothing is imported yet.`}>
      {error !== null && (
        <p role="alert" className="text-ui text-danger">
          {error}
        </p>
      )}
      {!checked && error === null && <ProgressLine label={t`Check`} done={progress} total={rows} />}
      {checked && <CheckResult checked={checked} rows={rows} kind={kind} />}
    </Section>
  )
}

function CheckResult({
  checked,
  rows,
  kind,
}: Required<Pick<CheckSectionProps, 'rows' | 'kind'>> & { checked: Checked }) {
  const { results, room } = checked
  const of = (outcome: RowResult['outcome']) => results.filter((result) => result.outcome === outcome).length
  const [skipped, renamed, overwritten] = [of('skipped'), of('renamed'), of('overwritten')]
  const created = rows - skipped - overwritten
  const tooMany = room === null ? 0 : Math.max(0, created - room)
  return (
    <>
      <div role="status">
        <ul className="flex list-disc flex-col gap-1 pl-5 text-ui">
          <li>
            {kind === 'users'
              ? plural(created - tooMany, { one: '# user will be created', other: '# users will be created' })
              : plural(created - tooMany, { one: '# license will be created', other: '# licenses will be created' })}
          </li>
          {renamed > 0 && (
            <li>{plural(renamed, { one: '# of them with another name', other: '# of them with another name' })}</li>
          )}
          {overwritten > 0 && (
            <li>{plural(overwritten, { one: '# will be overwritten', other: '# will be overwritten' })}</li>
          )}
          {skipped > 0 && <li>{plural(skipped, { one: '# row will be skipped', other: '# rows will be skipped' })}</li>}
          {tooMany > 0 && (
            <li className="text-danger">
              {plural(tooMany, {
                one: '# row exceeds your plan and will be skipped',
                other: '# rows exceed your plan and will be skipped',
              })}
            </li>
          )}
        </ul>
      </div>
      {results.length > 0 && <ResultTable results={results} />}
    </>
  )
}

function outcomeText(result: RowResult): string {
  if (result.outcome === 'skipped') return codeText(result)
  const { newName = '' } = result
  return result.outcome === 'renamed' ? t`Becomes “${newName}”` : t`Will be overwritten`
}

function ResultTable({ results }: { results: readonly RowResult[] }) {
  const rest = results.length - maxShown
  const cell = 'border-t border-line px-3 py-1.5 text-start align-top'
  const save = () => {
    const lines = results.map((result) => csvLine([String(result.row), result.name, outcomeText(result)]))
    saveTextFile('import-check', 'csv', csvLine(['row', 'name', 'result']) + lines.join(''))
  }
  return (
    <div className="flex flex-col gap-2">
      <div
        tabIndex={0}
        role="region"
        aria-label={t`Rows to look at`}
        className="max-h-80 overflow-auto rounded-md border border-line"
      >
        <table className="w-full text-ui">
          <thead className="text-text-2">
            <tr>
              {[t`Row`, t`Name`, t`Result`].map((title) => (
                <th key={title} scope="col" className="px-3 py-1.5 text-start font-medium">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {results.slice(0, maxShown).map((result) => (
              <tr key={result.row}>
                <td className={`${cell} tabular-nums`}>{result.row}</td>
                <td translate="no" className={`${cell} machine break-all`}>
                  {result.name}
                </td>
                <td className={cell}>{outcomeText(result)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-meta text-text-2">{rest > 0 && t`And ${rest} more.`}</p>
        <Button size="sm" icon={<Download />} onClick={save}>
          {t`Download CSV`}
        </Button>
      </div>
    </div>
  )
}
