import { done } from '#contract/define-call.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { saveSettings } from '../admin-settings.actions.ts'
import { adminSettingsContract } from '../admin-settings.contract.ts'

const { savePlatformSettings, saveEmailSettings, saveApiSettings, saveSecuritySettings } = adminSettingsContract

export const savePlatform = endpoint(savePlatformSettings, {
  write: async (tx, context) => {
    await saveSettings(tx, context, 'platform', context.body)
    return done(savePlatformSettings, 'PLATFORM_SETTINGS_OK')
  },
})

export const saveEmail = endpoint(saveEmailSettings, {
  write: async (tx, context) => {
    await saveSettings(tx, context, 'email', context.body)
    return done(saveEmailSettings, 'EMAIL_SETTINGS_OK')
  },
})

export const saveApi = endpoint(saveApiSettings, {
  write: async (tx, context) => {
    await saveSettings(tx, context, 'api', context.body)
    return done(saveApiSettings, 'API_SETTINGS_OK')
  },
})

export const saveSecurity = endpoint(saveSecuritySettings, {
  write: async (tx, context) => {
    await saveSettings(tx, context, 'security', context.body)
    return done(saveSecuritySettings, 'SECURITY_SETTINGS_OK')
  },
})
