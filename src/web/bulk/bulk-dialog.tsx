import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ShowApiCall } from '../api-call/show-api-call.tsx'
import { CallFailed } from '../api/call-failed.ts'
import { codeText } from '../texts/code-text.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import {
  type BulkAct,
  type BulkCounts,
  type BulkRows,
  type BulkTarget,
  maxUncountedRows,
  targetCount,
} from './bulk-act.ts'
import { CountedEffects, useCounts } from './bulk-counts.tsx'
import { type BulkOutcome, BulkRun, sumOfCounts, wholeBodies } from './bulk-run.ts'
import { notifyDone, stoppedText } from './bulk-toasts.ts'
import { FailuresDialog } from './failures-dialog.tsx'
import { ProgressLine } from './progress-line.tsx'

/** What fields inside the dialog may want to know. */
interface BulkDialogState {
  counts: BulkCounts | undefined
  /** The button was pressed: from now on problems are shown. */
  submitted: boolean
}

export interface BulkDialogProps<Body extends object, Filter> {
  act: BulkAct<Body, Filter>
  /** As it is when the dialog opens. */
  target: BulkTarget<Filter>
  /** Fields that decide what happens; they have the focus first. */
  renderForm?: (state: BulkDialogState) => ReactNode
  /** The form's fields are not right yet. */
  hasProblem?: boolean
  /** Checkboxes and the like, below what was counted. */
  renderOptions?: (state: BulkDialogState) => ReactNode
  onDone: () => void
  /** These are done; others failed and stay on the screen. */
  onPart?: (names: readonly string[]) => void
  onClose: () => void
}

/** Counts, confirms, acts with progress, offers Undo, and stays open with the reasons where some rows failed. */
export function BulkDialog<Body extends object, Filter>(props: BulkDialogProps<Body, Filter>) {
  const { act, renderForm, hasProblem = false, renderOptions, onDone, onPart, onClose } = props
  const [target, setTarget] = useState(props.target)
  const [submitted, setSubmitted] = useState(false)
  const [progress, setProgress] = useState(0)
  const [run, setRun] = useState<BulkRun<Body, Filter>>()
  const [earlier, setEarlier] = useState<BulkCounts>({ changed: 0, unchanged: 0 })
  const [failure, setFailure] = useState<BulkOutcome>()
  const [refusal, setRefusal] = useState<string>()
  const counting = useCounts(act, target, !hasProblem)
  const counts = counting.counted?.counts
  const count = targetCount(target) ?? counting.counted?.rows
  const counted = 'names' in target ? target : { filter: target.filter, count }
  const state = { counts, submitted }

  /** Counts again; where the list has changed, what it is now. */
  const countAgain = (error: unknown) => {
    const known = targetCount(target) === undefined ? undefined : changedCount(error)
    if (known === undefined || 'names' in target) counting.again()
    else setTarget({ ...target, count: known })
  }
  const sendable = { send: act.send, body: (rows: BulkRows<Filter>) => bodyOf(act, rows, counts) }
  const perform = useMutation({
    mutationFn: (of: BulkRun<Body, Filter>) => of.run(sendable, { onProgress: setProgress }),
    networkMode: 'always',
    onSuccess: async (outcome) => {
      const [refused] = outcome.failures
      if (refused && targetCount(target) === 1) {
        // One row: its reason says it all, and the same button tries again.
        setRun(undefined)
        setRefusal(codeText(refused))
      } else if (failedOf(act, outcome) > 0) {
        setFailure(outcome)
        onPart?.(outcome.doneNames)
      } else {
        report(outcome)
        onDone()
      }
      await act.refresh()
    },
    onError: (error) => {
      if (changedCount(error) === undefined) return
      setRun(undefined)
      countAgain(error)
    },
  })
  const report = ({ counts: found, undoId }: BulkOutcome) => {
    const all = sumOfCounts(earlier, found)
    notifyDone({ done: act.doneText(all), skipped: act.skippedText?.(all) }, act, { undoId, counts: all })
  }
  /** What was done before it stopped, or besides what failed, can be undone as well. */
  const leave = () => {
    if (!perform.isIdle) void act.refresh()
    if (run && sumOfCounts(earlier, run.outcome.counts).changed > 0) report(run.outcome)
    onClose()
  }
  const error = perform.error ? stoppedText(act.failureText(perform.error), progress) : refusal

  if (failure && run) {
    const retry = () => {
      if (perform.error) return perform.mutate(run)
      const next = new BulkRun<Body, Filter>({ names: failure.failures.map(({ name }) => name) }, failure.undoId)
      setEarlier(doneCounts(earlier, failure))
      setProgress(0)
      setRun(next)
      return perform.mutate(next)
    }
    const done = earlier.changed + earlier.unchanged + run.outcome.done
    const { failed } = failure
    return (
      <FailuresDialog
        title={t`${done} done · ${failed} failed`}
        label={act.failedLabel}
        fileName={act.failedFile}
        failures={failure.failures.map((each) => ({ name: each.name, message: codeText(each) }))}
        nameOf={act.nameOf}
        busy={perform.isPending}
        danger={act.danger !== undefined}
        error={error}
        onRetry={retry}
        onClose={leave}
      />
    )
  }

  const title = act.title(count ?? 0)
  const confirm = () => {
    setSubmitted(true)
    setRefusal(undefined)
    if (hasProblem) return
    const begun = run ?? new BulkRun<Body, Filter>(counted)
    setRun(begun)
    perform.mutate(begun)
  }
  const effects = (
    <CountedEffects
      counting={counting}
      target={target}
      effects={act.effects}
      onRetry={() => countAgain(counting.error)}
    />
  )
  return (
    <ConfirmDialog
      title={title}
      description={act.description}
      form={
        renderForm && (
          <fieldset disabled={progress > 0} className="contents">
            {renderForm(state)}
          </fieldset>
        )
      }
      impact={hasProblem ? t`Fill in the fields to see what it will do.` : effects}
      {...typedProof(act, counted)}
      confirmLabel={act.confirmLabel}
      danger={act.danger !== undefined}
      blockedReason={hasProblem ? undefined : blockedReason(counts, count)}
      busy={perform.isPending}
      error={error}
      onConfirm={confirm}
      onClose={leave}
    >
      {renderOptions?.(state)}
      {perform.isPending ? (
        <ProgressLine label={title} done={progress} total={count ?? 0} />
      ) : (
        <ShowApiCall
          calls={() => wholeBodies(sendable.body, counted).map((body) => act.apiCall(body))}
          note={'filter' in counted ? t`The button does it in batches, to show how far it is.` : undefined}
          sellerApi={act.sellerApi}
        />
      )}
    </ConfirmDialog>
  )
}

