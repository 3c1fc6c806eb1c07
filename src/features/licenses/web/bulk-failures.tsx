import { t } from '@lingui/core/macro'
import { RotateCw } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import type { BulkOutcome } from './bulk-licenses.ts'

interface BulkFailuresProps {
  done: number
  failures: BulkOutcome['failures']
  busy: boolean
  onRetry: () => void
  onClose: () => void
}

/** More rows than anybody reads; Copy has them all. */
const mostShown = 100

/** What did not work, row by row, with its reason. */
export function BulkFailures({ done, failures, busy, onRetry, onClose }: BulkFailuresProps) {
  const retry = useRef<HTMLButtonElement>(null)
  const failed = failures.length
  const rest = failed - mostShown
  return (
    <Dialog
      title={t`${done} done · ${failed} failed`}
      description={t`What failed is unchanged.`}
      busy={busy}
      initialFocus={retry}
      onClose={onClose}
      footer={
        <>
          <CopyButton
            labelled
            label={t`Copy failed keys`}
            text={() => failures.map(({ license }) => license).join('\n')}
          />
          <Button onClick={onClose} disabled={busy}>{t`Close`}</Button>
          <Button
            ref={retry}
            variant="primary"
            icon={<RotateCw />}
            busy={busy}
            onClick={onRetry}
          >{t`Retry failed`}</Button>
        </>
      }
    >
      <ul aria-label={t`Failed licenses`} className="rounded-md border border-line">
        {failures.slice(0, mostShown).map(({ license, message }) => (
          <li
            key={license}
            className="flex flex-wrap justify-between gap-x-4 border-t border-line px-3 py-1.5 text-ui first:border-t-0"
          >
            <MachineText value={license} shape={license.length > 40 ? 'middle' : 'groups'} />
            <span className="text-danger">{message}</span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="mt-2 text-meta text-text-2">{t`And ${rest} more.`}</p>}
    </Dialog>
  )
}
