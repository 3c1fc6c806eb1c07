import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { Check, RotateCcw, X } from 'lucide-react'
import { BulkBar, type BulkBarProps } from '#web/table/bulk-bar.tsx'
import type { Selection } from '#web/table/selection.ts'
import { Button } from '#web/ui/button.tsx'
import { PlanReasonText } from '#features/plans/web/plan-reason.tsx'
import { usePlanReason } from '#features/plans/web/use-plan-feature.ts'
import type { AlertDecision } from '../alerts.rules.ts'
import { decideAlerts } from './alerts-data.ts'

/** The toast offers Undo, so there is no confirmation. */
export function AlertsBulkBar({ list }: Pick<BulkBarProps, 'list'>) {
  const { selection } = list
  const noBulk = usePlanReason('bulk_operations')
  // One alert is decided by its own call.
  const disabledReason = selection.ids.size > 1 ? noBulk : undefined
  const decide = useMutation({
    mutationFn: ({ action, selected }: { action: AlertDecision; selected: Selection }) =>
      decideAlerts([...selected.ids], action),
    networkMode: 'always',
    onSuccess: (isDone, { selected }) => isDone && selected.release(),
  })
  const button = (action: AlertDecision) => ({
    busy: decide.isPending && decide.variables.action === action,
    disabled: decide.isPending,
    disabledReason,
    onClick: () => decide.mutate({ action, selected: selection }),
  })
  return (
    <BulkBar list={list} notice={disabledReason && <PlanReasonText reason={disabledReason} />}>
      <Button icon={<Check />} {...button('review')}>{t`Review`}</Button>
      <Button icon={<X />} {...button('dismiss')}>
        {t({ message: 'Dismiss', context: 'alert' })}
      </Button>
      <Button icon={<RotateCcw />} {...button('reopen')}>{t`Reopen`}</Button>
    </BulkBar>
  )
}
