import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import type { programSessionsContract } from '../program-sessions.contract.ts'

/** What the calls on programs' sessions answer, by code. */
export const programSessionsTexts: Record<keyof CodesOf<typeof programSessionsContract>, MessageDescriptor> = {
  SESSION_NOT_FOUND: msg`Session not found`,
  NO_SESSIONS_SELECTED: msg`No sessions selected`,

  SESSION_DELETE_OK: msg`Session deleted successfully`,
  // The specified text: "Deleted N sessions successfully".
  SESSIONS_DELETE_OK: msg({
    message: '{deleted, plural, one {Deleted # session successfully} other {Deleted # sessions successfully}}',
  }),
  SESSIONS_DELETE_ALL_OK: msg`All sessions deleted successfully`,
}
