import { bulkErrors } from '#contract/bulk.ts'
import { entitlementsErrors } from '#features/entitlements/entitlements.errors.ts'
import { levelsErrors } from '#features/levels/levels.errors.ts'

const { SUBSCRIPTION_REQUIRED, DURATION_REQUIRED, DURATION_TOO_LONG, TIME_UNIT_REQUIRED } = entitlementsErrors

export const licensesErrors = {
  ...bulkErrors,
  SUBSCRIPTION_NOT_FOUND: levelsErrors.SUBSCRIPTION_NOT_FOUND,
  LICENSE_NOT_FOUND: { status: 404, message: 'License not found' },
  NO_LICENSES_SELECTED: { status: 400, message: 'No licenses selected' },
  LICENSE_LIMIT_REACHED: {
    status: 403,
    message: 'Your plan allows {limit, plural, one {# license} other {# licenses}} per app',
  },
  OWNER_LICENSE_LIMIT_REACHED: {
    status: 403,
    message:
      "Your administrator's plan allows {limit, plural, one {# license} other {# licenses}} per app. Ask your administrator to change it.",
  },
  LICENSE_NEVER_ENDS: { status: 409, message: "You can't add time to a lifetime license" },
  KEYS_EXHAUSTED: { status: 409, message: 'This mask has no unused keys left. Use a longer one.' },
  LEVEL_TAKEN_BY_USER: { status: 409, message: 'The user already has this subscription' },
  AMOUNT_INVALID: { status: 400, message: 'Please enter a valid amount' },
  MASK_REQUIRED: { status: 400, message: 'Please enter a license mask' },
  MASK_TOO_LONG: { status: 400, message: 'The license mask can have at most {max} characters' },
  MASK_CHARACTERS: {
    status: 400,
    message: 'The license mask can only contain visible characters without spaces',
  },
  MASK_GUESSABLE: { status: 400, message: 'Keys from this mask could be guessed: use at least {min} # characters' },
  SUBSCRIPTION_REQUIRED,
  DURATION_REQUIRED,
  DURATION_TOO_LONG,
  TIME_UNIT_REQUIRED,
} as const

/** Errors of restoring deleted licenses. */
export const deletedLicenseErrors = {
  LICENSE_TAKEN: {
    status: 409,
    message: 'A license with this key already exists. Uppercase and lowercase count as the same.',
  },
} as const
