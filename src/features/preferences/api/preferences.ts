import { accountKind } from '#features/accounts/account-kind.ts'
import { preferencesContract } from '../preferences.contract.ts'
import { preferenceEndpoints } from '../preferences.endpoints.ts'

export const { readPreferences, saveDensity, saveColumns, listViews, createView, updateView, deleteView } =
  preferenceEndpoints(preferencesContract, accountKind)
