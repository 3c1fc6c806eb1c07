import { accountsRefusals, displayNameRefusals, emailRefusals } from '#features/accounts/accounts.refusals.ts'

/** Every way a call of this feature is refused. */
export const profileRefusals = {
  ...emailRefusals,
  ...displayNameRefusals,
  ACCOUNT_TAKEN: accountsRefusals.ACCOUNT_TAKEN,
  USERNAME_FIXED: { status: 400, message: 'The username cannot be changed' },
  TIME_ZONE_UNKNOWN: { status: 400, message: 'There is no such time zone' },
} as const
