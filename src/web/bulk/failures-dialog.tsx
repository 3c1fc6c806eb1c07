import { t } from '@lingui/core/macro'
import { Download, RotateCw } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { csvLine } from '#contract/csv.ts'
import { saveTextFile } from '../browser/save-text-file.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

export interface Failure {
  /** Name of the row: a key, a username. */
  name: string
  message: string
}

interface FailuresDialogProps {
  title: string
  /** Title of the list, e.g. "Failed users". */
  label: string
  /** File name without date and extension, e.g. `failed-users`. */
  fileName: string
  failures: readonly Failure[]
  busy: boolean
  /** Whether retrying is destructive. */
  danger?: boolean
  /** Why retrying stopped. */
  error?: string
  onRetry: () => void
  onClose: () => void
  /** Renders a name if plain text is not enough; `undefined` leaves it out. */
  nameOf?: (name: string) => ReactNode
  /** Additional fields of Retry. */
  children?: ReactNode
}

/** More rows than anybody reads; the file has all of them. */
const maxShown = 100

/** The failed rows of a bulk action with their reasons. */
export function FailuresDialog(props: FailuresDialogProps) {
  const {
    title,
    label,
    fileName,
    failures,
    busy,
    danger = false,
    error,
    onRetry,
    onClose,
    nameOf = (name) => name,
    children,
  } = props
  const retry = useRef<HTMLButtonElement>(null)
  const left = failures.length - maxShown
  const rest = left.toLocaleString(document.documentElement.lang || 'en')
  const save = () => {
    const lines = failures.map(({ name, message }) => csvLine([name, message]))
    saveTextFile(fileName, 'csv', csvLine(['name', 'reason']) + lines.join(''))
  }
  return (
    <Dialog
      title={title}
      description={t`Failed items are unchanged.`}
      busy={busy}
      error={error}
      initialFocus={retry}
      onClose={onClose}
      footer={
        <>
          <Button icon={<Download />} onClick={save}>{t`Download CSV`}</Button>
          <Button onClick={onClose} disabled={busy}>{t`Close`}</Button>
          <Button
            ref={retry}
            variant={danger ? 'danger-solid' : 'primary'}
            icon={<RotateCw />}
            busy={busy}
            onClick={onRetry}
          >
            {t`Retry failed`}
          </Button>
        </>
      }
    >
      <ul aria-label={label} className="rounded-md border border-line">
        {failures.slice(0, maxShown).map(({ name, message }) => (
          <li
            key={name}
            className="flex flex-wrap justify-between gap-x-4 border-t border-line px-3 py-1.5 text-ui first:border-t-0"
          >
            {nameOf(name)}
            <span className="text-danger">{message}</span>
          </li>
        ))}
      </ul>
      {left > 0 && <p className="mt-2 text-meta text-text-2">{t`And ${rest} more.`}</p>}
      {children && <div className="mt-4">{children}</div>}
    </Dialog>
  )
}
