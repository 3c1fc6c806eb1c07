import type { Problem } from '#contract/refusals.ts'
import type { Code } from '#contract/codes.ts'
import type { CallInput } from '#web/call-types.ts'
import { pickFields } from '#web/form/field-changes.ts'
import type { App } from '#web/session.ts'
import {
  appNameProblem,
  autoUpdateLinkProblem,
  descriptionProblem,
  hashProblem,
  minHwidLengthProblem,
  sessionExpiryProblem,
  versionProblem,
  webhookLinkProblem,
  webloaderLinkProblem,
} from '../apps.rules.ts'
import type { SettingsDraft } from './settings-drafts.ts'

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
export function changedSettings(saved: SettingsForm, { edits }: SettingsDraft): SettingsField[] {
  const form = { ...saved, ...edits }
  const fields = Object.keys(saved) as SettingsField[]
  return fields.filter((field) => form[field] !== saved[field] && !isHidden(field, form))
}

/** Changed fields in which somebody else saved another value since their editing began. */
export const conflictingSettings = (saved: SettingsForm, draft: SettingsDraft): SettingsField[] =>
  changedSettings(saved, draft).filter((field) => draft.before[field] !== saved[field])

export type SettingsProblems = Partial<Record<SettingsField, Problem<Code>>>

export function settingsProblems(form: SettingsForm): SettingsProblems {
  const problems = {
    appName: appNameProblem(form.appName),
    version: versionProblem(form.version),
    description: descriptionProblem(form.description),
    minimumHwidLength: minHwidLengthProblem(form.minimumHwidLength),
    hashToCheck: hashProblem(form.hashToCheck.trim(), form.hashCheck),
    autoUpdateDownloadLink: autoUpdateLinkProblem(form.autoUpdateDownloadLink.trim()),
    webloaderDownloadLink: webloaderLinkProblem(form.webloaderDownloadLink.trim()),
    discordWebhookLink: webhookLinkProblem(form.discordWebhookLink.trim()),
    sessionExpiryDuration: sessionExpiryProblem(form.sessionExpiryDuration),
  }
  const found = Object.entries(problems).filter(
    ([field, problem]) => problem && !isHidden(field as SettingsField, form),
  )
  return Object.fromEntries(found)
}

/**
 * What Save sends: the changed fields and what they were, and the two obfuscation keys exchanged between their fields
 * (part 1 §7, conflicts C52). The server doesn't read those.
 */
export function settingsBody(app: App, draft: SettingsDraft): CallInput<'POST /update_app'>['body'] {
  const fields = changedSettings(savedSettings(app), draft)
  const { appName, version, description, ...settings } = pickFields(draft.edits, fields)
  return {
    appId: app.appId,
    ...(appName !== undefined && { appName }),
    ...(version !== undefined && { version }),
    ...(description !== undefined && { description }),
    settings: {
      ...settings,
      clientObfuscationKey: app.settings.serverObfuscationKey,
      serverObfuscationKey: app.settings.clientObfuscationKey,
    },
    before: pickFields(draft.before, fields),
  }
}
