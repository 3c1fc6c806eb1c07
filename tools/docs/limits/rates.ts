import { readConfig } from '#server/config/config.ts'
import { platformDefaults } from '#server/settings/platform-settings.ts'
import { websiteFactor } from '#server/http/admission.ts'
import { maxOfNetwork as resetsOfAccountNetwork } from '#features/accounts/api/password-reset.ts'
import { callsPerMinute } from '#features/client-api/api/call-webhook.ts'
import { maxOfApp as messagesOfApp, maxOfSession as messagesOfSession } from '#features/client-api/api/log.ts'
import {
  maxOfApp as resetsOfApp,
  maxOfNetwork as resetsOfNetwork,
  maxOfSession as resetsOfSession,
} from '#features/client-api/api/request-password-reset.ts'
import { appFactor } from '#features/client-api/rejected-requests.ts'
import { wrongKeysPerMinute } from '#features/seller-keys/seller-keys.identity.ts'
import { publicEventsPerMinute } from '#features/downloads/download-counts.ts'
import { errorsPerMinute } from '#features/webhooks/webhook-events.ts'
import { number } from '../page.ts'
import { type Limit, perHour, perMinute } from './limit.ts'

/** The settings of a server whose operator set none. */
export const defaultConfig = readConfig({}, '127.0.0.1')
const { limits } = defaultConfig
const { api, platform } = platformDefaults

const limited = (what: string, value: string, setting?: string): Limit => ({
  what,
  value,
  code: 'RATE_LIMITED',
  ...(setting && { setting }),
})

const programs = (): Limit[] => [
  limited(
    'Each of `init`, `license`, `login`, `register`, and `request-password-reset`, from one app and network',
    perMinute(limits.programStartsPerMinute),
    '`PROGRAM_STARTS_PER_MINUTE`',
  ),
  limited(
    'Other calls of a signed-in session, heartbeats included',
    perMinute(limits.heartbeatsPerMinute),
    '`HEARTBEATS_PER_MINUTE`',
  ),
  limited(
    'Calls of sessions without a user, and of unknown sessions, from one app and network',
    perMinute(limits.programStartsPerMinute),
    '`PROGRAM_STARTS_PER_MINUTE`',
  ),
  limited('`log` messages of a session', perMinute(messagesOfSession)),
  limited('`log` messages of an app', perMinute(messagesOfApp)),
  limited('`call-webhook` calls of a session', perMinute(callsPerMinute)),
  limited('`request-password-reset` calls of a session', perHour(resetsOfSession)),
  limited('`request-password-reset` calls from one app and network', perHour(resetsOfNetwork)),
  limited('`request-password-reset` calls of an app', perHour(resetsOfApp)),
  limited(
    'Rejected calls that are signed and logged, from one app and network',
    perMinute(limits.rejectedRequestsPerMinute),
    '`REJECTED_REQUESTS_PER_MINUTE`',
  ),
  limited(
    'The same of an app, without those of signed-in sessions',
    perMinute(limits.rejectedRequestsPerMinute * appFactor),
    '`REJECTED_REQUESTS_PER_MINUTE`',
  ),
]

const dashboard = (): Limit[] => [
  limited(
    'Calls of a dashboard session',
    perMinute(api.rateLimitPerMinute * websiteFactor),
    '**Rate limit per minute**',
  ),
  limited('Calls of a dashboard session', perHour(api.rateLimitPerHour * websiteFactor), '**Rate limit per hour**'),
  limited(
    'Each call without a session, such as signing in, from one network',
    perMinute(limits.anonymousCallsPerMinute),
    '`ANONYMOUS_CALLS_PER_MINUTE`',
  ),
  limited('New accounts from one network', perHour(limits.registrationsPerHour), '`REGISTRATIONS_PER_HOUR`'),
  limited('Links for new passwords of accounts, requested from one network', perHour(resetsOfAccountNetwork)),
  {
    what: 'Wrong passwords of an account or a user from one network, before a pause',
    value: number(platform.maxFailedLoginAttempts),
    code: 'LOGIN_COOLDOWN',
    setting: '**Max failed login attempts**',
  },
  {
    what: 'Length of that pause',
    value: `${number(platform.loginCooldownMinutes)} minutes`,
    code: 'LOGIN_COOLDOWN',
    setting: '**Login cooldown (minutes)**',
  },
]

export const rateLimits = (): Limit[] => [
  ...programs(),
  limited('Calls of a seller key', perMinute(api.rateLimitPerMinute), '**Rate limit per minute**'),
  limited('Calls of a seller key', perHour(api.rateLimitPerHour), '**Rate limit per hour**'),
  limited('Wrong seller keys from one network', perMinute(wrongKeysPerMinute)),
  ...dashboard(),
  { what: '`sign_in.refused` events of an app', value: perMinute(errorsPerMinute) },
  { what: '`file.downloaded` events of an app for public downloads', value: perMinute(publicEventsPerMinute) },
]
