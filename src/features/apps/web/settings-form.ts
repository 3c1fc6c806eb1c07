import type { CallInput } from '#web/call-types.ts'
import type { App } from '#web/session.ts'
import {
  appNameProblem,
  descriptionProblem,
  hashProblem,
  hwidLengthRange,
  linkProblem,
  sessionExpiryRange,
  versionProblem,
} from '../apps.rules.ts'

/** Everything App Settings edits, in the order of the screen. A number is `undefined` while its field is empty. */
export interface SettingsForm {
  appName: string
  version: string
  description: string
  appStatus: boolean
  vpnBlock: boolean
  hwidLock: boolean
  minimumHwidLength: number | undefined
  hashCheck: boolean
  hashToCheck: string
  autoUpdateDownloadLink: string
  webloaderDownloadLink: string
  discordWebhookLink: string
  sessionExpiryDuration: number | undefined
  oneSessionPerCredential: boolean
}

export type SettingsField = keyof SettingsForm
export type SettingsEdits = Partial<SettingsForm>
export type SettingsProblems = Partial<Record<SettingsField, string>>

export function savedSettings({ appName, version, description, settings }: App): SettingsForm {
  return {
    appName,
    version,
    description,
    appStatus: settings.appStatus,
    vpnBlock: settings.vpnBlock,
    hwidLock: settings.hwidLock,
    minimumHwidLength: settings.minimumHwidLength,
    hashCheck: settings.hashCheck,
    hashToCheck: settings.hashToCheck,
    autoUpdateDownloadLink: settings.autoUpdateDownloadLink,
    webloaderDownloadLink: settings.webloaderDownloadLink,
    discordWebhookLink: settings.discordWebhookLink,
    sessionExpiryDuration: settings.sessionExpiryDuration,
    oneSessionPerCredential: settings.oneSessionPerCredential,
  }
}

/** A field whose switch is off can't be seen, so what was typed into it before neither counts nor blocks a save. */
function isHidden(field: SettingsField, form: SettingsForm): boolean {
  return (field === 'minimumHwidLength' && !form.hwidLock) || (field === 'hashToCheck' && !form.hashCheck)
}

/** Fields whose value differs from the saved one, in the order of the screen. */
export function changedFields(saved: SettingsForm, edits: SettingsEdits): SettingsField[] {
  const form = { ...saved, ...edits }
  const fields = Object.keys(saved) as SettingsField[]
  return fields.filter((field) => form[field] !== saved[field] && !isHidden(field, form))
}

function rangeProblem(value: number | undefined, name: string, { min, max }: { min: number; max: number }) {
  const fits = value !== undefined && Number.isInteger(value) && value >= min && value <= max
  return fits ? undefined : `${name} must be between ${min} and ${max}`
}

export function settingsProblems(form: SettingsForm): SettingsProblems {
  const problems: SettingsProblems = {
    appName: appNameProblem(form.appName),
    version: versionProblem(form.version),
    description: descriptionProblem(form.description),
    minimumHwidLength: rangeProblem(form.minimumHwidLength, 'Minimum HWID length', hwidLengthRange),
    hashToCheck: hashProblem(form.hashToCheck.trim(), form.hashCheck),
    autoUpdateDownloadLink: linkProblem(form.autoUpdateDownloadLink.trim(), 'Auto update link'),
    webloaderDownloadLink: linkProblem(form.webloaderDownloadLink.trim(), 'Webloader link'),
    discordWebhookLink: linkProblem(form.discordWebhookLink.trim(), 'Chat webhook link', { httpsOnly: true }),
    sessionExpiryDuration: rangeProblem(form.sessionExpiryDuration, 'Session expiry', sessionExpiryRange),
  }
  const found = Object.entries(problems).filter(([field, text]) => text && !isHidden(field as SettingsField, form))
  return Object.fromEntries(found)
}

/**
 * What Save sends: numbers as integers, and the two obfuscation keys exchanged between their fields (part 1 §7,
 * conflicts C52). The server doesn't read them.
 */
export function settingsBody(app: App, edits: SettingsEdits): CallInput<'POST /update_app'>['body'] {
  const saved = savedSettings(app)
  const { appName, version, description, ...form } = { ...saved, ...edits }
  const visible = { ...form, appName, version, description }
  const numberOf = (field: 'minimumHwidLength' | 'sessionExpiryDuration') =>
    Math.trunc((isHidden(field, visible) ? undefined : form[field]) ?? Number(saved[field]))
  return {
    appId: app.appId,
    appName,
    version,
    description,
    settings: {
      ...form,
      minimumHwidLength: numberOf('minimumHwidLength'),
      sessionExpiryDuration: numberOf('sessionExpiryDuration'),
      hashToCheck: isHidden('hashToCheck', visible) ? saved.hashToCheck : form.hashToCheck,
      clientObfuscationKey: app.settings.serverObfuscationKey,
      serverObfuscationKey: app.settings.clientObfuscationKey,
    },
  }
}
