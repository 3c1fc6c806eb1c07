import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { FieldConflict, valueText } from '#web/form/field-conflict.tsx'
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

/** Name and label of a setting, and that somebody else changed it meanwhile. */
function settingProps(form: SettingsState, field: SettingsField) {
  const theirs = form.theirsOf(field)
  return {
    name: field,
    label: settingsLabels()[field],
    notice: theirs && (
      <FieldConflict
        theirs={valueText(theirs.value)}
        yours={valueText(form.values[field])}
        onTake={() => form.take(field)}
        onKeep={() => form.keep(field)}
      />
    ),
  }
}

/** The same of a field that something can be wrong with, in a row. */
export const fieldProps = (form: SettingsState, field: SettingsField) => ({
  ...settingProps(form, field),
  layout: 'row' as const,
  error: form.problemOf(field),
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
  return (
    <TextField
      autoComplete="off"
      spellCheck={false}
      {...rest}
      {...fieldProps(form, field)}
      value={form.values[field]}
      onChange={(event) => form.set(field, event.target.value)}
    />
  )
}

interface SettingSwitchProps extends SettingProps<FieldsOf<boolean>> {
  consequence: ReactNode
  children?: ReactNode
}

export function SettingSwitch({ form, field, consequence, children }: SettingSwitchProps) {
  return (
    <SwitchRow
      {...settingProps(form, field)}
      consequence={consequence}
      checked={form.values[field]}
      onChange={(checked) => form.set(field, checked)}
    >
      {children}
    </SwitchRow>
  )
}