const bodyOf = <Body extends object, Filter>(
  act: BulkAct<Body, Filter>,
  rows: BulkRows<Filter>,
  counts: BulkCounts | undefined,
): Body => ({ ...act.body(rows), ...act.choices?.(counts) })

/** Those that failed are counted when they are tried again. */
const doneCounts = ({ changed, unchanged }: BulkCounts, { counts }: BulkOutcome): BulkCounts => ({
  changed: changed + counts.changed,
  unchanged: unchanged + counts.unchanged,
})

const failedOf = (act: Pick<BulkAct<object, unknown>, 'skippedText'>, { failed }: BulkOutcome) =>
  act.skippedText ? 0 : failed

/** Nothing is done to many unseen. */
function blockedReason(counts: BulkCounts | undefined, count: number | undefined): string | undefined {
  if (!counts)
    return count === undefined || count > maxUncountedRows ? t`What it will do is not counted yet` : undefined
  return counts.changed === 0 ? t`It would change nothing.` : undefined
}

/** What must be typed: the app's name where everything of a filter goes for ever, a word for other acts on many. */
function typedProof({ danger }: Pick<BulkAct<object, unknown>, 'danger'>, target: BulkTarget<unknown>) {
  const isMany = (targetCount(target) ?? 0) > maxUncountedRows
  if (!danger || !(isMany || ('appName' in danger && 'filter' in target))) return {}
  if ('appName' in danger) {
    return { typedName: danger.appName, typedLabel: t`App name`, typedMismatch: t`App name does not match` }
  }
  const { word } = danger
  return {
    typedName: word,
    isWord: true,
    typedLabel: t`Type “${word}” to confirm`,
    typedMismatch: t`That is not the word`,
  }
}

/** How many rows the filter means now, of a refusal that says the list has changed. */
function changedCount(error: unknown): number | undefined {
  if (!(error instanceof CallFailed) || error.code !== 'SELECTION_CHANGED') return undefined
  const count = error.values?.['count']
  return typeof count === 'number' ? count : undefined
}
