import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { grantDays } from '#features/entitlements/entitlements.rules.ts'
import { failureText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import { useRequestKey } from '#web/form/use-request-key.ts'
import { ConfirmDialog, useIsOpen } from '#web/ui/confirm-dialog.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import type { LetIn } from './let-in.ts'

interface LetInDialogProps {
  letIn: LetIn
  onDone: () => void
  onClose: () => void
}

/** Confirms the change that lets a customer in. */
export function LetInDialog({ letIn: current, onDone, onClose }: LetInDialogProps) {
  // The page refreshes while the dialog is open; its question must not turn into another one.
  const [letIn] = useState(current)
  const [days, setDays] = useState<number | undefined>(grantDays.standard)
  const [level, setLevel] = useState(letIn.levels?.[0]?.level ?? 0)
  const { keyOf } = useRequestKey()
  const isOpen = useIsOpen()
  const run = useMutation({
    mutationFn: () => {
      const time = { level, duration: days ?? 0 }
      return letIn.run({ ...time, idempotencyKey: keyOf(time) })
    },
    onSuccess: () => {
      onClose()
      onDone()
    },
    onError: (error) => isOpen() || notify.error(failureText(error, letIn.failure)),
  })
  const { levels = [], subject } = letIn
  const isWrong = days === undefined || days < grantDays.min || days > grantDays.max
  return (
    <ConfirmDialog
      title={letIn.title}
      description={letIn.description}
      confirmLabel={letIn.label}
      danger={false}
      busy={run.isPending}
      error={run.error ? failureText(run.error, letIn.failure) : undefined}
      onConfirm={() => {
        if (levels.length === 0 || !isWrong) run.mutate()
      }}
      onClose={onClose}
      {...(levels.length > 0 && {
        form: (
          <div className="flex flex-col gap-4">
            {levels.length > 1 && (
              <SelectField
                label={t`Level`}
                options={levels.map((each) => ({ value: String(each.level), label: each.name }))}
                value={String(level)}
                onChange={(event) => setLevel(Number(event.target.value))}
              />
            )}
            <NumberField
              label={t`Days`}
              required
              min={grantDays.min}
              max={grantDays.max}
              value={days}
              onChange={setDays}
              error={isWrong ? t`Enter 1 to 3650 days` : undefined}
            />
          </div>
        ),
      })}
    >
      {subject !== undefined && (
        <p className="wrap-anywhere">
          <MachineText value={subject} />
        </p>
      )}
    </ConfirmDialog>
  )
}
