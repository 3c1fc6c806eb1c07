import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import { mailTexts } from '#web/texts/common-texts.ts'
import type { adminSettingsContract } from '../admin-settings.contract.ts'
import type { adminContract } from '../admin.contract.ts'

/** What the calls of administrators answer, by code. */
export const adminTexts: Record<
  keyof CodesOf<typeof adminContract> | keyof CodesOf<typeof adminSettingsContract>,
  MessageDescriptor
> = {
  OWNER_NOT_FOUND: msg`Owner not found`,
  OWNER_IS_ADMIN: msg`Administrators cannot be banned or deleted`,
  OWNER_BAN_OK: msg`Owner banned successfully`,
  OWNER_UNBAN_OK: msg`Owner unbanned successfully`,
  OWNER_PLAN_OK: msg`Owner plan updated successfully`,
  OWNER_BANNED: msg`The owner is banned`,
  RESET_LIMIT: msg`Three links were sent to this address within the last hour`,
  ADMIN_RESET_ON_SERVER: msg`A link for an administrator is made on the server's console: npm run reset-password`,
  RESET_LINK_OK: msg`A link for a new password was created`,
  OWNER_RESET_OK: msg`A link for a new password is on its way to the owner`,
  OWNER_DELETE_OK: msg`Owner deleted successfully`,

  PLAN_NOT_FOUND: msg`Plan not found`,
  PLAN_NAME_REQUIRED: msg`Name is required`,
  PLAN_NAME_INVALID: msg`The name can only contain letters, numbers, hyphens, and underscores`,
  PLAN_NAME_TAKEN: msg`There is a plan with this name`,
  PLAN_DISPLAY_NAME_REQUIRED: msg`Display name is required`,
  PLAN_DISPLAY_NAME_INVALID: msg`The display name can have up to 50 visible characters`,
  PLAN_IS_DEFAULT: msg`New owners get this plan. Choose another default plan in System Settings first`,
  PLANS_EXIST: msg`There are plans already`,
  PLAN_CREATE_OK: msg`Plan created successfully`,
  PLAN_UPDATE_OK: msg`Plan updated successfully`,
  PLAN_DELETE_OK: msg`Plan deleted successfully`,
  PLANS_INIT_OK: msg`Default plans created successfully`,

  PLATFORM_NAME_REQUIRED: msg`Platform name is required`,
  MAINTENANCE_MESSAGE_REQUIRED: msg`Maintenance message is required`,
  SMTP_HOST_REQUIRED: msg`SMTP host is required while email is enabled`,
  SMTP_PASSWORD_REQUIRED: msg`Enter the SMTP password again: the stored one belongs to another host, port or SSL setting`,
  SENDER_EMAIL_INVALID: msg`Please enter a valid email address`,
  REQUEST_SIZE_INVALID: msg({ message: 'Max request size must be a size from {min} to {max}, such as 10MB' }),
  ORIGINS_INVALID: msg`Allowed origins must be * or a list of origins such as https://example.com, with commas between`,
  STATUS_PAGE_INVALID: msg`Status page must be a whole address such as https://status.example.com`,
  STATUS_PAGE_CREDENTIALS: msg`Status page must not hold a name or a password`,
  STATUS_PAGE_OWN: msg`Status page must be a page of another host than this one`,
  STATUS_PAGE_HTTP: msg`Status page must be an https:// address while HTTPS is enforced`,
  DEFAULT_PLAN_UNKNOWN: msg`There is no such plan`,
  PLATFORM_SETTINGS_OK: msg`Platform settings saved successfully`,
  EMAIL_SETTINGS_OK: msg`Email settings saved successfully`,
  ...mailTexts,
  MAIL_TEST_OK: msg({ message: 'Test mail sent to {email}' }),
  MAIL_HOST_UNKNOWN: msg`No address was found for the mail server`,
  MAIL_SERVER_UNREACHABLE: msg`The mail server could not be reached`,
  MAIL_SERVER_SILENT: msg`The mail server did not answer in time`,
  MAIL_TLS_FAILED: msg`No secure connection to the mail server could be made`,
  MAIL_LOGIN_REFUSED: msg`The mail server refused the user or the password`,
  MAIL_RECIPIENT_REFUSED: msg`The mail server refused the recipient`,
  MAIL_REFUSED: msg`The mail server refused the mail`,
  MAIL_PASSWORD_UNREADABLE: msg`The stored password belongs to another mail server. Enter it again.`,
  API_SETTINGS_OK: msg`API settings saved successfully`,
  SECURITY_SETTINGS_OK: msg`Security settings saved successfully`,
}
