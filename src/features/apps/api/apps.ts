import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { reject } from '#contract/errors.ts'
import type { Reader } from '#database/database.ts'
import { selectAppOfSession } from '#features/accounts/accounts.actions.ts'
import { countActiveSessions } from '#features/session-store/session-store.reads.ts'
import { endpoint, type Endpoint } from '#server/http/endpoint.ts'
import { createApp, deleteApp, updateApp } from '../apps.actions.ts'
import { appsContract as contract } from '../apps.contract.ts'
import { appsErrors } from '../apps.errors.ts'
import { purgeDeletedApps } from '../apps.purge.ts'
import { type App, findOwnApp, findOwnAppByName, findSelectedApp, listOwnApps } from '../apps.reads.ts'
import { appReply } from '../apps.reply.ts'

export const appCalls: readonly Endpoint[] = [
  endpoint(contract.listApps, {
    read: async ({ services: { db }, actor, now }) => {
      const apps = await listOwnApps(db.read, actor.id)
      const active = await countActiveSessions(
        db.reports,
        apps.map((app) => app.id),
        now,
      )
      return { apps: apps.map((app) => appReply(app, active.get(app.id) ?? 0)) }
    },
  }),
  endpoint(contract.activeApp, {
    read: async ({ services: { db }, actor, now }) => {
      const app = await findSelectedApp(db.read, actor)
      if (!app) return { app: null }
      const active = await countActiveSessions(db.reports, [app.id], now)
      return { app: appReply(app, active.get(app.id) ?? 0) }
    },
  }),
  endpoint(contract.selectApp, {
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
  }),
  endpoint(contract.createApp, {
    write: async (tx, context) => {
      const app = await createApp(tx, context, context.body)
      return { code: 'APP_CREATE_OK', app: appReply(app, 0), appId: app.id, appName: app.name }
    },
  }),
  endpoint(contract.updateApp, {
    // Counted before the transaction, so that other transactions do not wait for it.
    prepare: async ({ services: { db }, app, now }) =>
      (await countActiveSessions(db.reports, [app.id], now)).get(app.id) ?? 0,
    write: async (tx, context, active) => {
      const { appId: _, ...form } = context.body
      return { code: 'APP_UPDATE_OK', app: appReply(await updateApp(tx, context, form), active) }
    },
  }),
  endpoint(contract.deleteApp, {
    write: async (tx, context) => {
      await deleteApp(tx, context)
      tx.afterCommit(() => void purgeDeletedApps(context.services))
      return { code: 'APP_DELETE_OK' }
    },
  }),
  endpoint(contract.ipDataStatus, {
    read: async ({ services: { ipData } }) => {
      const { country, vpn } = ipData.status()
      return { country, vpn }
    },
  }),
  /** Behind a proxy, the proxy has the certificate: this call fails and the snippet uses 'auto'. */
  endpoint(contract.sslSha256, {
    read: async ({ services: { config } }) => {
      if (!config.tls) return { code: 'TLS_NOT_SERVED', success: false }
      const certificate = new X509Certificate(await readFile(config.tls.certFile))
      return { sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase() }
    },
  }),
]

async function findChosen(db: Reader, ownerId: string, chosen: { appId?: string; appName?: string }): Promise<App> {
  const { appId, appName = '' } = chosen
  const app = await (appId !== undefined ? findOwnApp(db, ownerId, appId) : findOwnAppByName(db, ownerId, appName))
  return app ?? reject(appsErrors, 'APP_NOT_FOUND')
}
