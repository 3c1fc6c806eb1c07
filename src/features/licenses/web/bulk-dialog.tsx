import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { batchFailureText } from '#web/batch-failure-text.ts'
import { ResumableBatches } from '#web/resumable-batches.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { FailuresDialog } from '#web/ui/failures-dialog.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { ProgressLine } from '#web/ui/progress-line.tsx'
import {
  actOnLicenses,
  bulkLicenseCalls,
  type BulkAction,
  type BulkOutcome,
  type BulkTarget,
  type LicenseBatches,
  targetCount,
} from './bulk-licenses.ts'
import type { DeleteFlags } from './delete-options.tsx'
import { refreshLicenses } from './license-list.ts'

interface BulkDialogProps {
  action: BulkAction
  target: BulkTarget
  flags?: DeleteFlags
  title: string
  description: string
  impact?: ReactNode
  /** The app's name, to be typed first. */
  typedName?: string
  confirmLabel: string
  failure: string
  children?: ReactNode
  /** Everything went well, at once or after a retry. */
  onDone: (outcome: BulkOutcome) => void
  /** Some went well and some did not. */
  onPart?: (changed: readonly string[]) => void
  onClose: () => void
}

const keyText = (key: string) => <MachineText value={key} shape={key.length > 40 ? 'middle' : 'groups'} />

/** Confirms, acts with progress, and stays open with the reasons where some rows failed. */
export function BulkDialog(props: BulkDialogProps) {
  const { action, target, flags, failure, onDone, onPart, onClose, ...confirm } = props
  const [progress, setProgress] = useState(0)
  const [earlier, setEarlier] = useState(0)
  const [batches, setBatches] = useState<LicenseBatches>(() => new ResumableBatches())
  const act = useMutation({
    mutationFn: (of: BulkTarget) => actOnLicenses({ action, target: of, flags, batches, onProgress: setProgress }),
    onSuccess: async (outcome) => {
      setBatches(new ResumableBatches())
      if (outcome.failures.length === 0) onDone(outcome)
      else onPart?.(outcome.changed)
      await refreshLicenses()
    },
  })
  const error = act.error ? batchFailureText(act.error, failure, progress) : undefined
  if (act.data && act.data.failures.length > 0) {
    const { failures, done } = act.data
    const retry = () => {
      setEarlier(earlier + done)
      act.mutate({ keys: failures.map(({ license }) => license) })
    }
    const doneInAll = earlier + done
    const failed = failures.length
    return (
      <FailuresDialog
        title={t`${doneInAll} done · ${failed} failed`}
        label={t`Failed licenses`}
        fileName="failed-licenses"
        failures={failures.map(({ license, message }) => ({ name: license, message }))}
        nameOf={keyText}
        busy={act.isPending}
        onRetry={retry}
        onClose={onClose}
      />
    )
  }
  const count = targetCount(act.variables ?? target)
  return (
    <ConfirmDialog
      {...confirm}
      typedLabel={t`App name`}
      typedMismatch={t`App name does not match`}
      busy={act.isPending}
      error={error}
      onConfirm={() => act.mutate(target)}
      onClose={() => {
        if (progress > 0) void refreshLicenses()
        onClose()
      }}
    >
      {confirm.children}
      {!act.isPending && <ShowApiCall calls={() => bulkLicenseCalls({ action, target, flags })} />}
      {act.isPending && <ProgressLine label={confirm.title} done={progress} total={count} />}
    </ConfirmDialog>
  )
}
