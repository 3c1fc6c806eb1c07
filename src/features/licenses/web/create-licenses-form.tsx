import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { apiCall } from '#web/api-call/api-call.ts'
import { ApiCallView } from '#web/api-call/api-call-view.tsx'
import { call } from '#web/call.ts'
import type { CallInput } from '#web/call-types.ts'
import { failureTextWithCause, successText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { useRequestKey } from '#web/form/use-request-key.ts'
import type { App } from '#web/session.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { useIsPhone } from '#web/use-media.ts'
import { createProblem, defaultDurationDays, defaultMask, type LicenseSpec } from '../licenses.rules.ts'
import { CreateLicensesFields } from './create-licenses-fields.tsx'
import { CreatedKeysSheet } from './created-keys-sheet.tsx'
import { refreshLicenses } from './license-list.ts'

type CreateBody = NonNullable<CallInput<'POST /create_licenses'>['body']>

const initialForm: LicenseSpec = {
  amount: 1,
  mask: defaultMask,
  lowercase: true,
  uppercase: true,
  level: undefined,
  notes: '',
  expiryUnit: 'days',
  duration: defaultDurationDays,
}

const bodyOf = (appName: string, { level, duration, ...form }: LicenseSpec): CreateBody => ({
  appName,
  ...form,
  // JSON has no NaN, which an empty amount is here.
  amount: form.amount || 0,
  ...(level !== undefined && { subscription: level }),
  ...(form.expiryUnit !== 'lifetime' && duration !== undefined && { duration }),
})

export function CreateLicensesForm({ app, onClose }: { app: App; onClose: () => void }) {
  const [form, setForm] = useState(initialForm)
  const [submitted, setSubmitted] = useState(false)
  const [tab, setTab] = useState('form')
  const isPhone = useIsPhone()
  const { keyOf } = useRequestKey()
  const body = bodyOf(app.appName, form)
  const create = useMutation({
    mutationFn: () => call('POST /create_licenses', { body, appId: app.appId, idempotencyKey: keyOf(body) }),
    onSuccess: (reply) => {
      notify.success(successText(reply))
      void refreshLicenses()
    },
  })
  // Silent until the first attempt; from then on a problem goes as soon as it is solved.
  const problem = submitted ? createProblem(form) : undefined
  const submit = () => {
    setSubmitted(true)
    const found = createProblem(form)
    if (!found) return create.mutate()
    setTab('form')
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[role=dialog] [name=${found.field}]`)?.focus())
  }
  if (create.data) return <CreatedKeysSheet keys={create.data.licenses} appName={app.appName} onClose={onClose} />

  const change = (part: Partial<LicenseSpec>) => setForm((before) => ({ ...before, ...part }))
  const fields = <CreateLicensesFields form={form} onChange={change} problem={problem} />
  const shown = (
    <ApiCallView
      calls={[apiCall('POST /create_licenses', { body, appId: app.appId, idempotencyKey: true })]}
      sellerApi
    />
  )
  return (
    <FormDialog
      title={t`Create licenses`}
      size="lg"
      submitLabel={form.amount > 1 ? t`Create ${form.amount} licenses` : t`Create license`}
      busy={create.isPending}
      error={
        create.error
          ? failureTextWithCause(
              create.error,
              t`Failed to create licenses`,
              (message) => t`Failed to create licenses: ${message}`,
            )
          : undefined
      }
      onSubmit={submit}
      onClose={onClose}
    >
      {isPhone ? (
        <Tabs
          label={t`Create licenses`}
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'form', label: t`Form`, content: fields },
            { value: 'call', label: t`Show as API call`, content: shown },
          ]}
        />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,360px)] gap-6">
          {fields}
          <div className="flex min-w-0 flex-col gap-2">
            <h3 className="text-ui font-medium">{t`Show as API call`}</h3>
            {shown}
          </div>
        </div>
      )}
    </FormDialog>
  )
}
