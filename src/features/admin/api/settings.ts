import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { saveSettings } from '../admin-settings.actions.ts'
import { adminSettingsContract as contract } from '../admin-settings.contract.ts'

export const settingsCalls: readonly Endpoint[] = [
  endpoint(contract.getSettings, {
    read: async ({ services }) => {
      const { platform, email, api, security } = await services.settings.current()
      const { smtpPasswordSealed, ...shown } = email
      return { settings: { platform, email: { ...shown, hasPassword: smtpPasswordSealed !== '' }, api, security } }
    },
  }),
  endpoint(contract.savePlatformSettings, {
    write: async (tx, context) => {
      await saveSettings(tx, context, 'platform', context.body)
      return { code: 'PLATFORM_SETTINGS_OK' }
    },
  }),
  endpoint(contract.saveEmailSettings, {
    write: async (tx, context) => {
      await saveSettings(tx, context, 'email', context.body)
      return { code: 'EMAIL_SETTINGS_OK' }
    },
  }),
  endpoint(contract.saveApiSettings, {
    write: async (tx, context) => {
      await saveSettings(tx, context, 'api', context.body)
      return { code: 'API_SETTINGS_OK' }
    },
  }),
  endpoint(contract.saveSecuritySettings, {
    write: async (tx, context) => {
      await saveSettings(tx, context, 'security', context.body)
      return { code: 'SECURITY_SETTINGS_OK' }
    },
  }),
]
