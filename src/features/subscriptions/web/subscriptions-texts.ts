import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import type { subscriptionsContract } from '../subscriptions.contract.ts'

/** What the calls on subscriptions answer, by code. */
export const subscriptionsTexts: Record<keyof CodesOf<typeof subscriptionsContract>, MessageDescriptor> = {
  SUBSCRIPTION_NAME_REQUIRED: msg`Name is required`,
  SUBSCRIPTION_NAME_CHARACTERS: msg`Subscription name can only contain visible characters`,
  SUBSCRIPTION_LEVEL_TAKEN: msg`A subscription with this level already exists`,
  SUBSCRIPTION_NOT_FOUND: msg`Subscription not found`,
  SUBSCRIPTION_IN_USE: msg({
    message:
      'This subscription is held by {licenses, plural, one {# license} other {# licenses}} and {users, plural, one {# user} other {# users}}',
  }),
  NO_SUBSCRIPTIONS_SELECTED: msg`No subscriptions selected`,

  SUBSCRIPTION_CREATE_OK: msg`Subscription created successfully`,
  SUBSCRIPTION_UPDATE_OK: msg`Subscription updated successfully`,
  SUBSCRIPTION_ACTIVATE_OK: msg`Subscription activated successfully`,
  SUBSCRIPTION_PAUSE_OK: msg`Subscription paused successfully`,
  SUBSCRIPTION_DELETE_OK: msg`Subscription deleted successfully`,
  SUBSCRIPTIONS_DELETE_OK: msg({ message: '{deleted} deleted, {failed} failed' }),
}
