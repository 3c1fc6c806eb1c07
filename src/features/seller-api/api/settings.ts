import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import { updateApp } from '#features/apps/apps.actions.ts'
import { type App, findOwnApp } from '#features/apps/apps.reads.ts'
import { appFields } from '#features/apps/apps.reply.ts'
import { type Endpoint, endpoint } from '#server/http/endpoint.ts'
import { sellerSettingsContract as contract } from '../seller-settings.contract.ts'

export const settingsCalls: readonly Endpoint[] = [
  endpoint(contract.getSettings, {
    read: async ({ services: { db }, app }) => {
      const found = await findOwnApp(db.read, app.ownerId, app.id)
      return { settings: settingsReply(found ?? reject(commonErrors, 'APP_NOT_FOUND')) }
    },
  }),
  endpoint(contract.updateSettings, {
    write: async (tx, context) => {
      const { before, ...settings } = context.body
      const updated = await updateApp(tx, context, { settings, before })
      return { code: 'APP_UPDATE_OK', settings: settingsReply(updated) }
    },
  }),
]

function settingsReply(app: App) {
  const { appName: _name, description: _description, discordWebhookLink: _link, ...settings } = appFields(app)
  return settings
}
