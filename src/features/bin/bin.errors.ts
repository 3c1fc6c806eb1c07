import { commonErrors } from '#contract/common-errors.ts'
import { bulkErrors } from '#contract/bulk.ts'
import { creditsErrors } from '#features/credits/credits.errors.ts'
import { downloadsErrors } from '#features/downloads/downloads.errors.ts'
import { levelsErrors } from '#features/levels/levels.errors.ts'
import { deletedLicenseErrors, licensesErrors } from '#features/licenses/licenses.errors.ts'
import { userFormErrors } from '#features/users/users.errors.ts'
import { variablesErrors } from '#features/variables/variables.errors.ts'
import { webhooksErrors } from '#features/webhooks/webhooks.errors.ts'

/** Errors of calls on deleted things. */
export const binErrors = {
  BIN_ITEM_NOT_FOUND: { status: 404, message: 'This is no longer in the list of deleted items' },
  BIN_ITEM_UNSUPPORTED: {
    status: 409,
    message: 'Only the newer version of the server knows this item. Try again after the upgrade.',
  },
  NO_BIN_ITEMS_SELECTED: { status: 400, message: 'No items selected' },
  UNDO_NOT_FOUND: bulkErrors.UNDO_NOT_FOUND,
} as const

/** Errors of restoring. */
export const restoreErrors = {
  ...binErrors,
  PLAN_FEATURE_MISSING: commonErrors.PLAN_FEATURE_MISSING,
  ...deletedLicenseErrors,
  LICENSE_LIMIT_REACHED: licensesErrors.LICENSE_LIMIT_REACHED,
  LEVEL_TAKEN_BY_USER: licensesErrors.LEVEL_TAKEN_BY_USER,
  SUBSCRIPTION_NOT_FOUND: licensesErrors.SUBSCRIPTION_NOT_FOUND,
  SUBSCRIPTION_LEVEL_TAKEN: levelsErrors.SUBSCRIPTION_LEVEL_TAKEN,
  CREDITS_MISSING: creditsErrors.CREDITS_MISSING,
  CREDITS_CLOSED: creditsErrors.CREDITS_CLOSED,
  USERNAME_TAKEN: userFormErrors.USERNAME_TAKEN,
  USER_LIMIT_REACHED: userFormErrors.USER_LIMIT_REACHED,
  VARIABLE_EXISTS: variablesErrors.VARIABLE_EXISTS,
  APP_VARIABLE_LIMIT_REACHED: variablesErrors.APP_VARIABLE_LIMIT_REACHED,
  DOWNLOAD_NAME_TAKEN: downloadsErrors.DOWNLOAD_NAME_TAKEN,
  DOWNLOAD_LIMIT_REACHED: downloadsErrors.DOWNLOAD_LIMIT_REACHED,
  STORAGE_LIMIT_REACHED: downloadsErrors.STORAGE_LIMIT_REACHED,
  WEBHOOK_LIMIT_REACHED: webhooksErrors.WEBHOOK_LIMIT_REACHED,
} as const
