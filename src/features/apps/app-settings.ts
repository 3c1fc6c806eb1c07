import type { Updateable } from 'kysely'
import type { Static } from 'typebox'
import { refuse } from '#contract/refusals.ts'
import type { AppReply, appsContract } from './apps.contract.ts'
import type { App } from './apps.reads.ts'
import { appsRefusals } from './apps.refusals.ts'
import { hashProblem, hwidLengthRange, linkProblem, sessionExpiryRange, versionProblem } from './apps.rules.ts'
import type { AppsTable } from './apps.table.ts'

export type SettingsChange = NonNullable<Static<(typeof appsContract)['updateApp']['body']>['settings']>

/** Setting by setting, from the wire to its column; a setting that isn't sent stays as it is. */
export function settingColumns(settings: SettingsChange, app: App): Updateable<AppsTable> {
  const hashCheck = settings.hashCheck ?? app.hash_check === 1
  const hash = settings.hashToCheck?.trim().toLowerCase() ?? app.hash_to_check
  const problem =
    rangeProblem(settings.minimumHwidLength, 'Minimum HWID length', hwidLengthRange) ??
    rangeProblem(settings.sessionExpiryDuration, 'Session expiry', sessionExpiryRange) ??
    (settings.hashCheck !== undefined || settings.hashToCheck !== undefined
      ? hashProblem(hash, hashCheck)
      : undefined) ??
    linkProblem(settings.autoUpdateDownloadLink?.trim() ?? '', 'Auto update link') ??
    linkProblem(settings.webloaderDownloadLink?.trim() ?? '', 'Webloader link') ??
    linkProblem(settings.discordWebhookLink?.trim() ?? '', 'Chat webhook link', { httpsOnly: true }) ??
    (settings.version === undefined ? undefined : versionProblem(settings.version))
  if (problem) refuse(appsRefusals, 'APP_INVALID', { values: { problem } })
  // The two obfuscation keys arrive swapped and are read-only: they are not even looked at (conflicts C52).
  return withoutUndefined({
    app_status: asFlag(settings.appStatus),
    vpn_block: asFlag(settings.vpnBlock),
    hwid_lock: asFlag(settings.hwidLock),
    hash_check: asFlag(settings.hashCheck),
    one_session_per_credential: asFlag(settings.oneSessionPerCredential),
    minimum_hwid_length: asInteger(settings.minimumHwidLength),
    session_expiry_seconds: asInteger(settings.sessionExpiryDuration),
    hash_to_check: settings.hashToCheck === undefined ? undefined : hash,
    auto_update_link: settings.autoUpdateDownloadLink?.trim(),
    webloader_link: settings.webloaderDownloadLink?.trim(),
    discord_webhook_link: settings.discordWebhookLink?.trim(),
    version: settings.version,
  })
}

export function appReply(app: App, activeSessions: number): Static<typeof AppReply> {
  return {
    appId: app.id,
    appName: app.name,
    description: app.description,
    version: app.version,
    activeSessions,
    creationDate: app.created_at,
    lastInitAt: app.last_init_at,
    settings: {
      appStatus: app.app_status === 1,
      vpnBlock: app.vpn_block === 1,
      hwidLock: app.hwid_lock === 1,
      hashCheck: app.hash_check === 1,
      minimumHwidLength: app.minimum_hwid_length,
      hashToCheck: app.hash_to_check,
      autoUpdateDownloadLink: app.auto_update_link,
      webloaderDownloadLink: app.webloader_link,
      discordWebhookLink: app.discord_webhook_link,
      sessionExpiryDuration: app.session_expiry_seconds,
      oneSessionPerCredential: app.one_session_per_credential === 1,
      clientObfuscationKey: app.box_public_key,
      serverObfuscationKey: app.root_public_key,
      version: app.version,
    },
  }
}

const asFlag = (value: boolean | undefined) => (value === undefined ? undefined : value ? 1 : 0)
const asInteger = (value: number | string | undefined) => (value === undefined ? undefined : Number(value))

function rangeProblem(value: number | string | undefined, name: string, { min, max }: { min: number; max: number }) {
  if (value === undefined) return undefined
  const number = Number(value)
  return Number.isInteger(number) && number >= min && number <= max
    ? undefined
    : `${name} must be between ${min} and ${max}`
}

function withoutUndefined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
