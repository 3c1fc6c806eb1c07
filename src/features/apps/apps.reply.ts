import type { Static } from 'typebox'
import type { AppFields, AppReply } from './apps.contract.ts'
import type { App } from './apps.reads.ts'

/** The fields of an app its owner can change. */
export const appFields = (app: App): Static<typeof AppFields> => ({
  appName: app.name,
  version: app.version,
  description: app.description,
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
})

export function appReply(app: App, activeSessions: number): Static<typeof AppReply> {
  const { appName, description, ...settings } = appFields(app)
  return {
    appId: app.id,
    appName,
    description,
    version: app.version,
    activeSessions,
    creationDate: app.created_at,
    lastInitAt: app.last_init_at,
    settings: { ...settings, clientObfuscationKey: app.box_public_key, serverObfuscationKey: app.root_public_key },
  }
}
