import { accountKind } from '#features/accounts/account-kind.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { saveFollowLogs as save } from '../preferences.actions.ts'
import { preferencesContract } from '../preferences.contract.ts'
import { preferenceEndpoints } from '../preferences.endpoints.ts'

export const { readPreferences, saveDensity, saveColumns, listViews, createView, updateView, deleteView } =
  preferenceEndpoints(preferencesContract, accountKind)

/** Resellers have no log. */
export const saveFollowLogs = endpoint(preferencesContract.saveFollowLogs, {
  write: async (tx, { actor, now, body }) => {
    await save(tx, { kind: accountKind, actor, now }, body.followLogs)
    return {}
  },
})
