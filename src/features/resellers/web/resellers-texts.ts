import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import type { accountsContract } from '#features/accounts/accounts.contract.ts'
import type { resellersContract } from '../resellers.contract.ts'

type OwnCode = Exclude<
  keyof CodesOf<typeof resellersContract>,
  keyof CodesOf<typeof accountsContract> | 'TWO_FACTOR_OFF_OK' | 'APP_NOT_FOUND' | 'RESET_LIMIT' | 'RESET_LINK_OK'
>

/** What the calls on resellers answer, by code. */
export const resellersTexts: Record<OwnCode, MessageDescriptor> = {
  CREDITS_INVALID: msg`Credits must be a whole number`,
  CREDITS_TOO_MANY: msg`A reseller can have at most {max} credits per app`,
  CREDITS_MISSING: msg`Not enough credits: {cost} needed, {balance} available`,
  CREDITS_CLOSED: msg`This app is not assigned to the reseller`,
  RESELLER_NOT_FOUND: msg`Reseller not found`,
  APP_ALREADY_ASSIGNED: msg`This app is already assigned to the reseller`,
  RESELLER_SET_UP_ALREADY: msg`This reseller has set up the account already`,
  SETUP_LINK_INVALID: msg`This set-up link is not valid any more`,
  EMAIL_LINK_INVALID: msg`This confirmation link is not valid any more`,
  PLAN_INVALID: msg`Please enter a valid duration`,
  LEVELS_UNKNOWN: msg`The app has no subscription with one of these levels`,
  DOMAIN_REQUIRED: msg`Domain is required`,
  DOMAIN_INVALID: msg`Please enter a valid domain`,
  DOMAIN_TAKEN: msg`This domain is used by another reseller`,
  DOMAIN_NOT_PROVED: msg`The TXT record was not found yet. A new record may take a while until it is seen everywhere.`,
  DOMAIN_PROOF_WRONG: msg`There is a TXT record, but with another value`,
  DNS_UNAVAILABLE: msg`The name servers of the domain do not answer. Try again later.`,
  DOMAIN_NOT_FOUND: msg`The reseller has no custom domain`,
  COLOR_INVALID: msg`Please enter a color such as #1bff00`,
  LOGO_URL_INVALID: msg`The logo URL must start with https://`,

  RESELLER_CREATE_OK: msg`Reseller created successfully!`,
  SETUP_LINK_OK: msg`A new setup link was created`,
  RESELLER_NOT_SET_UP: msg`This reseller has not set up the account yet`,
  RESELLER_BANNED: msg`The reseller is banned`,
  RESELLER_RESET_OK: msg`A link for a new password is on its way to the reseller`,
  RESELLER_UPDATE_OK: msg`Reseller updated successfully`,
  RESELLER_EMAIL_SENT: msg`A confirmation link was sent to the new address`,
  RESELLER_DELETE_OK: msg`Reseller deleted successfully`,
  RESELLER_BAN_OK: msg`Reseller banned successfully`,
  RESELLER_UNBAN_OK: msg`Reseller unbanned successfully`,
  APP_ASSIGN_OK: msg`App assigned successfully!`,
  APP_CONFIGURE_OK: msg`Configuration updated successfully`,
  APP_REMOVE_OK: msg`App removed successfully`,
  APP_REMOVE_DATA_OK: msg`App removed successfully (licenses and users also removed)`,
  CREDITS_OK: msg`Credits updated successfully`,
  DOMAIN_SAVE_OK: msg`Domain configuration saved successfully`,
  DOMAIN_PROVED_OK: msg`The domain is verified`,
  DOMAIN_DELETE_OK: msg`Domain deleted successfully`,
}
