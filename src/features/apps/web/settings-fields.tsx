import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { SwitchRow } from '#web/ui/switch-row.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { SettingsField, SettingsForm } from './settings-form.ts'
import type { SettingsState } from './use-settings-form.ts'

export function settingsLabels(): Record<SettingsField, string> {
  return {
    appName: t`App name`,
    version: t`App version`,
    description: t`Description`,
    appStatus: t`App status`,
    vpnBlock: t`VPN block`,
    hwidLock: t`HWID lock`,
    minimumHwidLength: t`Minimum HWID length`,
    hashCheck: t`Hash check`,
    hashToCheck: t`Hash to check`,
    autoUpdateDownloadLink: t`Auto update link`,
    webloaderDownloadLink: t`Webloader link`,
    discordWebhookLink: t`Chat webhook link`,
    sessionExpiryDuration: t`Session expiry`,
    oneSessionPerCredential: t`One session per credential`,
  }
}

/** Label, value and error of a setting. */
const settingProps = <F extends SettingsField>(form: SettingsState, field: F) => ({
  label: settingsLabels()[field],
  ...form.field(field),
})

/** The same for a field in a row. */
export const fieldProps = <F extends SettingsField>(form: SettingsState, field: F) => ({
  ...settingProps(form, field),
  layout: 'row' as const,
})

type FieldsOf<T> = { [F in SettingsField]: SettingsForm[F] extends T ? F : never }[SettingsField]

interface SettingProps<F extends SettingsField> {
  form: SettingsState
  field: F
}

interface SettingTextProps extends SettingProps<FieldsOf<string>> {
  help?: ReactNode
  mono?: boolean
  short?: boolean
  required?: boolean
  type?: 'text' | 'url'
  placeholder?: string
}

export function SettingText({ form, field, ...rest }: SettingTextProps) {
  return <TextField autoComplete="off" spellCheck={false} {...rest} {...fieldProps(form, field)} />
}

interface SettingSwitchProps extends SettingProps<FieldsOf<boolean>> {
  consequence: ReactNode
  children?: ReactNode
}

export function SettingSwitch({ form, field, consequence, children }: SettingSwitchProps) {
  const { value, error: _, ...setting } = settingProps(form, field)
  return (
    <SwitchRow {...setting} consequence={consequence} checked={value}>
      {children}
    </SwitchRow>
  )
}
