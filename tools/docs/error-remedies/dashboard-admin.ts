import type { DashboardCall } from '../error-codes.ts'
import { type DashboardRemedies, missing, notFound, taken } from './dashboard-calls.ts'

const owners = [
  'POST /admin/owners/{id}/ban',
  'POST /admin/owners/{id}/plan',
  'POST /admin/owners/{id}/password-reset',
  'DELETE /admin/owners/{id}',
] as const satisfies DashboardCall[]
const planForms = ['POST /admin/plans', 'PUT /admin/plans/{id}'] as const satisfies DashboardCall[]
const platform = ['POST /admin/settings/platform'] as const satisfies DashboardCall[]
const email = ['POST /admin/settings/email'] as const satisfies DashboardCall[]
const api = ['POST /admin/settings/api'] as const satisfies DashboardCall[]
const testMail = ['POST /admin/settings/email/test'] as const satisfies DashboardCall[]

/** Owners, plans, and settings of the whole server. */
export const dashboardAdmin = {
  OWNER_NOT_FOUND: notFound(owners, 'owner', 'Manage Owners'),
  OWNER_IS_ADMIN: {
    calls: ['POST /admin/owners/{id}/ban', 'DELETE /admin/owners/{id}'],
    cause: 'The account is an administrator, which no other administrator can ban or delete.',
    remedy: 'The administrator can delete the account on **Profile**, unless it is the only one.',
  },
  ADMIN_RESET_ON_SERVER: {
    calls: ['POST /admin/owners/{id}/password-reset'],
    cause: 'The account is an administrator, and the server sends no mail, so the link would be shown to you instead.',
    remedy: 'Run `npm run reset-password` on the server, or turn on **Enable email** in **System Settings**.',
  },
  PLAN_NOT_FOUND: notFound(
    ['PUT /admin/plans/{id}', 'DELETE /admin/plans/{id}', 'POST /admin/owners/{id}/plan'],
    'plan',
    'Manage Plans',
  ),
  JOB_NOT_FAILED: {
    calls: ['POST /admin/jobs/retry', 'POST /admin/jobs/discard'],
    cause: 'None of the jobs is failed any more: another administrator has retried or discarded them.',
    remedy: 'Load **Failed jobs** again, which lists the jobs that are still failed.',
  },
  PLAN_NAME_REQUIRED: missing(['POST /admin/plans'], 'The name of the plan'),
  PLAN_NAME_INVALID: {
    calls: ['POST /admin/plans'],
    cause:
      'The name of the plan is longer than 50 characters, or has other characters than letters, digits, hyphens, and underscores.',
    remedy: 'Choose a simple name, and put the rest into the display name.',
  },
  PLAN_NAME_TAKEN: taken(['POST /admin/plans'], 'Another plan, or the plan of administrators,'),
  PLAN_DISPLAY_NAME_REQUIRED: missing(planForms, 'The display name of the plan'),
  PLAN_DISPLAY_NAME_INVALID: {
    calls: planForms,
    cause: 'The display name of the plan is too long or contains invisible characters.',
    remedy: 'Shorten it, and type it instead of pasting it.',
  },
  PLAN_IS_DEFAULT: {
    calls: ['DELETE /admin/plans/{id}'],
    cause: 'New owners get this plan, so it cannot be deleted.',
    remedy: 'Choose another **Default plan for new owners** in **System Settings** first.',
  },
  PLANS_EXIST: {
    calls: ['POST /admin/init-plans'],
    cause: 'The server has plans, so the default plans are not created.',
    remedy: 'Create the plans that you need one by one.',
  },
  PLATFORM_NAME_REQUIRED: missing(platform, '**Platform name**'),
  MAINTENANCE_MESSAGE_REQUIRED: {
    calls: platform,
    cause: '**Maintenance message** is empty. Programs and people see it during maintenance.',
    remedy: 'Write one sentence, such as when the service is back.',
  },
  STATUS_PAGE_INVALID: {
    calls: platform,
    cause: '**Status page** is not a complete address.',
    remedy: "Enter one such as `https://status.example.com`, or leave the field empty for Signet's own page.",
  },
  STATUS_PAGE_CREDENTIALS: {
    calls: platform,
    cause: '**Status page** contains a username or a password, which everybody who sees the page would learn.',
    remedy: 'Enter the address without them.',
  },
  STATUS_PAGE_OWN: {
    calls: platform,
    cause: '**Status page** is on this server, which would frame itself.',
    remedy: 'Enter a page on another host, which also answers when this server is down.',
  },
  STATUS_PAGE_HTTP: {
    calls: platform,
    cause: '**Status page** starts with `http://` while HTTPS is enforced, so browsers would not show it.',
    remedy: 'Enter an `https://` address.',
  },
  DEFAULT_PLAN_UNKNOWN: {
    calls: platform,
    cause: 'The default plan does not exist, or no longer.',
    remedy: 'Reload the page and choose a plan from the list.',
  },
  SMTP_HOST_REQUIRED: missing(email, '**SMTP host**'),
  SMTP_PASSWORD_REQUIRED: {
    calls: [...email],
    cause:
      'The host, the port, or SSL was changed, and the stored password belongs to the former mail server. It is never sent to another one.',
    remedy: 'Enter the SMTP password again.',
  },
  SENDER_EMAIL_INVALID: {
    calls: email,
    cause: '**Sender email** is not an email address.',
    remedy: 'Enter an address that the mail server may send from.',
  },
  REQUEST_SIZE_INVALID: {
    calls: api,
    cause: '**Max request size** is not a size in the range of the message.',
    remedy: 'Enter a number with its unit, such as `10MB`.',
  },
  ORIGINS_INVALID: {
    calls: api,
    cause: '**Allowed origins** is neither `*` nor a list of origins.',
    remedy: 'Enter origins without paths, with commas between, such as `https://example.com`.',
  },
  MAIL_HOST_UNKNOWN: {
    calls: testMail,
    cause: "The mail server's name has no address.",
    remedy: 'Compare **SMTP host** with the data of your mail provider, and check the name servers of this machine.',
  },
  MAIL_SERVER_UNREACHABLE: {
    calls: testMail,
    cause: 'The mail server refused the connection, or there is no way to it.',
    remedy: 'Check host and port, and whether a firewall or the hosting provider blocks outgoing mail.',
  },
  MAIL_SERVER_SILENT: {
    calls: testMail,
    cause:
      'The mail server accepted the connection and then did not answer in time, or the connection was dropped silently.',
    remedy: 'Check the port and **Use SSL**. Many hosting providers block port 25: use 587 or 465.',
  },
  MAIL_TLS_FAILED: {
    calls: testMail,
    cause:
      'The connection to the mail server could not be encrypted: its certificate is not valid, or it speaks no TLS on this port.',
    remedy: 'Enter the host name that the certificate names, not an IP address, and check port and **Use SSL**.',
  },
  MAIL_LOGIN_REFUSED: {
    calls: testMail,
    cause: 'The mail server rejected the username or the password.',
    remedy: 'Enter both again. Some providers need a password that is made for applications.',
  },
  MAIL_RECIPIENT_REFUSED: {
    calls: testMail,
    cause: 'The mail server does not deliver to your address.',
    remedy: 'Check the address of your account on **Profile**, and whether the mail server may send to other domains.',
  },
  MAIL_REFUSED: {
    calls: testMail,
    cause: 'The mail server rejected the message, usually because of its sender.',
    remedy: "Enter a **Sender email** that this mail server may send from, and look at the server's log.",
  },
  MAIL_PASSWORD_UNREADABLE: {
    calls: testMail,
    cause: 'The stored password cannot be decrypted for this mail server: the data or the master key was changed.',
    remedy: 'Enter the SMTP password again and save.',
  },
} as const satisfies DashboardRemedies
