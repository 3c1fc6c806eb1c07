import type { Problem } from '#contract/errors.ts'
import type { logsErrors } from './logs.errors.ts'

/** Logs of an app. Runs in the server and the dashboard. */

type LogProblem = Problem<keyof typeof logsErrors>

/** The call of a row that a program wrote itself. */
export const messageCall = 'message'

/** A row that stands for many rejected requests, without a row of their own: its call and its code. */
export const rejectedCall = 'rejected'
export const notAdmittedCode = 'REQUESTS_NOT_ADMITTED'

export const notAdmittedMessage = (count: number): string => `${count} more requests were rejected without an entry`
export const notAdmittedCount = (message: string): number => Number.parseInt(message) || 0

export const maxMessageLength = 1000
export const defaultRetentionDays = 90
export const minRetentionDays = 1
export const maxRetentionDays = 3650

/** Of a hash only the start is shown and searched for: enough to tell machines apart. */
export const fingerprintLength = 12
export const isFingerprint = (text: string): boolean => text.length === fingerprintLength && /^[\w-]+$/.test(text)

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

/** What a program did when its call went well, in English for exports and the API. */
const callTexts: Record<string, string> = {
  init: 'Started',
  license: 'Signed in with a license key',
  login: 'Signed in',
  register: 'Registered',
  heartbeat: 'Still running',
  variable: 'Read a variable',
  'user-variable': 'Read a user variable',
  'set-user-variable': 'Set a user variable',
  upgrade: 'Added a license',
  'change-password': 'Changed the password',
  logout: 'Signed out',
}

/** The calls that a log may be filtered by. */
export const loggedCalls = [...Object.keys(callTexts), messageCall]

/** The calls whose words, as a row shows them, contain this text. */
export const callsShowing = (text: string): string[] =>
  Object.keys(callTexts).filter((call) => callTexts[call]?.toLowerCase().includes(text.toLowerCase()))

export const logText = ({ call, code, message }: { call: string; code: string; message: string }): string =>
  message || code || (callTexts[call] ?? call)
