import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { integerProblem } from '#contract/integer-problem.ts'
import { useTimeZone } from '#web/browser/time-zone.ts'
import { failureText } from '#web/api/errors.ts'
import { lazyPart } from '#web/lazy/lazy-part.tsx'
import { dateTimeText } from '#web/time/time-text.ts'
import { NumberField } from '#web/ui/number-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { SwitchRow } from '#web/ui/switch-row.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { maintenanceMessageProblem, platformNameProblem, statusPageProblem } from '../admin.rules.ts'
import { settingsLimits, type WithEmptyNumbers } from '../number.rules.ts'
import type { AdminPlan, AdminSettings } from './admin-data.ts'
import { asSwitch, SettingsCard } from './settings-card.tsx'
import { useGroupForm } from './use-group-form.ts'

const MaintenanceDialog = lazyPart(() => import('./maintenance-dialog.tsx'), 'MaintenanceDialog')

interface PlatformSettingsProps {
  settings: AdminSettings['platform']
  /** None until they are loaded. */
  plans: readonly AdminPlan[]
  plansError: Error | null
  enforceHTTPS: boolean
}

export function PlatformSettingsForm(props: PlatformSettingsProps) {
  const attempts = t`Max failed login attempts`
  const cooldown = t`Login cooldown (minutes)`
  const { maintenanceSince, ...settings } = props.settings
  const [asks, setAsks] = useState(false)
  const form = useGroupForm('platform', {
    start: settings as WithEmptyNumbers<typeof settings>,
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
  })
  const plans = props.plans.filter(({ active, name }) => active || name === form.values.defaultPlan)
  const unlimited = { value: 'Unlimited', label: t`Unlimited` }
  const defaultPlan = form.field('defaultPlan')
  const options = [...plans.map(({ name, displayName }) => ({ value: name, label: displayName })), unlimited]
  // Without its option, the field would show the first plan as chosen.
  const isListed = options.some(({ value }) => value === defaultPlan.value)
  const stored = isListed ? [] : [{ value: defaultPlan.value, label: defaultPlan.value, isName: true }]
  const { maintenanceMode, maintenanceMessage } = form.values
  const turnsOn = form.changed.includes('maintenanceMode') && maintenanceMode
  const isAsked = turnsOn && !maintenanceMessageProblem(maintenanceMessage, true)
  const registration = asSwitch(form.checkbox('registrationEnabled'))
  const { onSubmit: save } = form.dialog
  const onSubmit = () => (isAsked ? setAsks(true) : save())
  return (
    <SettingsCard
      anchor="platform"
      title={t`Platform`}
      description={t`Name, sign-up and maintenance.`}
      saveLabel={t`Save platform settings`}
      form={{ dialog: { ...form.dialog, onSubmit } }}
    >
      <TextField
        layout="row"
        label={t`Platform name`}
        help={t`On the sign-in page, in the title of every page, and in authenticator apps.`}
        {...form.field('platformName')}
      />
      <SwitchRow
        label={t`Maintenance mode`}
        consequence={
          <>
            {t`Only administrators have access; programs, shops, owners and resellers get the message.`}
            {settings.maintenanceMode && maintenanceSince !== null && <MaintenanceSince at={maintenanceSince} />}
          </>
        }
        {...asSwitch(form.checkbox('maintenanceMode'))}
      />
      <TextArea layout="row" label={t`Maintenance message`} {...form.field('maintenanceMessage')} />
      <SwitchRow
        label={t`Registration`}
        consequence={registration.checked ? t`Anyone can create an account.` : t`Nobody can create an account.`}
        {...registration}
      />
      <SelectField
        layout="row"
        label={t`Default plan for new owners`}
        options={[...stored, ...options]}
        {...defaultPlan}
        error={props.plansError ? failureText(props.plansError, t`Failed to load plans`) : defaultPlan.error}
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
      {asks && (
        <MaintenanceDialog
          message={maintenanceMessage}
          onConfirm={() => {
            setAsks(false)
            save()
          }}
          onClose={() => setAsks(false)}
          onFailed={() => setAsks(false)}
          onReopen={() => setAsks(true)}
        />
      )}
    </SettingsCard>
  )
}

function MaintenanceSince({ at }: { at: number }) {
  const since = dateTimeText(at, useTimeZone())
  return <span className="block text-warn">{t`On since ${since}.`}</span>
}
