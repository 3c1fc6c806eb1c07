import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { codeText } from '../api/code-text.ts'
import { notify } from '../browser/notify.ts'
import { useIsOpen } from '../ui/confirm-dialog.tsx'
import { type BulkAction, type BulkCounts, type BulkRows, type BulkTarget, targetCount } from './bulk-action.ts'
import { type BulkOutcome, BulkRun, sumOfCounts } from './bulk-run.ts'
import { notifyDone, partText, stoppedText } from './bulk-toasts.ts'
import { changedCount } from './use-counted-target.ts'

interface BulkRunOptions<Body extends object, Filter> {
  action: BulkAction<Body, Filter>
  target: BulkTarget<Filter>
  /** The body of the action for the given rows. */
  body: (rows: BulkRows<Filter>) => Body
  /** Called when the list has changed since it was counted. */
  onChanged: (error: unknown) => void
  onDone: () => void
  onPart: ((names: readonly string[]) => void) | undefined
}

/** Runs an action, retries its failed rows, and reports the total result. */
export function useBulkRun<Body extends object, Filter>(options: BulkRunOptions<Body, Filter>) {
  const { action, target, body, onChanged, onDone, onPart } = options
  const [progress, setProgress] = useState(0)
  const [run, setRun] = useState<BulkRun<Body, Filter>>()
  const [earlier, setEarlier] = useState<BulkCounts>({ changed: 0, unchanged: 0 })
  const [failure, setFailure] = useState<BulkOutcome>()
  const [rejection, setRejection] = useState<string>()
  const isOpen = useIsOpen()
  /** Sooner than the mutation ends, which loads the list again. */
  const isAnswered = useRef(true)
  const perform = useMutation({
    mutationFn: (of: BulkRun<Body, Filter>) => {
      isAnswered.current = false
      return of.run({ send: action.send, body }, { onProgress: setProgress })
    },
    networkMode: 'always',
    onSuccess: async (outcome) => {
      isAnswered.current = true
      const [rejected] = outcome.failures
      if (rejected && targetCount(target) === 1) {
        // A single row: its reason is shown in place, and the same button retries.
        setRun(undefined)
        setRejection(codeText(rejected))
        if (!isOpen()) notify.error(codeText(rejected))
      } else if (failedOf(action, outcome) > 0) {
        setFailure(outcome)
        onPart?.(outcome.doneNames)
        if (!isOpen()) reportPart(outcome, partText(withEarlier(outcome)))
      } else {
        report(outcome)
        onDone()
      }
      await action.refresh()
    },
    onError: (error, { outcome }) => {
      isAnswered.current = true
      if (!isOpen()) {
        reportPart(outcome, stoppedText(action.failureText(error), outcome.done + outcome.failed))
        void action.refresh()
      }
      if (changedCount(error) === undefined) return
      setRun(undefined)
      onChanged(error)
    },
  })
  const isReported = useRef(false)
  const report = ({ counts: found, undoId }: BulkOutcome) => {
    isReported.current = true
    const all = sumOfCounts(earlier, found)
    notifyDone({ done: action.doneText(all), skipped: action.skippedText?.(all) }, action, { undoId, counts: all })
  }
  const reportDone = (outcome: BulkOutcome) => {
    if (sumOfCounts(earlier, outcome.counts).changed > 0) report(outcome)
  }
  const withEarlier = ({ done, ...others }: BulkOutcome) => ({
    ...others,
    done: earlier.changed + earlier.unchanged + done,
  })
  /** Finished rows can be undone even if the action stopped or other rows failed. */
  const end = useEffectEvent(() => {
    if (perform.isIdle || !isAnswered.current || isReported.current) return
    void action.refresh()
    if (run) reportDone(run.outcome)
  })
  useEffect(() => () => end(), [])
  /** Of a dialog that Back has closed. */
  const reportPart = (outcome: BulkOutcome, why: string) => {
    reportDone(outcome)
    notify.error(why)
  }
  return {
    progress,
    isPending: perform.isPending,
    error: perform.error ? stoppedText(action.failureText(perform.error), progress) : rejection,
    /** Some rows failed; the others are done. */
    failure: failure && run && { ...failure, done: withEarlier(run.outcome).done },
    forgetRejection: () => setRejection(undefined),
    /** Resumes where it stopped. */
    start: (rows: BulkTarget<Filter>) => {
      const begun = run ?? new BulkRun<Body, Filter>(rows)
      setRun(begun)
      perform.mutate(begun)
    },
    /** Retries the failed rows, or resumes that retry. */
    retry: () => {
      if (!failure || !run) return
      if (perform.error) return perform.mutate(run)
      const next = new BulkRun<Body, Filter>({ names: failure.failures.map(({ name }) => name) }, failure.undoId)
      setEarlier(doneCounts(earlier, failure))
      setProgress(0)
      setRun(next)
      return perform.mutate(next)
    },
  }
}

/** Failed rows are counted when they are retried. */
const doneCounts = ({ changed, unchanged }: BulkCounts, { counts }: BulkOutcome): BulkCounts => ({
  changed: changed + counts.changed,
  unchanged: unchanged + counts.unchanged,
})

const failedOf = (action: Pick<BulkAction<object, unknown>, 'skippedText'>, { failed }: BulkOutcome) =>
  action.skippedText ? 0 : failed
