import { t } from '@lingui/core/macro'
import { NumberField } from '#web/ui/number-field.tsx'
import { Section } from '#web/ui/section.tsx'
import { hwidLengthRange } from '../apps.rules.ts'
import { translatedText } from './app-texts.ts'
import { SettingSwitch, SettingText, settingsLabels } from './settings-fields.tsx'
import type { SettingsState } from './use-settings-form.ts'

export function SecuritySection({ form }: { form: SettingsState }) {
  return (
    <Section title={t`Security Settings`}>
      <SettingSwitch
        form={form}
        field="vpnBlock"
        consequence={t`Saved, but not enforced yet: this version has no VPN address lists`}
      />
      <SettingSwitch form={form} field="hwidLock" consequence={t`One machine per user until you reset it`}>
        <NumberField
          layout="row"
          name="minimumHwidLength"
          label={settingsLabels().minimumHwidLength}
          help={t`1 to 64`}
          min={hwidLengthRange.min}
          max={hwidLengthRange.max}
          value={form.values.minimumHwidLength}
          error={translatedText(form.problems.minimumHwidLength)}
          onChange={(value) => form.set('minimumHwidLength', value)}
        />
      </SettingSwitch>
      <SettingSwitch form={form} field="hashCheck" consequence={t`Refuse a program whose file has changed`}>
        <SettingText form={form} field="hashToCheck" help={t`SHA-256 of the released file`} required mono />
      </SettingSwitch>
    </Section>
  )
}
