import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import { accountsTexts } from '#features/accounts/web/accounts-texts.ts'
import type { profileContract } from '../profile.contract.ts'

/** What the calls on the own account answer, by code. */
export const profileTexts: Record<keyof CodesOf<typeof profileContract>, MessageDescriptor> = {
  ...accountsTexts,
  USERNAME_FIXED: msg`The username cannot be changed`,
  TIME_ZONE_UNKNOWN: msg`There is no such time zone`,
  LAST_ADMIN: msg`The only administrator cannot be deleted`,
  PROFILE_UPDATE_OK: msg`Profile updated successfully`,
  ACCOUNT_DELETE_OK: msg`Account deleted successfully`,
}
