import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiCall } from '#web/api-call/api-call.ts'
import { ShowApiCall } from '#web/api-call/show-api-call.tsx'
import { call } from '#web/api/call.ts'
import { failureText, successText } from '#web/api/errors.ts'
import type { FormDraft } from '#web/form/field-changes.ts'
import { hasEdits } from '#web/form/form-drafts.ts'
import { noEdits } from '#web/form/use-form-draft.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/browser/notify.ts'
import { queryClient } from '#web/api/query-client.ts'
import { durationText } from '#web/time/time-text.ts'
import { CheckboxField } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { type Length, LengthField, lengthOf, lengthSeconds } from '#web/ui/length-field.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { alertKinds, alertScopes, type AlertType, alertTypes, maxThreshold, thresholdProblem } from '../alerts.rules.ts'
import { kindTexts, scopeTexts } from './alert-kind-texts.ts'
import { thresholdsQuery } from './alerts-data.ts'
import { CountryNotice } from './country-notice.tsx'

/** Alert thresholds, one type at a time. */
export function ThresholdsDialog({ onClose }: { onClose: () => void }) {
  const { data, error } = useQuery(thresholdsQuery())
  const [type, setType] = useState<AlertType>('IP_MULTI_KEY')
  const [drafts] = useState((): Drafts => new Map())
  const threshold = data?.find((each) => each.type === type)
  if (!threshold) {
    const text = error ? failureText(error, t`Failed to load alert settings`) : undefined
    return <Dialog title={t`Alert settings`} onClose={onClose} {...(text && { error: text })} />
  }
  // A new key resets the form for each type.
  return <ThresholdForm key={type} stored={threshold} drafts={drafts} onType={setType} onClose={onClose} />
}

type Fields = {
  enabled: boolean
  threshold: number | undefined
  windowSeconds: Length
}

/** Edits of each type, while another one is shown. */
type Drafts = Map<AlertType, FormDraft<Fields, ReturnType<typeof bodyOf>>>

/** An empty field becomes NaN, which validation rejects. */
const bodyOf = ({ enabled, threshold = NaN, windowSeconds }: Fields) => ({
  enabled,
  threshold,
  windowSeconds: lengthSeconds(windowSeconds),
})

const defaultText = (standard: number | string) => t`Default: ${standard}`

interface FormProps {
  stored: { type: AlertType; enabled: boolean; threshold: number; windowSeconds: number }
  drafts: Drafts
  onType: (type: AlertType) => void
  onClose: () => void
}

function ThresholdForm({ stored, drafts, onType, onClose }: FormProps) {
  const { type } = stored
  const kind = alertKinds[type]
  const isMoment = kind.windowSeconds === 0
  const [unsaved] = [...drafts].flatMap(([other, draft]) => (other !== type && hasEdits(draft) ? [other] : []))
  const form = useSaveForm({
    start: { enabled: stored.enabled, threshold: stored.threshold, windowSeconds: stored.windowSeconds },
    isNew: false,
    draft: { get: () => drafts.get(type) ?? noEdits(), set: (draft) => void drafts.set(type, draft) },
    toForm: (body): Fields => ({ ...body, windowSeconds: lengthOf(body.windowSeconds) }),
    toBody: bodyOf,
    problems: (values) => {
      const problem = thresholdProblem(type, bodyOf(values))
      return problem ? { [problem.field ?? 'threshold']: problem } : {}
    },
    send: ({ changes, before }) => call('POST /alerts/thresholds', { body: { type, ...changes, before } }),
    onUnchanged: 'send',
    texts: { windowSeconds: (length) => durationText(lengthSeconds(length)) },
    failure: t`Failed to save alert settings`,
    onSaved: async (reply) => {
      notify.success(successText(reply))
      if (unsaved) onType(unsaved)
      else onClose()
      await queryClient.invalidateQueries({ queryKey: thresholdsQuery().queryKey })
    },
  })
  const { about, counts } = kindTexts[type]
  return (
    <FormDialog
      title={t`Alert settings`}
      submitLabel={t`Save Changes`}
      {...form.dialog}
      isDirty={form.dialog.isDirty || unsaved !== undefined}
      onClose={onClose}
    >
      <SelectField
        label={t`Type`}
        value={type}
        onChange={(event) => onType(event.target.value as AlertType)}
        options={[]}
        groups={alertScopes.map((scope) => ({
          label: i18n._(scopeTexts[scope]),
          options: alertTypes
            .filter((each) => alertKinds[each].scope === scope)
            .map((each) => ({ value: each, label: i18n._(kindTexts[each].title) })),
        }))}
        help={i18n._(about)}
      />
      {type === 'IP_CHANGED_COUNTRY' && <CountryNotice />}
      <CheckboxField
        label={t`Raise alerts of this type`}
        help={t`Saving rescans the last 30 days.`}
        {...form.checkbox('enabled')}
      />
      <NumberField
        label={t`Threshold`}
        help={defaultText(kind.threshold)}
        min={kind.minThreshold}
        max={maxThreshold}
        suffix={i18n._(counts)}
        {...form.field('threshold')}
      />
      {!isMoment && (
        <LengthField
          label={t`Within`}
          help={defaultText(durationText(kind.windowSeconds))}
          {...form.field('windowSeconds')}
        />
      )}
      <ShowApiCall calls={() => [apiCall('POST /alerts/thresholds', { body: { type, ...form.body } })]} />
    </FormDialog>
  )
}
