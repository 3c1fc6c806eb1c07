import { commonErrors } from '#contract/common-errors.ts'
import { accountsErrors, startResetErrors } from '#features/accounts/accounts.errors.ts'
import { creditsErrors } from '#features/credits/credits.errors.ts'

export const resellersErrors = {
  ...accountsErrors,
  ...creditsErrors,
  ...startResetErrors,
  APP_NOT_FOUND: commonErrors.APP_NOT_FOUND,
  RESELLER_NOT_FOUND: { status: 404, message: 'Reseller not found' },
  APP_ALREADY_ASSIGNED: { status: 409, message: 'This app is already assigned to the reseller' },
  RESELLER_SET_UP_ALREADY: { status: 409, message: 'This reseller has already set up the account' },
  RESELLER_NOT_SET_UP: { status: 409, message: 'This reseller has not set up the account yet' },
  RESELLER_BANNED: { status: 409, message: 'The reseller is banned' },
  SETUP_LINK_INVALID: { status: 403, message: 'This setup link is no longer valid' },
  EMAIL_LINK_INVALID: { status: 403, message: 'This confirmation link is no longer valid' },
  PLAN_INVALID: { status: 400, message: 'Please enter a valid duration' },
  LEVELS_UNKNOWN: { status: 400, message: 'The app has no subscription with one of these levels' },
  DOMAIN_REQUIRED: { status: 400, message: 'Domain is required' },
  DOMAIN_INVALID: { status: 400, message: 'Please enter a valid domain' },
  DOMAIN_TAKEN: { status: 409, message: 'This domain is used by another reseller' },
  DOMAIN_NOT_PROVED: {
    status: 409,
    message: 'The TXT record was not found yet. A new record may take a while to become visible everywhere.',
  },
  DOMAIN_PROOF_WRONG: { status: 409, message: 'A TXT record exists, but its value is different' },
  DNS_UNAVAILABLE: { status: 503, message: "The domain's name servers are not responding. Try again later." },
  DOMAIN_NOT_FOUND: { status: 404, message: 'The reseller has no custom domain' },
  COLOR_INVALID: { status: 400, message: 'Please enter a color such as #1bff00' },
  LOGO_URL_INVALID: { status: 400, message: 'The logo URL must start with https://' },
} as const
