import { endpoint } from '#server/http/endpoint.ts'
import { saveSettings } from '../admin-settings.actions.ts'
import { adminSettingsContract } from '../admin-settings.contract.ts'

export const savePlatform = endpoint(adminSettingsContract.savePlatformSettings, {
  write: async (tx, context) => {
    await saveSettings(tx, context, 'platform', context.body)
    return { code: 'PLATFORM_SETTINGS_OK' }
  },
})

export const saveEmail = endpoint(adminSettingsContract.saveEmailSettings, {
  write: async (tx, context) => {
    await saveSettings(tx, context, 'email', context.body)
    return { code: 'EMAIL_SETTINGS_OK' }
  },
})

export const saveApi = endpoint(adminSettingsContract.saveApiSettings, {
  write: async (tx, context) => {
    await saveSettings(tx, context, 'api', context.body)
    return { code: 'API_SETTINGS_OK' }
  },
})

export const saveSecurity = endpoint(adminSettingsContract.saveSecuritySettings, {
  write: async (tx, context) => {
    await saveSettings(tx, context, 'security', context.body)
    return { code: 'SECURITY_SETTINGS_OK' }
  },
})
