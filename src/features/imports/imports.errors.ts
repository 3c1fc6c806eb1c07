import { bulkErrors } from '#contract/bulk.ts'
import { entitlementsErrors } from '#features/entitlements/entitlements.errors.ts'
import { levelsErrors } from '#features/levels/levels.errors.ts'
import { deletedLicenseErrors, licensesErrors } from '#features/licenses/licenses.errors.ts'
import { userFormErrors } from '#features/users/users.errors.ts'

export const importsErrors = {
  ...levelsErrors,
  UNDO_NOT_FOUND: bulkErrors.UNDO_NOT_FOUND,
  IMPORT_NOT_FOUND: { status: 404, message: 'Import not found' },
  IMPORT_UNDONE: { status: 409, message: 'This import was undone' },
  IMPORT_BATCH_ORDER: { status: 409, message: 'This import continues with batch {next}' },
  IMPORT_BATCH_CHANGED: { status: 409, message: 'This batch was already imported with other rows' },
  IMPORT_ROWS_EXCEEDED: { status: 400, message: 'This import has only {total} rows' },
} as const

/** Why a row is skipped. Replies carry the code and the text. */
export const rowErrors = {
  SUBSCRIPTION_NOT_FOUND: levelsErrors.SUBSCRIPTION_NOT_FOUND,
  USERNAME_REQUIRED: userFormErrors.USERNAME_REQUIRED,
  USERNAME_INVALID: userFormErrors.USERNAME_INVALID,
  USERNAME_TAKEN: userFormErrors.USERNAME_TAKEN,
  EMAIL_INVALID: userFormErrors.EMAIL_INVALID,
  HWID_TOO_SHORT: userFormErrors.HWID_TOO_SHORT,
  USER_LIMIT_REACHED: userFormErrors.USER_LIMIT_REACHED,
  LICENSE_LIMIT_REACHED: licensesErrors.LICENSE_LIMIT_REACHED,
  LICENSE_TAKEN: deletedLicenseErrors.LICENSE_TAKEN,
  DURATION_TOO_LONG: entitlementsErrors.DURATION_TOO_LONG,
  ROW_DUPLICATE: {
    status: 409,
    message: 'The file has this key or username more than once. Uppercase and lowercase count as the same.',
  },
  LEVEL_UNASSIGNED: { status: 400, message: 'No subscription is assigned to the level “{level}”' },
  KEY_REQUIRED: { status: 400, message: 'The license key is missing' },
  KEY_INVALID: { status: 400, message: 'A license key has 1 to {max} visible ASCII characters without spaces' },
  IMPORTED_DURATION_INVALID: {
    status: 400,
    message: '“{value}” is not a duration: use a whole number, or 0 for a lifetime',
  },
  EXPIRY_INVALID: {
    status: 400,
    message: '“{value}” is not an expiry: use a date such as 2027-01-31, a Unix time, or lifetime',
  },
  STATUS_UNKNOWN: { status: 400, message: '“{value}” is not a status: use unused, used, or banned' },
  BANNED_UNKNOWN: { status: 400, message: '“{value}” does not say whether the user is banned: use yes or no' },
  ROW_REDEEMED: { status: 409, message: 'The license is redeemed. Import its user instead.' },
  NOTES_INVALID: { status: 400, message: 'Notes have at most {max} visible characters' },
  HASH_UNSUPPORTED: {
    status: 400,
    message: 'Only bcrypt hashes ($2a$, $2b$, $2y$) with a cost of at most {max} can be imported',
  },
  SUBSCRIPTIONS_TOO_MANY: { status: 400, message: 'A user can have at most {max} subscriptions' },
  HWID_TOO_LONG: { status: 400, message: 'The HWID has more than {max} characters' },
} as const

export type RowErrorCode = keyof typeof rowErrors
