import { t } from '@lingui/core/macro'
import { Section } from '#web/ui/section.tsx'
import { SettingText } from './settings-fields.tsx'
import type { SettingsState } from './use-settings-form.ts'

export function DownloadLinksSection({ form }: { form: SettingsState }) {
  return (
    <Section title={t`Download Links`}>
      <SettingText
        form={form}
        field="autoUpdateDownloadLink"
        type="url"
        placeholder="https://"
        help={t`Told to programs of another version`}
      />
      <SettingText
        form={form}
        field="webloaderDownloadLink"
        type="url"
        placeholder="https://"
        help={t`Kept here; programs are not told it yet`}
      />
    </Section>
  )
}
