import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import type { logsContract } from '../logs.contract.ts'

/** What the calls on logs answer, by code. */
export const logsTexts: Record<keyof CodesOf<typeof logsContract>, MessageDescriptor> = {
  LOG_NOT_FOUND: msg`Log not found`,
  NO_LOGS_SELECTED: msg`No logs selected`,
  LOG_RETENTION_INVALID: msg({ message: 'Logs are stored for {min} to {max} days' }),
  LOG_MESSAGE_REQUIRED: msg`A log message is required`,
  LOG_MESSAGE_TOO_LONG: msg({ message: 'A log message can have at most {max} characters' }),

  LOG_DELETE_OK: msg`Log deleted successfully`,
  LOGS_DELETE_OK: msg({
    message: '{deleted, plural, one {Deleted # log successfully} other {Deleted # logs successfully}}',
  }),
  LOGS_DELETE_ALL_OK: msg`All logs deleted successfully`,
  LOG_RETENTION_OK: msg({
    message: '{days, plural, one {Logs are stored for # day} other {Logs are stored for # days}}',
  }),
}
