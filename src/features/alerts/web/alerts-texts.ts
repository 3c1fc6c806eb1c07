import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import type { alertsContract } from '../alerts.contract.ts'

/** What the calls on alerts answer, by code. */
export const alertsTexts: Record<keyof CodesOf<typeof alertsContract>, MessageDescriptor> = {
  ALERT_NOT_FOUND: msg`Alert not found`,
  ALERT_NOT_NEW: msg`This alert has already been reviewed or dismissed`,
  ALERT_IS_NEW: msg`This alert is new`,
  ALERT_RAISED_AGAIN: msg`The same was found again and has a new alert`,
  ALERT_THRESHOLD_INVALID: msg`The threshold must be a whole number from {min} to {max}`,
  ALERT_WINDOW_INVALID: msg`The time must be from {minutes} minute to {days} days`,

  DETECTION_OK: msg({
    message: 'Detection finished: {raised, plural, one {# new alert} other {# new alerts}}',
  }),
  DETECTION_NOTHING_NEW: msg`Detection finished: nothing new`,
  ALERT_REVIEW_OK: msg`Alert marked as reviewed`,
  ALERT_DISMISS_OK: msg`Alert dismissed`,
  ALERT_REOPEN_OK: msg`Alert is new again`,
  ALERTS_REVIEW_OK: msg({ message: '{done, plural, one {# alert} other {# alerts}} marked as reviewed' }),
  ALERTS_DISMISS_OK: msg({ message: '{done, plural, one {# alert} other {# alerts}} dismissed' }),
  ALERTS_REOPEN_OK: msg({ message: '{done, plural, one {# alert is} other {# alerts are}} new again' }),
  ALERT_THRESHOLD_OK: msg`Alert settings saved`,
}
