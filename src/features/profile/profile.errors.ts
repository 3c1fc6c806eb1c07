import { accountsErrors, displayNameErrors, emailErrors } from '#features/accounts/accounts.errors.ts'

export const profileErrors = {
  ...emailErrors,
  ...displayNameErrors,
  ACCOUNT_TAKEN: accountsErrors.ACCOUNT_TAKEN,
  USERNAME_FIXED: { status: 400, message: 'The username cannot be changed' },
  TIME_ZONE_UNKNOWN: { status: 400, message: 'This time zone does not exist' },
} as const
