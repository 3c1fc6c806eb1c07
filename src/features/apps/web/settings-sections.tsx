import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { callQuery } from '#web/api/call-query.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { durationText } from '#web/time/time-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { NumberField } from '#web/ui/number-field.tsx'
import { Section } from '#web/ui/section.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { hwidLengthRange, sessionExpiryRange } from '../apps.rules.ts'
import { fieldProps, SettingSwitch, SettingText } from './settings-fields.tsx'
import type { SettingsState } from './use-settings-form.ts'

interface SectionProps {
  form: SettingsState
}

export function GeneralSection({ form }: SectionProps) {
  return (
    <Section anchor="general" title={t`General Settings`}>
      <SettingText form={form} field="appName" required />
      <SettingText form={form} field="version" help={t`Any other version gets the update link`} required mono short />
      <SettingSwitch form={form} field="appStatus" consequence={t`Off: all programs are rejected`} />
      <TextArea {...fieldProps(form, 'description')} rows={2} help={t`Only you see it`} />
    </Section>
  )
}

export function SecuritySection({ form }: SectionProps) {
  return (
    <Section anchor="security" title={t`Security Settings`}>
      <SettingSwitch
        form={form}
        field="vpnBlock"
        consequence={t`Reject programs that start over a VPN or from a data center`}
      >
        <VpnData />
      </SettingSwitch>
      <SettingSwitch form={form} field="hwidLock" consequence={t`One machine per user until you reset it`}>
        <NumberField {...fieldProps(form, 'minimumHwidLength')} help={t`1 to 64`} {...hwidLengthRange} />
      </SettingSwitch>
      <SettingSwitch form={form} field="hashCheck" consequence={t`Reject programs whose file has changed`}>
        <SettingText form={form} field="hashToCheck" help={t`SHA-256 of the released file`} required mono />
      </SettingSwitch>
    </Section>
  )
}

/** Warns if the switch has no effect. */
function VpnData() {
  const { data } = useQuery(callQuery(accountKey('ip-data'), 'GET /ip_data'))
  if (!data || data.vpn === 'present') return null
  return (
    <Notice>
      {data.vpn === 'absent'
        ? t`VPNs and data centers are not recognized on this server: it has no list of their networks.`
        : t`The server's list of VPN networks is older than 90 days.`}
    </Notice>
  )
}

const link = { type: 'url', placeholder: 'https://' } as const

export function DownloadLinksSection({ form }: SectionProps) {
  return (
    <Section anchor="links" title={t`Download Links`}>
      <SettingText form={form} field="autoUpdateDownloadLink" {...link} help={t`Sent to programs on another version`} />
      <SettingText form={form} field="webloaderDownloadLink" {...link} help={t`Sent to programs when they start`} />
    </Section>
  )
}

export function SessionsSection({ form }: SectionProps) {
  const seconds = form.values.sessionExpiryDuration
  return (
    <Section anchor="sessions" title={t`Integration and Sessions`}>
      <SettingText
        form={form}
        field="discordWebhookLink"
        {...link}
        help={t`Discord-compatible; choose the events in Webhooks → Chat messages`}
      />
      <NumberField
        {...fieldProps(form, 'sessionExpiryDuration')}
        help={t`Minimum: 300 seconds`}
        {...sessionExpiryRange}
        suffix={seconds !== undefined && seconds > 0 ? durationText(seconds) : undefined}
      />
      <SettingSwitch
        form={form}
        field="oneSessionPerCredential"
        consequence={t`A new sign-in ends the previous session`}
      />
    </Section>
  )
}

export function DangerSection({ onDelete }: { onDelete: () => void }) {
  return (
    <Section anchor="danger" title={t`Danger Zone`}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-md text-ui text-text-2">
          {t`Deleting the app deletes its licenses, users and settings, and every program that uses it is rejected from then on. This cannot be undone.`}
        </p>
        <Button variant="danger" icon={<Trash2 />} onClick={onDelete}>
          {t`Delete App`}
        </Button>
      </div>
    </Section>
  )
}
