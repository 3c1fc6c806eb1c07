import { ownerErrors } from '#features/accounts/accounts.errors.ts'
import { plansErrors } from '#features/plans/plans.errors.ts'

export const settingsErrors = {
  PLATFORM_NAME_REQUIRED: { status: 400, message: 'Platform name is required' },
  MAINTENANCE_MESSAGE_REQUIRED: { status: 400, message: 'Maintenance message is required' },
  SMTP_HOST_REQUIRED: { status: 400, message: 'SMTP host is required while email is enabled' },
  SMTP_PASSWORD_REQUIRED: {
    status: 400,
    message: 'Enter the SMTP password again: the stored one is for a different host, port or SSL setting',
  },
  SENDER_EMAIL_INVALID: { status: 400, message: 'Please enter a valid email address' },
  REQUEST_SIZE_INVALID: { status: 400, message: 'Max request size must be a size from {min} to {max}, such as 10MB' },
  ORIGINS_INVALID: {
    status: 400,
    message: 'Allowed origins must be * or a list of origins such as https://example.com, with commas between',
  },
  STATUS_PAGE_INVALID: {
    status: 400,
    message: 'Status page must be a complete address such as https://status.example.com',
  },
  STATUS_PAGE_CREDENTIALS: { status: 400, message: 'Status page must not contain a username or password' },
  STATUS_PAGE_OWN: { status: 400, message: 'Status page must be on a different host than this server' },
  STATUS_PAGE_HTTP: { status: 400, message: 'Status page must be an https:// address while HTTPS is enforced' },
  DEFAULT_PLAN_UNKNOWN: { status: 400, message: 'This plan does not exist' },
} as const

export const failedJobErrors = {
  JOB_NOT_FAILED: { status: 404, message: 'These jobs have already been retried or discarded' },
} as const

/** Errors of calls on owners and plans. */
export const adminErrors = {
  OWNER_NOT_FOUND: ownerErrors.OWNER_NOT_FOUND,
  OWNER_IS_ADMIN: ownerErrors.OWNER_IS_ADMIN,
  ...plansErrors,
  ...settingsErrors,
} as const
