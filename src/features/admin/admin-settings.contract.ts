import { type TObject, type TProperties, Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { mailErrors, mailServerErrors } from '#contract/common-errors.ts'
import { defineCall } from '#contract/define-call.ts'
import { EpochSeconds, reply, strict, Text } from '#contract/fields.ts'
import { settingsErrors } from './admin.errors.ts'
import { settingsLimits } from './number.rules.ts'

/** The platform settings in their four groups. */

const Count = (name: keyof typeof settingsLimits) =>
  Type.Integer({ minimum: settingsLimits[name].min, maximum: settingsLimits[name].max })

const Platform = {
  platformName: Text(60),
  maintenanceMode: Type.Boolean(),
  maintenanceMessage: Text(500),
  registrationEnabled: Type.Boolean(),
  maxFailedLoginAttempts: Count('maxFailedLoginAttempts'),
  loginCooldownMinutes: Count('loginCooldownMinutes'),
  defaultPlan: Text(50, 1),
  statusPageUrl: Text(500),
}

const Email = {
  enabled: Type.Boolean(),
  smtpHost: Text(253),
  smtpPort: Count('smtpPort'),
  smtpUser: Text(254),
  senderEmail: Text(254),
  senderName: Text(100),
  useSSL: Type.Boolean(),
}

const Api = {
  rateLimitPerMinute: Count('rateLimitPerMinute'),
  rateLimitPerHour: Count('rateLimitPerHour'),
  maxRequestSize: Text(20),
  enableCORS: Type.Boolean(),
  allowedOrigins: Text(4000),
}

const Security = {
  sessionTimeout: Count('sessionTimeout'),
  enforceHTTPS: Type.Boolean(),
  enable2FA: Type.Boolean(),
  passwordMinLength: Count('passwordMinLength'),
  requireComplexPassword: Type.Boolean(),
}

/** Fields of the platform that GET returns and POST accepts but ignores. */
const PlatformReadOnly = {
  maintenanceSince: Type.Union([EpochSeconds, Type.Null()], {
    description: 'When maintenance mode was turned on; null while it is off. Ignored in a POST',
  }),
}

/** Fields of the mail server that GET returns and POST accepts but ignores. */
const EmailReadOnly = { hasPassword: Type.Boolean({ description: 'Whether a password is stored; ignored in a POST' }) }

/** The object of the group, or its changed fields; `before` holds the values the caller saw. */
const settingsBody = <P extends TProperties>(
  fields: P,
  { writeOnly = {}, readOnly = {} }: { writeOnly?: TProperties; readOnly?: TProperties } = {},
) =>
  strict({
    settings: Type.Partial(Type.Object({ ...fields, ...writeOnly, ...readOnly }), {
      additionalProperties: false,
    }) as ReturnType<typeof Type.Partial<TObject<P>>>,
    before: Type.Optional(Type.Partial(Type.Object({ ...fields, ...readOnly }), { additionalProperties: false })),
  })

const common = { access: 'admin', reply: reply({}), errors: settingsErrors } as const

export const adminSettingsContract = {
  getSettings: defineCall('GET /admin/settings', {
    access: 'admin',
    summary: 'Get the platform settings. The password of the mail server is never returned.',
    reply: reply({
      settings: Type.Object({
        platform: Type.Object({ ...Platform, ...PlatformReadOnly }),
        email: Type.Object({ ...Email, ...EmailReadOnly }),
        api: Type.Object(Api),
        security: Type.Object(Security),
      }),
    }),
  }),
  savePlatformSettings: defineCall('POST /admin/settings/platform', {
    ...common,
    summary:
      'Update the platform name, maintenance mode, registration, failed sign-in limits, the plan of new owners and the status page.',
    body: settingsBody(Platform, { readOnly: PlatformReadOnly }),
    successes: { PLATFORM_SETTINGS_OK: 'Platform settings saved successfully' },
  }),
  saveEmailSettings: defineCall('POST /admin/settings/email', {
    ...common,
    summary:
      'Update the mail server. An empty `smtpPassword` keeps the stored password; a change of host, port or `useSSL` requires it again. All administrators are notified of the change by email, through the previous mail server.',
    body: settingsBody(Email, { writeOnly: { smtpPassword: Text(500) }, readOnly: EmailReadOnly }),
    successes: { EMAIL_SETTINGS_OK: 'Email settings saved successfully' },
  }),
  sendTestMail: defineCall('POST /admin/settings/email/test', {
    access: 'admin',
    summary:
      'Send a test email to your own address with the stored settings. A failure reports its kind; the response of the mail server is only in the log.',
    body: Type.Optional(strict({})),
    reply: reply({}),
    errors: { ...mailErrors, ...mailServerErrors },
    successes: { MAIL_TEST_OK: 'Test mail sent to {email}' },
  }),
  saveApiSettings: defineCall('POST /admin/settings/api', {
    ...common,
    summary:
      'Update the rate limits, the maximum request size, and the origins that may call the client API from a page.',
    body: settingsBody(Api),
    successes: { API_SETTINGS_OK: 'API settings saved successfully' },
  }),
  saveSecuritySettings: defineCall('POST /admin/settings/security', {
    ...common,
    summary: 'Update the settings for sessions, HTTPS, two-factor authentication and passwords.',
    body: settingsBody(Security),
    successes: { SECURITY_SETTINGS_OK: 'Security settings saved successfully' },
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof adminSettingsContract> {}
  interface Codes extends CodesOf<typeof adminSettingsContract> {}
}
