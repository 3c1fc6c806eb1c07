import { bulkErrors } from '#contract/bulk.ts'
import { alertsErrors } from '#features/alerts/alerts.errors.ts'
import { downloadsErrors } from '#features/downloads/downloads.errors.ts'
import { levelsErrors } from '#features/levels/levels.errors.ts'
import { licensesErrors } from '#features/licenses/licenses.errors.ts'
import { sellerKeysErrors } from '#features/seller-keys/seller-keys.errors.ts'
import { namedUserErrors } from '#features/users/users.errors.ts'

export const auditErrors = {
  UNDO_NOT_FOUND: bulkErrors.UNDO_NOT_FOUND,
  AUDIT_ENTRY_NOT_FOUND: { status: 404, message: 'Audit entry not found' },
  ALREADY_UNDONE: { status: 409, message: 'This was already undone' },
} as const

/** Also the errors of the opposite actions. */
export const undoErrors = {
  UNDO_NOT_FOUND: auditErrors.UNDO_NOT_FOUND,
  ALREADY_UNDONE: auditErrors.ALREADY_UNDONE,
  LICENSE_NOT_FOUND: licensesErrors.LICENSE_NOT_FOUND,
  USER_NOT_FOUND: namedUserErrors.USER_NOT_FOUND,
  SUBSCRIPTION_NOT_FOUND: levelsErrors.SUBSCRIPTION_NOT_FOUND,
  SELLER_KEY_NOT_FOUND: sellerKeysErrors.SELLER_KEY_NOT_FOUND,
  DOWNLOAD_NOT_FOUND: downloadsErrors.DOWNLOAD_NOT_FOUND,
  ALERT_NOT_FOUND: alertsErrors.ALERT_NOT_FOUND,
  ALERT_RAISED_AGAIN: alertsErrors.ALERT_RAISED_AGAIN,
} as const
