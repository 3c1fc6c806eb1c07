import type { Problem } from '#contract/errors.ts'
import type { logsErrors } from './logs.errors.ts'

/** Rules for an app's log. Runs in the server and the dashboard. */

type LogProblem = Problem<keyof typeof logsErrors>

/** The `call` of messages written by a program. */
export const messageCall = 'message'

/** Call and code of a row that summarizes many rejected requests without rows of their own. */
export const rejectedCall = 'rejected'
export const notAdmittedCode = 'REQUESTS_NOT_ADMITTED'

export const notAdmittedMessage = (count: number): string => `${count} more requests were rejected without an entry`
export const notAdmittedCount = (message: string): number => Number.parseInt(message) || 0

/** Calls that sign a user in. */
export const signInCalls = ['license', 'login', 'register'] as const
/** Calls that change the last sign-in of a user, who is active then: a program that slept renews its session. */
export const activeCalls = [...signInCalls, 'renew'] as const

/** Rejections that keep out a customer whom the owner can let in again. */
export const customerRejections = [
  'HASH_MISMATCH',
  'HWID_MISMATCH',
  'HWID_REQUIRED',
  'LICENSE_ALREADY_USED',
  'LICENSE_BANNED',
  'SUBSCRIPTION_EXPIRED',
  'SUBSCRIPTION_PAUSED',
  'USER_BANNED',
  'USER_LIMIT_REACHED',
  'USER_PAUSED',
  'VPN_BLOCKED',
] as const

/** Rows of customers that a filter finds: whom a rejection keeps out, or who signed in. */
export const customerFilters = ['rejected', 'signed-in'] as const
/** Of the rows of a filter, the newest up to this number are counted by customer. */
export const maxCustomerLogs = 20_000

/** The most bars of a histogram. */
export const maxBuckets = 100
/** A histogram counts the newest entries up to this number: a range of an index that is read in a fraction of a second. */
export const maxHistogramEntries = 200_000

export const maxMessageLength = 1000
export const defaultRetentionDays = 90
export const minRetentionDays = 1
export const maxRetentionDays = 3650

export function messageProblem(message: string): LogProblem | undefined {
  if (message.trim() === '') return { code: 'LOG_MESSAGE_REQUIRED' }
  if (message.length <= maxMessageLength) return undefined
  return { code: 'LOG_MESSAGE_TOO_LONG', values: { max: maxMessageLength } }
}

export function retentionProblem(days: number): LogProblem | undefined {
  if (Number.isInteger(days) && days >= minRetentionDays && days <= maxRetentionDays) return undefined
  const values = { min: minRetentionDays, max: maxRetentionDays }
  return { code: 'LOG_RETENTION_INVALID', values, field: 'days' }
}

/** Texts of successful calls, in English for exports and the API. */
const callTexts: Record<string, string> = {
  init: 'Started',
  license: 'Signed in with a license key',
  login: 'Signed in',
  register: 'Registered',
  renew: 'Renewed the session',
  heartbeat: 'Still running',
  variable: 'Read a variable',
  'user-variable': 'Read a user variable',
  'set-user-variable': 'Set a user variable',
  upgrade: 'Added a license',
  'change-password': 'Changed the password',
  'request-password-reset': 'Asked for a new password',
  download: 'Asked for a file',
  'call-webhook': 'Called a webhook',
  logout: 'Signed out',
}

/** Calls by which the log can be filtered. */
export const loggedCalls = [...Object.keys(callTexts), messageCall]

/** The calls whose displayed text contains `text`. */
export const callsShowing = (text: string): string[] =>
  Object.keys(callTexts).filter((call) => callTexts[call]?.toLowerCase().includes(text.toLowerCase()))

export const logText = ({ call, code, message }: { call: string; code: string; message: string }): string =>
  message || code || (callTexts[call] ?? call)

/** Columns of an exported file, in its order. */
export const logExportColumns = [
  'date',
  'data',
  'credential',
  'device',
  'call',
  'code',
  'license',
  'ip',
  'country',
  'session',
  'requestId',
] as const

export type LogExportColumn = (typeof logExportColumns)[number]

/** Epoch seconds; `to` is exclusive. */
export interface LogBucket {
  from: number
  to: number
  allowed: number
  rejected: number
}

/** The times of a list in any order, ascending and each once. */
export const edgesOf = (list: string): number[] =>
  [...new Set(list.split(',').map(Number))].toSorted((one, other) => one - other)
