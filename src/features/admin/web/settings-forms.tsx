import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { integerProblem } from '#contract/integer-problem.ts'
import { FormError } from '#features/accounts/web/form-error.tsx'
import { call } from '#web/api/call.ts'
import { failureText, successText } from '#web/api/errors.ts'
import type { SaveForm } from '#web/form/save-form.ts'
import { useSaveForm } from '#web/form/use-save-form.tsx'
import { notify } from '#web/browser/notify.ts'
import { ButtonWithReason } from '#web/ui/button-with-reason.tsx'
import { Card } from '#web/ui/card.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { Section } from '#web/ui/section.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { SwitchRow } from '#web/ui/switch-row.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import {
  maintenanceMessageProblem,
  originsProblem,
  platformNameProblem,
  requestSizeProblem,
  senderEmailProblem,
  smtpHostProblem,
  smtpPasswordProblem,
  statusPageProblem,
} from '../admin.rules.ts'
import { settingsLimits, type WithEmptyNumbers } from '../number.rules.ts'
import type { AdminPlan, AdminSettings } from './admin-data.ts'
import { onSettingsSaved, saveSettings, useDraft } from './settings-undo.ts'
import { useUnsavedReport } from './unsaved-cards.tsx'

interface SettingsCardProps {
  anchor: string
  title: string
  description: string
  form: Pick<SaveForm<object, Record<string, unknown>, unknown>, 'dialog'>
  /** Another action next to Save, and the reason of its failure. */
  action?: ReactNode
  failure?: string | undefined
  children: ReactNode
}

/** A group of settings with its own Save button. */
function SettingsCard({ anchor, title, description, form, action, failure, children }: SettingsCardProps) {
  const { formRef, busy, error, isDirty, onSubmit } = form.dialog
  const report = useUnsavedReport()
  useEffect(() => {
    report(title, isDirty)
    return () => report(title, false)
  }, [report, title, isDirty])
  return (
    <Card>
      <form
        ref={formRef}
        noValidate
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        <Section anchor={anchor} title={title} description={description}>
          {children}
          <FormError message={error ?? failure} />
          <div className="flex flex-wrap justify-end gap-2">
            {action}
            <ButtonWithReason
              type="submit"
              variant="primary"
              busy={busy}
              disabledReason={isDirty ? undefined : t`Nothing has changed`}
            >{t`Save ${title}`}</ButtonWithReason>
          </div>
        </Section>
      </form>
    </Card>
  )
}

const asSwitch = ({
  onChange,
  checked,
  name,
  notice,
}: {
  onChange: (event: { target: { checked: boolean } }) => void
  checked: boolean
  name: string
  notice: ReactNode
}) => ({ checked, name, notice, onChange: (value: boolean) => onChange({ target: { checked: value } }) })

interface PlatformSettingsProps {
  settings: AdminSettings['platform']
  plans: readonly AdminPlan[]
  enforceHTTPS: boolean
}

export function PlatformSettingsForm(props: PlatformSettingsProps) {
  const attempts = t`Max failed login attempts`
  const cooldown = t`Login cooldown (minutes)`
  const draft = useDraft<WithEmptyNumbers<AdminSettings['platform']>>()
  const form = useSaveForm({
    start: props.settings as WithEmptyNumbers<AdminSettings['platform']>,
    isNew: false,
    problems: (values) => ({
      platformName: platformNameProblem(values.platformName),
      statusPageUrl: statusPageProblem(values.statusPageUrl, {
        publicUrl: location.origin,
        enforceHTTPS: props.enforceHTTPS,
      }),
      maintenanceMessage: maintenanceMessageProblem(values.maintenanceMessage, values.maintenanceMode),
      maxFailedLoginAttempts: integerProblem(
        values.maxFailedLoginAttempts,
        attempts,
        settingsLimits.maxFailedLoginAttempts,
      ),
      loginCooldownMinutes: integerProblem(values.loginCooldownMinutes, cooldown, settingsLimits.loginCooldownMinutes),
    }),
    send: ({ changes, before }) => saveSettings('platform', { changes, before }),
    failure: t`Failed to save settings`,
    draft,
    onSaved: onSettingsSaved,
  })
  const plans = props.plans.filter(({ active, name }) => active || name === form.values.defaultPlan)
  const unlimited = { value: 'Unlimited', label: t`Unlimited` }
  return (
    <SettingsCard anchor="platform" title={t`Platform`} description={t`Name, sign-up and maintenance.`} form={form}>
      <TextField
        layout="row"
        label={t`Platform name`}
        help={t`On the sign-in page, in the title of every page, and in authenticator apps.`}
        {...form.field('platformName')}
      />
      <SwitchRow
        label={t`Maintenance mode`}
        consequence={t`Only administrators have access; programs and shops get the message.`}
        {...asSwitch(form.checkbox('maintenanceMode'))}
      />
      <TextArea layout="row" label={t`Maintenance message`} {...form.field('maintenanceMessage')} />
      <SwitchRow
        label={t`Registration`}
        consequence={t`Anyone can create an account.`}
        {...asSwitch(form.checkbox('registrationEnabled'))}
      />
      <SelectField
        layout="row"
        label={t`Default plan for new owners`}
        options={[...plans.map(({ name, displayName }) => ({ value: name, label: displayName })), unlimited]}
        {...form.field('defaultPlan')}
      />
      <TextField
        layout="row"
        label={t`Status page`}
        type="url"
        mono
        placeholder="https://status.example.com"
        help={t`Shown on /status instead of the built-in page.`}
        {...form.field('statusPageUrl')}
      />
      <NumberField
        layout="row"
        label={attempts}
        {...settingsLimits.maxFailedLoginAttempts}
        {...form.field('maxFailedLoginAttempts')}
      />
      <NumberField
        layout="row"
        label={cooldown}
        {...settingsLimits.loginCooldownMinutes}
        {...form.field('loginCooldownMinutes')}
      />
    </SettingsCard>
  )
}

