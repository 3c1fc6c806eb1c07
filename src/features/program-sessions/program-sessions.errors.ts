import { selectionErrors } from '#contract/bulk.ts'

export const programSessionsErrors = {
  SESSION_NOT_FOUND: { status: 404, message: 'Session not found' },
  NO_SESSIONS_SELECTED: { status: 400, message: 'No sessions selected' },
  ...selectionErrors,
} as const
