import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { unitSeconds } from '#contract/duration.ts'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/errors.ts'
import { conflictingValues } from '#web/form/field-changes.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { durationText } from '#web/time/time-text.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { defaultDurationDays, durationProblem } from '../licenses.rules.ts'
import { notifyEdited } from './license-undo.ts'
import { type License, licenseList } from './licenses-data.ts'

interface ExtendLicenseDialogProps {
  /** Not a lifetime license. */
  license: License
  onClose: () => void
}

/** Adds days to a license and to the user who redeemed it. */
export function ExtendLicenseDialog({ license: current, onClose }: ExtendLicenseDialogProps) {
  // The list may be refetched behind the dialog; days are added to the duration that is shown.
  const [{ license, used, ...opened }] = useState(current)
  const [appId] = useState(() => selectedAppStore.get()?.appId)
  const [expiry, setExpiry] = useState(opened.expiry)
  const [days, setDays] = useState<number | undefined>(defaultDurationDays)
  const problem = useProblemText()(durationProblem(days, 'days'))
  const longer = expiry + (days ?? 0) * unitSeconds.days
  const extend = useMutation({
    mutationFn: () =>
      call('POST /update_license', { body: { licenseKey: license, expiry: longer, before: { expiry } } }),
    // Pressing again adds the days to the other change.
    onError: (error) => {
      const { expiry: theirs } = conflictingValues(error)
      if (typeof theirs !== 'number') return
      setExpiry(theirs)
      void licenseList.refresh()
    },
    onSuccess: async (reply) => {
      notifyEdited(reply, appId)
      onClose()
      await licenseList.refresh()
    },
  })
  return (
    <FormDialog
      title={t`Extend license`}
      description={used ? t`The user who redeemed it is extended as well.` : t`It has not been redeemed yet.`}
      size="sm"
      submitLabel={t`Extend`}
      busy={extend.isPending}
      error={extend.error ? failureText(extend.error, t`Failed to update license`) : undefined}
      blockedReason={expiry === 0 ? t`It never ends, so there is nothing to extend` : undefined}
      isDirty={days !== defaultDurationDays}
      onSubmit={() => problem === undefined && extend.mutate()}
      onClose={onClose}
    >
      <p className="break-all">
        <MachineText value={license} />
      </p>
      <NumberField
        label={t`Days to add`}
        required
        min={1}
        value={days}
        onChange={setDays}
        error={problem}
        suffix={problem === undefined && expiry > 0 && `${durationText(expiry)} → ${durationText(longer)}`}
      />
    </FormDialog>
  )
}
