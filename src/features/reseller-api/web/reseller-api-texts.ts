import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import type { accountsContract } from '#features/accounts/accounts.contract.ts'
import type { licensesContract } from '#features/licenses/licenses.contract.ts'
import type { resellersContract } from '#features/resellers/resellers.contract.ts'
import type { usersContract } from '#features/users/users.contract.ts'
import type { resellerApiContract } from '../reseller-api.contract.ts'

type OtherCode = keyof CodesOf<typeof licensesContract & typeof resellersContract & typeof usersContract>

type OwnCode = Exclude<keyof CodesOf<typeof resellerApiContract>, OtherCode | keyof CodesOf<typeof accountsContract>>

/** What the calls of resellers answer, by code, besides what those of their owners do. */
export const resellerApiTexts: Record<OwnCode, MessageDescriptor> = {
  PLAN_REQUIRED: msg`Please select a plan duration`,
  PLAN_NOT_ALLOWED: msg`You are not allowed to sell this plan`,
  PLAN_WITHOUT_COST: msg`This plan is not for sale yet: your administrator has not set its cost`,
  LEVEL_NOT_ALLOWED: msg`You are not allowed to sell this subscription`,
  LEVEL_PAUSED: msg`This subscription is paused by your administrator and not for sale`,
  LICENSE_REDEEMED: msg`A redeemed license cannot be deleted`,
  LICENSE_IS_BANNED: msg`A banned license cannot be deleted`,
  RESELLER_SETUP_OK: msg`Account setup completed successfully!`,
  RESELLER_EMAIL_OK: msg`Your new email address is confirmed`,
  LICENSE_GENERATE_OK: msg`License generated successfully!`,
  HWID_RESET_OK: msg`HWID reset successfully`,
}
