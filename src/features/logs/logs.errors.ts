import { selectionErrors } from '#contract/bulk.ts'

export const logsErrors = {
  LOG_NOT_FOUND: { status: 404, message: 'Log not found' },
  NO_LOGS_SELECTED: { status: 400, message: 'No logs selected' },
  ...selectionErrors,
  LOG_RETENTION_INVALID: { status: 400, message: 'Logs are stored for {min} to {max} days' },
  LOG_MESSAGE_REQUIRED: { status: 400, message: 'A log message is required' },
  LOG_MESSAGE_TOO_LONG: { status: 400, message: 'A log message can have at most {max} characters' },
} as const