export function EmailSettingsForm({ settings }: { settings: AdminSettings['email'] }) {
  const { hasPassword, ...stored } = settings
  const start: WithEmptyNumbers<typeof stored> = stored
  const draft = useDraft<typeof start & { smtpPassword: string }>()
  const test = useMutation({
    mutationFn: () => call('POST /admin/settings/email/test'),
    onSuccess: (reply) => notify.success(successText(reply)),
  })
  const form = useSaveForm({
    start: { ...start, smtpPassword: '' },
    isNew: false,
    writeOnly: ['smtpPassword'],
    problems: (values) => ({
      smtpHost: smtpHostProblem(values),
      smtpPort: integerProblem(values.smtpPort, t`SMTP port`, settingsLimits.smtpPort),
      smtpPassword: smtpPasswordProblem(settings, { ...values, smtpPort: values.smtpPort ?? 0 }),
      senderEmail: senderEmailProblem(values),
    }),
    // Always sends a password that is in its field, because a changed server requires it again.
    send: ({ changes, body: { smtpPassword }, before }) =>
      saveSettings('email', { changes: { ...changes, ...(smtpPassword && { smtpPassword }) }, before }),
    failure: t`Failed to save settings`,
    draft,
    onSaved: (reply) => {
      test.reset()
      return onSettingsSaved(reply)
    },
  })
  const disabled = !form.values.enabled
  const untestable = form.dialog.isDirty ? t`Save the settings first` : disabled ? t`Email is off` : undefined
  return (
    <SettingsCard
      anchor="email"
      title={t`Email`}
      description={t`How the platform sends mail: password reset links and notices about accounts, plans and webhooks.`}
      form={form}
      failure={test.error ? failureText(test.error, t`Failed to send the test mail`) : undefined}
      action={
        <ButtonWithReason busy={test.isPending} disabledReason={untestable} onClick={() => test.mutate()}>
          {t`Send test mail`}
        </ButtonWithReason>
      }
    >
      <SwitchRow label={t`Enable email`} {...asSwitch(form.checkbox('enabled'))} />
      <TextField layout="row" label={t`SMTP host`} disabled={disabled} {...form.field('smtpHost')} />
      <NumberField
        layout="row"
        label={t`SMTP port`}
        {...settingsLimits.smtpPort}
        disabled={disabled}
        {...form.field('smtpPort')}
      />
      <TextField layout="row" label={t`SMTP user`} autoComplete="off" disabled={disabled} {...form.field('smtpUser')} />
      <PasswordField
        layout="row"
        label={t`SMTP password`}
        autoComplete="new-password"
        disabled={disabled}
        help={
          hasPassword
            ? t`A password is saved. Leave empty to keep it. Changing the host, the port or SSL requires entering it again.`
            : undefined
        }
        {...form.field('smtpPassword')}
      />
      <TextField layout="row" label={t`Sender email`} type="email" disabled={disabled} {...form.field('senderEmail')} />
      <TextField layout="row" label={t`Sender name`} disabled={disabled} {...form.field('senderName')} />
      <SwitchRow
        label={t`Use SSL`}
        consequence={t`The mail server's certificate is verified before anything is sent. Without SSL, mail is sent in plain text; the password still requires TLS, except on 127.0.0.1.`}
        disabled={disabled}
        {...asSwitch(form.checkbox('useSSL'))}
      />
    </SettingsCard>
  )
}

