import { selectionErrors } from '#contract/bulk.ts'

/** Errors of calls on program sessions. */
export const programSessionsErrors = {
  SESSION_NOT_FOUND: { status: 404, message: 'Session not found' },
  NO_SESSIONS_SELECTED: { status: 400, message: 'No sessions selected' },
  ...selectionErrors,
} as const
