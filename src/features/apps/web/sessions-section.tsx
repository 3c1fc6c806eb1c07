import { t } from '@lingui/core/macro'
import { durationText } from '#web/time/time-text.ts'
import { NumberField } from '#web/ui/number-field.tsx'
import { Section } from '#web/ui/section.tsx'
import { sessionExpiryRange } from '../apps.rules.ts'
import { translatedText } from './app-texts.ts'
import { SettingSwitch, SettingText, settingsLabels } from './settings-fields.tsx'
import type { SettingsState } from './use-settings-form.ts'

export function SessionsSection({ form }: { form: SettingsState }) {
  const seconds = form.values.sessionExpiryDuration
  return (
    <Section title={t`Integration and Sessions`}>
      <SettingText
        form={form}
        field="discordWebhookLink"
        type="url"
        placeholder="https://"
        help={t`Discord-compatible; no messages yet`}
      />
      <NumberField
        layout="row"
        name="sessionExpiryDuration"
        label={settingsLabels().sessionExpiryDuration}
        help={t`Minimum: 300 seconds`}
        min={sessionExpiryRange.min}
        max={sessionExpiryRange.max}
        step={sessionExpiryRange.step}
        suffix={seconds !== undefined && seconds > 0 ? durationText(seconds) : undefined}
        value={seconds}
        error={translatedText(form.problems.sessionExpiryDuration)}
        onChange={(value) => form.set('sessionExpiryDuration', value)}
      />
      <SettingSwitch form={form} field="oneSessionPerCredential" consequence={t`A new sign-in ends the old one`} />
    </Section>
  )
}