export function ApiSettingsForm({ settings }: { settings: AdminSettings['api'] }) {
  const perMinute = t`Rate limit per minute`
  const perHour = t`Rate limit per hour`
  const draft = useDraft<WithEmptyNumbers<AdminSettings['api']>>()
  const form = useSaveForm({
    start: settings as WithEmptyNumbers<AdminSettings['api']>,
    isNew: false,
    problems: (values) => ({
      rateLimitPerMinute: integerProblem(values.rateLimitPerMinute, perMinute, settingsLimits.rateLimitPerMinute),
      rateLimitPerHour: integerProblem(values.rateLimitPerHour, perHour, settingsLimits.rateLimitPerHour),
      maxRequestSize: requestSizeProblem(values.maxRequestSize),
      allowedOrigins: originsProblem(values.allowedOrigins, values.enableCORS),
    }),
    send: ({ changes, before }) => saveSettings('api', { changes, before }),
    failure: t`Failed to save settings`,
    draft,
    onSaved: onSettingsSaved,
  })
  return (
    <SettingsCard
      anchor="api"
      title={t`API`}
      description={t`Rate limits, request size and allowed origins.`}
      form={form}
    >
      <NumberField
        layout="row"
        label={perMinute}
        {...settingsLimits.rateLimitPerMinute}
        help={t`Per seller key. Dashboard sessions get 20 times this, because a page makes several calls at once; programs have limits of their own.`}
        {...form.field('rateLimitPerMinute')}
      />
      <NumberField
        layout="row"
        label={perHour}
        {...settingsLimits.rateLimitPerHour}
        {...form.field('rateLimitPerHour')}
      />
      <TextField
        layout="row"
        label={t`Max request size`}
        mono
        short
        help={t`For example, 10MB. Also the largest file that owners can upload, unless MAX_UPLOAD_MB of the server or their plan allows less. Most other calls accept less.`}
        {...form.field('maxRequestSize')}
      />
      <SwitchRow
        label={t`Enable CORS`}
        consequence={t`Browser-based programs may call the client API. The dashboard never accepts calls from other sites.`}
        {...asSwitch(form.checkbox('enableCORS'))}
      />
      <TextField
        layout="row"
        label={t`Allowed origins`}
        mono
        disabled={!form.values.enableCORS}
        help={t`* allows all origins; otherwise, enter a comma-separated list.`}
        {...form.field('allowedOrigins')}
      />
    </SettingsCard>
  )
}

export function SecuritySettingsForm({ settings }: { settings: AdminSettings['security'] }) {
  const timeout = t`Session timeout (hours)`
  const minLength = t`Minimum password length`
  const draft = useDraft<WithEmptyNumbers<AdminSettings['security']>>()
  const form = useSaveForm({
    start: settings as WithEmptyNumbers<AdminSettings['security']>,
    isNew: false,
    problems: (values) => ({
      sessionTimeout: integerProblem(values.sessionTimeout, timeout, settingsLimits.sessionTimeout),
      passwordMinLength: integerProblem(values.passwordMinLength, minLength, settingsLimits.passwordMinLength),
    }),
    send: ({ changes, before }) => saveSettings('security', { changes, before }),
    failure: t`Failed to save settings`,
    draft,
    onSaved: onSettingsSaved,
  })
  return (
    <SettingsCard anchor="security" title={t`Security`} description={t`Account protection.`} form={form}>
      <NumberField
        layout="row"
        label={timeout}
        {...settingsLimits.sessionTimeout}
        help={t`Sessions end after one hour without use and never last longer than this. With "Remember me", they end after 7 days without use, or after 30 days in total.`}
        {...form.field('sessionTimeout')}
      />
      <SwitchRow
        label={t`Enforce HTTPS`}
        consequence={t`Applies when the public address is https:// and a trusted proxy reports how a request arrived.`}
        {...asSwitch(form.checkbox('enforceHTTPS'))}
      />
      <SwitchRow
        label={t`Two-factor authentication`}
        consequence={t`Owners may protect their account with an authenticator app.`}
        {...asSwitch(form.checkbox('enable2FA'))}
      />
      <NumberField
        layout="row"
        label={minLength}
        {...settingsLimits.passwordMinLength}
        help={t`Never less than 8, regardless of this setting.`}
        {...form.field('passwordMinLength')}
      />
      <SwitchRow
        label={t`Require complex password`}
        consequence={t`Uppercase, lowercase and a number.`}
        {...asSwitch(form.checkbox('requireComplexPassword'))}
      />
    </SettingsCard>
  )
}
