import { type DurationUnit, maxDurationSeconds, unitSeconds } from '#contract/duration.ts'
import type { Problem } from '#contract/errors.ts'
import { maxEpochSeconds } from '#contract/epoch-seconds.ts'
import { hasInvisible } from '#contract/visible-text.ts'
import { maxMaskLength, maxNotesLength } from '#features/licenses/licenses.rules.ts'
import { endUsernameProblem, userEmailProblem } from '#features/users/users.rules.ts'
import type { RowErrorCode } from './imports.errors.ts'

/** What a row of a file means, or why it can't be imported. Runs in the server and in the dashboard's preview. */

export const importKinds = ['licenses', 'users'] as const
export const importSources = ['keyauth', 'csv', 'json'] as const
export const conflictChoices = ['skip', 'rename', 'overwrite'] as const
/** Units of a bare number in a duration. */
export const durationUnits = ['seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'years'] as const

export const maxImportRows = 100_000
export const rowsPerBatch = 500
export const maxHwidLength = 1024
/** bcrypt of cost 14 takes about a second for each sign-in. */
export const maxHashCost = 14

/** Cells of the file as text. They are clipped at `cellLengths`, one more than is valid. */
export interface LicenseRow {
  row: number
  key: string
  level: string
  duration: string
  notes?: string | undefined
  status?: string | undefined
  duplicate?: boolean | undefined
}

export interface UserRow {
  row: number
  username: string
  email?: string | undefined
  password?: string | undefined
  hwid?: string | undefined
  banned?: string | undefined
  subscriptions: { level: string; expiry: string }[]
  duplicate?: boolean | undefined
}

export const cellLengths = {
  key: maxMaskLength + 1,
  username: 200,
  email: 300,
  password: 200,
  hwid: maxHwidLength + 1,
  level: 100,
  duration: 40,
  expiry: 40,
  notes: maxNotesLength + 1,
  status: 40,
  banned: 20,
} as const

export const maxSubscriptionsPerUser = 20

export type RowProblem = Problem<RowErrorCode>

export interface LicenseToImport {
  row: number
  key: string
  levelLabel: string
  /** 0 is a lifetime. */
  seconds: number
  notes: string
  isBanned: boolean
}

export interface UserToImport {
  row: number
  username: string
  email: string
  passwordHash: string | null
  hwid: string
  isBanned: boolean
  /** Epoch seconds; null never expires. */
  subscriptions: { levelLabel: string; expiresAt: number | null }[]
}

export type Parsed<T> = { value: T; problem?: undefined } | { value?: undefined; problem: RowProblem }

const shown = (value: string) => ({ value: value.slice(0, 40) })

const wordsFor = { never: /^(lifetime|never|permanent|unlimited)$/i, yes: /^(1|true|yes)$/i, no: /^(0|false|no)?$/i }

/** A whole count of `unit`, or `45 days` as exports write it, in seconds; 0 is a lifetime. */
export function secondsOfDuration(text: string, unit: DurationUnit): Parsed<number> {
  if (wordsFor.never.test(text)) return { value: 0 }
  const [, count = '', named] = /^(\d{1,15})(?: *([a-z]{3,7}))?$/i.exec(text) ?? []
  const factor = named === undefined ? unitSeconds[unit] : unitSecondsOf(named)
  if (count === '' || factor === undefined) {
    return { problem: { code: 'IMPORTED_DURATION_INVALID', values: shown(text) } }
  }
  const seconds = Number(count) * factor
  return seconds > maxDurationSeconds ? { problem: { code: 'DURATION_TOO_LONG' } } : { value: seconds }
}

function unitSecondsOf(named: string): number | undefined {
  const unit = `${named.toLowerCase().replace(/s$/, '')}s`
  return Object.hasOwn(unitSeconds, unit) ? unitSeconds[unit as DurationUnit] : undefined
}

const dateShape = /^(\d{4})-(\d\d)-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

/** Unix seconds or milliseconds, or an ISO date, which is in UTC without a zone; null never expires. */
export function expiryOf(text: string): Parsed<number | null> {
  if (wordsFor.never.test(text)) return { value: null }
  const seconds = epochSecondsOf(text)
  return seconds === undefined || seconds < 0 || seconds > maxEpochSeconds
    ? { problem: { code: 'EXPIRY_INVALID', values: shown(text) } }
    : { value: seconds }
}

function epochSecondsOf(text: string): number | undefined {
  if (/^\d{1,11}$/.test(text)) return Number(text)
  if (/^\d{12,14}$/.test(text)) return Math.floor(Number(text) / 1000)
  const [, year, month, day] = dateShape.exec(text) ?? []
  if (year === undefined) return undefined
  const iso = text.replace(' ', 'T')
  const at = Date.parse(/T/.test(iso) && !/(Z|[+-]\d\d:?\d\d)$/.test(iso) ? `${iso}Z` : iso)
  // JavaScript reads February 31 as March 3.
  const isRealDay = Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return Number.isNaN(at) || !isRealDay ? undefined : Math.floor(at / 1000)
}

/** A license row; `unit` is what a bare number means. */
export function licenseOf(cells: LicenseRow, unit: DurationUnit): Parsed<LicenseToImport> {
  const key = cells.key.trim()
  const duration = secondsOfDuration(cells.duration.trim(), unit)
  const status = (cells.status ?? '').trim()
  const notes = (cells.notes ?? '').trim()
  const problem =
    keyProblem(key) ??
    (cells.duplicate ? ({ code: 'ROW_DUPLICATE' } as const) : undefined) ??
    duration.problem ??
    statusProblem(status) ??
    notesProblem(notes)
  if (problem) return { problem }
  const isBanned = /^banned$/i.test(status)
  return {
    value: { row: cells.row, key, levelLabel: cells.level.trim(), seconds: duration.value ?? 0, notes, isBanned },
  }
}

function keyProblem(key: string): RowProblem | undefined {
  if (key === '') return { code: 'KEY_REQUIRED' }
  const isValid = key.length <= maxMaskLength && /^[\x21-\x7e]+$/.test(key)
  return isValid ? undefined : { code: 'KEY_INVALID', values: { max: maxMaskLength } }
}

/** Whether a user without a password can sign in with the username as a license key. */
export const isKey = (username: string): boolean => keyProblem(username) === undefined

function statusProblem(status: string): RowProblem | undefined {
  if (/^(unused|not[ _-]?used|active|banned)?$/i.test(status)) return undefined
  return /^(used|redeemed|expiring)$/i.test(status)
    ? { code: 'ROW_REDEEMED' }
    : { code: 'STATUS_UNKNOWN', values: shown(status) }
}

function notesProblem(notes: string): RowProblem | undefined {
  const isValid = notes.length <= maxNotesLength && !hasInvisible(notes.replace(/[\r\n\t]/g, ' '))
  return isValid ? undefined : { code: 'NOTES_INVALID', values: { max: maxNotesLength } }
}

const bcryptShape = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

function hashProblem(hash: string): RowProblem | undefined {
  const cost = Number(bcryptShape.exec(hash)?.[1] ?? Number.NaN)
  const isValid = hash === '' || (cost >= 4 && cost <= maxHashCost)
  return isValid ? undefined : { code: 'HASH_UNSUPPORTED', values: { max: maxHashCost } }
}

/** KeyAuth stores email addresses as SHA-1 hashes, which say nothing. */
const withoutHashedEmail = (email: string): string => (/^[0-9a-f]{40}$/i.test(email) ? '' : email)

export function userOf(cells: UserRow): Parsed<UserToImport> {
  const username = cells.username.trim()
  const email = withoutHashedEmail((cells.email ?? '').trim())
  const hash = (cells.password ?? '').trim()
  const hwid = (cells.hwid ?? '').trim()
  const banned = (cells.banned ?? '').trim()
  const named = cells.subscriptions.map(({ level, expiry }) => ({
    levelLabel: level.trim(),
    expiry: expiryOf(expiry.trim()),
  }))
  const tooMany = { code: 'SUBSCRIPTIONS_TOO_MANY', values: { max: maxSubscriptionsPerUser } } as const
  const problem =
    (endUsernameProblem(username) as RowProblem | undefined) ??
    (cells.duplicate ? ({ code: 'ROW_DUPLICATE' } as const) : undefined) ??
    (userEmailProblem(email) as RowProblem | undefined) ??
    hashProblem(hash) ??
    hwidProblem(hwid) ??
    bannedProblem(banned) ??
    (named.length > maxSubscriptionsPerUser ? tooMany : undefined) ??
    named.find(({ expiry }) => expiry.problem)?.expiry.problem
  if (problem) return { problem }
  const subscriptions = named.map(({ levelLabel, expiry }) => ({ levelLabel, expiresAt: expiry.value ?? null }))
  const isBanned = wordsFor.yes.test(banned) || /^banned$/i.test(banned)
  return {
    value: { row: cells.row, username, email, passwordHash: hash || null, hwid, isBanned, subscriptions },
  }
}

const hwidProblem = (hwid: string): RowProblem | undefined =>
  hwid.length > maxHwidLength ? { code: 'HWID_TOO_LONG', values: { max: maxHwidLength } } : undefined

/** Of our own exports. A pause is not imported. */
const otherStatus = /^(banned|active|expired|paused)$/i

function bannedProblem(banned: string): RowProblem | undefined {
  const isClear = wordsFor.no.test(banned) || wordsFor.yes.test(banned) || otherStatus.test(banned)
  return isClear ? undefined : { code: 'BANNED_UNKNOWN', values: shown(banned) }
}
