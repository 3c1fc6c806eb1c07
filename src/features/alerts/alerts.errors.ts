export const alertsErrors = {
  ALERT_NOT_FOUND: { status: 404, message: 'Alert not found' },
  ALERT_NOT_NEW: { status: 409, message: 'This alert has already been reviewed or dismissed' },
  ALERT_IS_NEW: { status: 409, message: 'This alert is new' },
  ALERT_RAISED_AGAIN: { status: 409, message: 'The same activity was found again and has a new alert' },
  ALERT_THRESHOLD_INVALID: { status: 400, message: 'The threshold must be a whole number from {min} to {max}' },
  ALERT_WINDOW_INVALID: { status: 400, message: 'The time must be between {minutes} minute and {days} days' },
} as const
