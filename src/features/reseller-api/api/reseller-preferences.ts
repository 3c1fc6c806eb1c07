import { preferenceEndpoints } from '#features/preferences/preferences.endpoints.ts'
import { resellerKind } from '#features/resellers/reseller-kind.ts'
import { resellerPreferencesContract } from '../reseller-api.contract.ts'

export const { readPreferences, saveDensity, saveColumns, listViews, createView, updateView, deleteView } =
  preferenceEndpoints(resellerPreferencesContract, resellerKind)
