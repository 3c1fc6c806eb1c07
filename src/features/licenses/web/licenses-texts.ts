import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import { bulkTexts } from '#web/texts/common-texts.ts'
import type { licensesContract } from '../licenses.contract.ts'

/** What the calls on licenses answer, by code. */
export const licensesTexts: Record<keyof CodesOf<typeof licensesContract>, MessageDescriptor> = {
  ...bulkTexts,
  SUBSCRIPTION_NOT_FOUND: msg`Subscription not found`,
  LICENSE_NOT_FOUND: msg`License not found`,
  NO_LICENSES_SELECTED: msg`No licenses selected`,
  OWNER_LICENSE_LIMIT_REACHED: msg({
    message:
      "Your administrator's plan allows {limit, plural, one {# license} other {# licenses}} per app. Ask your administrator to change it.",
  }),
  LICENSE_LIMIT_REACHED: msg({
    message: 'Your plan allows {limit, plural, one {# license} other {# licenses}} per app',
  }),
  LICENSE_NEVER_ENDS: msg`A lifetime license has no time to add to`,
  KEYS_EXHAUSTED: msg`This mask has no unused keys left. Use a longer one.`,
  LEVEL_TAKEN_BY_USER: msg`The user already has this subscription`,
  AMOUNT_INVALID: msg`Please enter a valid amount`,
  MASK_REQUIRED: msg`Please enter a license mask`,
  MASK_TOO_LONG: msg({ message: 'The license mask can have at most {max} characters' }),
  MASK_CHARACTERS: msg`The license mask can only contain visible characters without spaces`,
  MASK_GUESSABLE: msg({ message: 'Keys of this mask could be guessed: use at least {min} # characters' }),
  SUBSCRIPTION_REQUIRED: msg`Please select a subscription`,
  DURATION_REQUIRED: msg`Please enter a duration`,
  DURATION_TOO_LONG: msg`The duration can be at most 1000 years`,
  TIME_UNIT_REQUIRED: msg`Please choose a unit of time`,

  LICENSES_CREATE_OK: msg({
    message: '{count, plural, one {Created # license successfully} other {Created # licenses successfully}}',
  }),
  LICENSES_ADD_TIME_OK: msg({
    message: '{count, plural, one {Time added to # license} other {Time added to # licenses}}',
  }),
  LICENSES_DELETE_OK: msg({
    message: '{count, plural, one {Deleted # license successfully} other {Deleted # licenses successfully}}',
  }),
  LICENSE_DELETE_OK: msg`License deleted successfully`,
  LICENSE_UPDATE_OK: msg`License updated successfully`,
  LICENSE_BAN_OK: msg`License banned successfully`,
  LICENSE_UNBAN_OK: msg`License unbanned successfully`,
  LICENSES_BULK_OK: msg({ message: '{done} done, {failed} failed' }),
  LICENSES_UNDO_OK: msg({ message: '{restored} restored, {failed} changed since' }),
}
