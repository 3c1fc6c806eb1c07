import { type ApiCall, apiCall } from '#web/api-call/api-call.ts'
import type { App } from '#web/session/session.ts'
import type { SettingsForm } from './settings-form.ts'

/** The call that stores the changes. The link of a chat is a secret. */
export function settingsCall({ appId }: App, changes: Partial<SettingsForm>): ApiCall {
  const { appName, version, description, ...settings } = changes
  const body = { appId, appName, version, description, settings }
  return apiCall('POST /update_app', { appId, body }, { discordWebhookLink: 'SIGNET_CHAT_LINK' })
}
