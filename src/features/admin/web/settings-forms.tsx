import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { integerProblem } from '#contract/integer-problem.ts'
import { call } from '#web/api/call.ts'
import { failureText, successText } from '#web/api/errors.ts'
import { notify } from '#web/browser/notify.ts'
import { ButtonWithReason } from '#web/ui/button-with-reason.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { SwitchRow } from '#web/ui/switch-row.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import {
  originsProblem,
  requestSizeProblem,
  senderEmailProblem,
  smtpHostProblem,
  smtpPasswordProblem,
} from '../admin.rules.ts'
import { settingsLimits, type WithEmptyNumbers } from '../number.rules.ts'
import type { AdminSettings } from './admin-data.ts'
import { asSwitch, SettingsCard } from './settings-card.tsx'
import { onSettingsSaved, saveSettings } from './settings-undo.ts'
import { useGroupForm } from './use-group-form.ts'

export function EmailSettingsForm({ settings }: { settings: AdminSettings['email'] }) {
  const { hasPassword, ...stored } = settings
  const start: WithEmptyNumbers<typeof stored> = stored
  const test = useMutation({
    mutationFn: () => call('POST /admin/settings/email/test'),
    onSuccess: (reply) => notify.success(successText(reply)),
  })
  const form = useGroupForm('email', {
    start: { ...start, smtpPassword: '' },
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
      saveLabel={t`Save email settings`}
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
  const form = useGroupForm('api', {
    start: settings as WithEmptyNumbers<AdminSettings['api']>,
    problems: (values) => ({
      rateLimitPerMinute: integerProblem(values.rateLimitPerMinute, perMinute, settingsLimits.rateLimitPerMinute),
      rateLimitPerHour: integerProblem(values.rateLimitPerHour, perHour, settingsLimits.rateLimitPerHour),
      maxRequestSize: requestSizeProblem(values.maxRequestSize),
      allowedOrigins: originsProblem(values.allowedOrigins, values.enableCORS),
    }),
  })
  return (
    <SettingsCard
      anchor="api"
      title={t`API`}
      description={t`Rate limits, request size and allowed origins.`}
      saveLabel={t`Save API settings`}
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
  const form = useGroupForm('security', {
    start: settings as WithEmptyNumbers<AdminSettings['security']>,
    problems: (values) => ({
      sessionTimeout: integerProblem(values.sessionTimeout, timeout, settingsLimits.sessionTimeout),
      passwordMinLength: integerProblem(values.passwordMinLength, minLength, settingsLimits.passwordMinLength),
    }),
  })
  return (
    <SettingsCard
      anchor="security"
      title={t`Security`}
      description={t`Account protection.`}
      saveLabel={t`Save security settings`}
      form={form}
    >
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
