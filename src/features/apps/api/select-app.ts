import { reject } from '#contract/errors.ts'
import { selectAppOfSession } from '#features/accounts/accounts.actions.ts'
import type { Reader } from '#database/database.ts'
import { countActiveSessions } from '#features/session-store/session-store.reads.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { appsContract } from '../apps.contract.ts'
import { type App, findOwnApp, findOwnAppByName } from '../apps.reads.ts'
import { appsErrors } from '../apps.errors.ts'
import { appReply } from '../apps.reply.ts'

export const selectApp = endpoint(appsContract.selectApp, {
  // Counted before the transaction, so that other transactions do not wait for it.
  prepare: async ({ services: { db }, actor, body, now }) => {
    const app = await findChosen(db.read, actor.id, body)
    return (await countActiveSessions(db.reports, [app.id], now)).get(app.id) ?? 0
  },
  write: async (tx, { actor, body }, active) => {
    const app = await findChosen(tx.db, actor.id, body)
    await selectAppOfSession(tx, actor.sessionHash, app.id)
    return { code: 'APP_SELECT_OK', values: { appName: app.name }, app: appReply(app, active) }
  },
})

async function findChosen(db: Reader, ownerId: string, chosen: { appId?: string; appName?: string }): Promise<App> {
  const { appId, appName = '' } = chosen
  const app = await (appId !== undefined ? findOwnApp(db, ownerId, appId) : findOwnAppByName(db, ownerId, appName))
  return app ?? reject(appsErrors, 'APP_NOT_FOUND')
}
