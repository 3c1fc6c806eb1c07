import { endpoint } from '#server/http/endpoint.ts'
import { adminSettingsContract } from '../admin-settings.contract.ts'

export const getSettings = endpoint(adminSettingsContract.getSettings, {
  read: async ({ services }) => {
    const { platform, email, api, security } = await services.settings.current()
    const { smtpPasswordSealed, ...shown } = email
    return { settings: { platform, email: { ...shown, hasPassword: smtpPasswordSealed !== '' }, api, security } }
  },
})
