import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import { ShowApiCall } from '../api-call/show-api-call.tsx'
import { codeText } from '../api/code-text.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { type BulkAction, type BulkCounts, type BulkRows, type BulkTarget, targetCount } from './bulk-action.ts'
import { CountedEffects, useCounts } from './bulk-counts.tsx'
import { blockedReason, typedConfirmation } from './bulk-confirmation.ts'
import { wholeBodies } from './bulk-run.ts'
import { FailuresDialog } from './failures-dialog.tsx'
import { ProgressLine } from './progress-line.tsx'
import { partText } from './bulk-toasts.ts'
import { useBulkRun } from './use-bulk-run.ts'
import { changedCount } from './use-counted-target.ts'

/** State for fields inside the dialog. */
interface BulkDialogState {
  counts: BulkCounts | undefined
  /** Submitted once: problems are shown from now on. */
  submitted: boolean
}

export interface BulkDialogProps<Body extends object, Filter> {
  action: BulkAction<Body, Filter>
  /** The target rows when the dialog opens. */
  target: BulkTarget<Filter>
  /** Fields that define the action; they get the initial focus. */
  renderForm?: (state: BulkDialogState) => ReactNode
  /** The fields are not valid yet. */
  hasProblem?: boolean
  /** Checkboxes and similar options, below the counts. */
  renderOptions?: (state: BulkDialogState) => ReactNode
  onDone: () => void
  /** Called with the finished rows; failed ones stay on the screen. */
  onPart?: (names: readonly string[]) => void
  onClose: () => void
}

/** Counts, confirms, runs with progress and offers Undo; stays open with the reasons if rows failed. */
export function BulkDialog<Body extends object, Filter>(props: BulkDialogProps<Body, Filter>) {
  const { action, renderForm, hasProblem = false, renderOptions, onDone, onPart, onClose } = props
  const [target, setTarget] = useState(props.target)
  const [submitted, setSubmitted] = useState(false)
  const counting = useCounts(action, target, !hasProblem)
  const counts = counting.counted?.counts
  const count = targetCount(target) ?? counting.counted?.rows
  const counted = 'names' in target ? target : { filter: target.filter, count }
  const state = { counts, submitted }

  /** Counts again; the new number if the list has changed. */
  const countAgain = (error: unknown) => {
    const known = targetCount(target) === undefined ? undefined : changedCount(error)
    if (known === undefined || 'names' in target) counting.again()
    else setTarget({ ...target, count: known })
  }
  const body = (rows: BulkRows<Filter>) => bodyOf(action, rows, counts)
  const run = useBulkRun({ action, target, body, onChanged: countAgain, onDone, onPart })
  if (run.failure) {
    const { failures } = run.failure
    return (
      <FailuresDialog
        title={partText(run.failure)}
        label={action.failedLabel}
        fileName={action.failedFile}
        failures={failures.map((each) => ({ name: each.name, message: codeText(each) }))}
        nameOf={action.nameOf}
        busy={run.isPending}
        danger={action.danger !== undefined}
        error={run.error}
        onRetry={run.retry}
        onClose={onClose}
      />
    )
  }

  const title = action.title(count ?? 0)
  const confirm = () => {
    setSubmitted(true)
    run.forgetRejection()
    if (!hasProblem) run.start('names' in counted ? counted : { ...counted, newestId: counting.counted?.newestId })
  }
  const effects = (
    <CountedEffects
      counting={counting}
      target={target}
      effects={action.effects}
      onRetry={() => countAgain(counting.error)}
    />
  )
  return (
    <ConfirmDialog
      title={title}
      description={action.description}
      form={
        renderForm && (
          <fieldset disabled={run.progress > 0} className="contents">
            {renderForm(state)}
          </fieldset>
        )
      }
      impact={hasProblem ? t`Fill in the fields to preview the changes.` : effects}
      {...typedConfirmation(action, counted)}
      confirmLabel={action.confirmLabel}
      danger={action.danger !== undefined}
      blockedReason={hasProblem ? undefined : blockedReason(counts, count)}
      busy={run.isPending}
      error={run.error}
      onConfirm={confirm}
      onClose={onClose}
      last={
        run.isPending ? (
          <ProgressLine label={title} done={run.progress} total={count ?? 0} />
        ) : (
          <ShowApiCall
            calls={() => wholeBodies(body, counted).map((each) => action.apiCall(each))}
            note={'filter' in counted ? t`The action runs in batches to show its progress.` : undefined}
          />
        )
      }
    >
      {renderOptions?.(state)}
    </ConfirmDialog>
  )
}

const bodyOf = <Body extends object, Filter>(
  action: BulkAction<Body, Filter>,
  rows: BulkRows<Filter>,
  counts: BulkCounts | undefined,
): Body => ({ ...action.body(rows), ...action.choices?.(counts) })
