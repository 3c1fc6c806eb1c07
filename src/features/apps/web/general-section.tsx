import { t } from '@lingui/core/macro'
import { Section } from '#web/ui/section.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { translatedText } from './app-texts.ts'
import { SettingSwitch, SettingText, settingsLabels } from './settings-fields.tsx'
import type { SettingsState } from './use-settings-form.ts'

export function GeneralSection({ form }: { form: SettingsState }) {
  return (
    <Section title={t`General Settings`}>
      <SettingText form={form} field="appName" required />
      <SettingText form={form} field="version" help={t`Any other version gets the update link`} required mono short />
      <SettingSwitch form={form} field="appStatus" consequence={t`Off: every program is refused`} />
      <TextArea
        layout="row"
        rows={2}
        name="description"
        label={settingsLabels().description}
        help={t`Only you see it`}
        value={form.values.description}
        error={translatedText(form.problems.description)}
        onChange={(event) => form.set('description', event.target.value)}
      />
    </Section>
  )
}
