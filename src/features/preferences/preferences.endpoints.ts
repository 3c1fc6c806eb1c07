import type { SignInKind } from '#features/accounts/sign-in-kinds.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { createView, deleteView, preferencesOf, saveColumns, saveDensity, updateView } from './preferences.actions.ts'
import type { PreferencesContract } from './preferences.contract.ts'
import { listPreferences, listViews } from './preferences.reads.ts'
import { preferencesReply, viewReply } from './preferences.reply.ts'

/** The calls on preferences and saved views for one kind of account. */
export const preferenceEndpoints = (contract: PreferencesContract, kind: SignInKind) => ({
  readPreferences: endpoint(contract.readPreferences, {
    read: async ({ services: { db }, actor }) =>
      preferencesReply(await listPreferences(db.read, preferencesOf({ kind, actor }))),
  }),
  saveDensity: endpoint(contract.saveDensity, {
    write: async (tx, { actor, now, body }) => {
      await saveDensity(tx, { kind, actor, now }, body.density)
      return {}
    },
  }),
  saveColumns: endpoint(contract.saveColumns, {
    write: async (tx, { actor, now, body }) => {
      await saveColumns(tx, { kind, actor, now }, body)
      return {}
    },
  }),
  listViews: endpoint(contract.listViews, {
    read: async ({ services: { db }, actor, query }) => {
      const views = await listViews(db.read, preferencesOf({ kind, actor }), query.table)
      return { views: views.map(viewReply) }
    },
  }),
  createView: endpoint(contract.createView, {
    write: async (tx, { actor, now, body }) => {
      const view = await createView(tx, { kind, actor, now }, body)
      return { code: 'VIEW_CREATE_OK', view: viewReply(view) }
    },
  }),
  updateView: endpoint(contract.updateView, {
    write: async (tx, { actor, now, params, body }) => {
      const view = await updateView(tx, { kind, actor, now }, params.viewId, body)
      return { code: 'VIEW_UPDATE_OK', view: viewReply(view) }
    },
  }),
  deleteView: endpoint(contract.deleteView, {
    write: async (tx, { actor, now, params }) => {
      await deleteView(tx, { kind, actor, now }, params.viewId)
      return { code: 'VIEW_DELETE_OK' }
    },
  }),
})
