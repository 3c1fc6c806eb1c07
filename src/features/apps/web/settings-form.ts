import type { Problem } from '#contract/errors.ts'
import type { Code } from '#contract/codes.ts'
import type { CallInput } from '#web/api/call-types.ts'
import { appVersion } from '#web/api/app-selection.ts'
import type { App } from '#web/session/session.ts'
import { nestedSettings } from './nested-settings.ts'
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

/** The fields of App Settings, in screen order. A number is `undefined` while its field is empty. */
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

export function savedSettings(app: App): SettingsForm {
  const { appName, description, settings } = app
  return {
    appName,
    version: appVersion(app),
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

/** Fields whose switch is off are hidden, so their values are ignored and do not block a save. */
export const hiddenSettings = ({ hwidLock, hashCheck }: SettingsForm): SettingsField[] => [
  ...(hwidLock ? [] : (['minimumHwidLength'] as const)),
  ...(hashCheck ? [] : (['hashToCheck'] as const)),
]

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
  const hidden: readonly string[] = hiddenSettings(form)
  return Object.fromEntries(Object.entries(problems).filter(([field, problem]) => problem && !hidden.includes(field)))
}

/**
 * Body of the request: the changed fields, their previous values, and the two obfuscation keys, swapped. The server
 * ignores the keys.
 */
export function settingsBody(
  app: App,
  { changes, before }: { changes: Partial<SettingsForm>; before: Partial<SettingsForm> },
): CallInput<'POST /update_app'>['body'] {
  const { settings, ...fields } = nestedSettings(changes)
  return {
    appId: app.appId,
    ...fields,
    settings: {
      ...settings,
      clientObfuscationKey: app.settings.serverObfuscationKey,
      serverObfuscationKey: app.settings.clientObfuscationKey,
    },
    before,
  }
}
