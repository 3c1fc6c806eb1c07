import { valueOfCell } from '#contract/csv.ts'
import { csvRecords } from './csv-records.rules.ts'
import { inOwnColumns, ownLicenses } from './own-exports.rules.ts'
import { type importKinds, type importSources, maxImportRows } from './imported-rows.rules.ts'

/** Reads files of other services and of our own exports. Runs in the dashboard; nothing of a file is trusted. */

export const maxFileMiB = 64
const maxColumns = 200

type Kind = (typeof importKinds)[number]
type Source = (typeof importSources)[number]

export interface Subscription {
  level: string
  expiry: string
}

export interface FileRow {
  /** As its reader counts: a spreadsheet's row, or the item of a JSON list, from 1. */
  row: number
  cells: readonly string[]
  /** Of a user, where the file has them apart from the cells. */
  subscriptions?: readonly Subscription[]
}

export interface ImportFile {
  kind: Kind
  source: Source
  header: readonly string[]
  rows: readonly FileRow[]
}

export type FileProblem =
  | 'FILE_EMPTY'
  | 'FILE_ENCODING'
  | 'FILE_JSON_BROKEN'
  | 'FILE_QUOTE_OPEN'
  | 'FILE_UNKNOWN'
  | 'FILE_ROWS_EXCEEDED'

type Read = { file: ImportFile; problem?: undefined } | { file?: undefined; problem: FileProblem }

/** UTF-8, or UTF-16 with a byte order mark; undefined for anything else. */
export function decodeFile(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  try {
    return new TextDecoder(isUtf16 ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8', { fatal: true }).decode(
      bytes,
    )
  } catch {
    return undefined
  }
}

/** `wanted` decides where a file has both licenses and users. */
export function readImportFile(text: string, wanted: Kind): Read {
  const start = text.trimStart()
  if (start === '') return { problem: 'FILE_EMPTY' }
  const read = /^[[{]/.test(start) ? readJson(start, wanted) : (readKeyText(text) ?? readCsv(text, wanted))
  if (read.problem) return read
  if (read.file.rows.length === 0) return { problem: 'FILE_EMPTY' }
  return read.file.rows.length > maxImportRows ? { problem: 'FILE_ROWS_EXCEEDED' } : read
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readJson(text: string, wanted: Kind): Read {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'FILE_JSON_BROKEN' }
  }
  if (Array.isArray(value)) return readList(value, wanted)
  if (!isObject(value)) return { problem: 'FILE_UNKNOWN' }
  const { users, licenses } = value
  const subscriptions = value.subscription ?? value.subscriptions
  if (Array.isArray(users) && Array.isArray(subscriptions)) return readKeyAuthUsers(users, subscriptions)
  const list = [wanted === 'licenses' ? licenses : users, users, licenses, value.keys].find(Array.isArray)
  return list ? readList(list, list === users ? 'users' : 'licenses') : { problem: 'FILE_UNKNOWN' }
}

/** A list of objects as a table, whose columns are the names of their fields. */
function readList(listed: readonly unknown[], wanted: Kind): Read {
  const items = ownLicenses(listed)
  const names = new Set<string>()
  for (const item of items) {
    if (!isObject(item)) continue
    for (const name of Object.keys(item)) if (names.size < maxColumns) names.add(name)
  }
  const header = [...names]
  const kind = kindOf(header, wanted)
  if (!kind) return { problem: 'FILE_UNKNOWN' }
  const isKeyAuth = kind === 'licenses' && ['key', 'level', 'expiry'].every((name) => names.has(name))
  const rows = items.map((item, at): FileRow => {
    const fields = isObject(item) ? item : {}
    const subscriptions = subscriptionsIn(fields.subscriptions)
    const cells = header.map((name) => cellOf(Object.hasOwn(fields, name) ? fields[name] : ''))
    return { row: at + 1, cells, ...(subscriptions && { subscriptions }) }
  })
  return { file: { kind, source: isKeyAuth ? 'keyauth' : 'json', header, rows } }
}

const cellOf = (value: unknown): string => {
  if (typeof value === 'string') return clean(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : ''
}

/** Text that a request can carry: without NUL, which stays visible, and with whole characters only. */
const clean = (text: string): string => text.replaceAll('\0', '\u{fffd}').toWellFormed()

/** The subscriptions of a user in our own export. */
function subscriptionsIn(value: unknown): Subscription[] | undefined {
  if (!isObject(value)) return undefined
  return Object.values(value)
    .filter(isObject)
    .map(({ name, level, expiry }) => ({
      level: cellOf(name) || cellOf(level),
      expiry: expiry === null ? 'lifetime' : cellOf(expiry),
    }))
}

const keyAuthHeader = ['username', 'email', 'password', 'hwid', 'banned'] as const

/** KeyAuth names a user's subscriptions in a list of their own, with the Unix time at which they end. */
function readKeyAuthUsers(users: readonly unknown[], subscriptions: readonly unknown[]): Read {
  const byUser = new Map<string, Subscription[]>()
  for (const each of subscriptions.filter(isObject)) {
    const user = cellOf(each.user)
    const subscription = { level: cellOf(each.subscription), expiry: cellOf(each.expiry) }
    const others = byUser.get(user)
    if (others) others.push(subscription)
    else byUser.set(user, [subscription])
  }
  const rows = users.map((item, at): FileRow => {
    const fields = isObject(item) ? item : {}
    const cells = keyAuthHeader.map((name) => cellOf(Object.hasOwn(fields, name) ? fields[name] : ''))
    // The reason of the ban.
    if (!/^(0|no|false)?$/i.test(cells[4] ?? '')) cells[4] = 'yes'
    return { row: at + 1, cells, subscriptions: byUser.get(cells[0] ?? '') ?? [] }
  })
  return { file: { kind: 'users', source: 'keyauth', header: keyAuthHeader, rows } }
}

/** KeyAuth's older text: `KEY,LEVEL,DAYS`, between bars or on lines of their own. */
function readKeyText(text: string): Read | undefined {
  const records = text.split(/[|\r\n]+/).flatMap((record) => record.trim() || [])
  if (!/^[^\s,;"]+,\s*\d+\s*,\s*\d+$/.test(records[0] ?? '')) return undefined
  const rows = records.map((record, at): FileRow => {
    const [key = '', level = '', ...days] = clean(record).split(',')
    return { row: at + 1, cells: [key, level, days.join(',')] }
  })
  return { file: { kind: 'licenses', source: 'keyauth', header: ['key', 'level', 'days'], rows } }
}

function readCsv(text: string, wanted: Kind): Read {
  const records = csvRecords(text, maxImportRows + 1)
  if (!records) return { problem: 'FILE_QUOTE_OPEN' }
  const [header = [], ...rest] = records
  const kind = kindOf(header, wanted)
  if (!kind || header.length > maxColumns) return { problem: 'FILE_UNKNOWN' }
  const rows = rest.map((cells, at): FileRow => ({ row: at + 2, cells: cells.map((cell) => clean(valueOfCell(cell))) }))
  // Empty lines are no rows.
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell.trim()))
  return { file: { kind, source: 'csv', header, rows: inOwnColumns(header, filled) } }
}

const asName = (title: string): string => title.toLowerCase().replaceAll(/[^a-z]/g, '')

/** Titles of columns by field, the most precise first. */
const titles = {
  licenses: {
    key: ['licensekey', 'license', 'key', 'serial'],
    level: ['level', 'subscription', 'plan'],
    duration: ['duration', 'expiry', 'days'],
    status: ['status'],
    notes: ['notes', 'note', 'comment'],
  },
  users: {
    username: ['username', 'user', 'login', 'name'],
    email: ['email', 'mail'],
    password: ['passwordhash', 'password', 'hash'],
    hwid: ['hwid', 'hardwareid'],
    banned: ['banned', 'status'],
    subscriptions: ['subscriptions'],
    level: ['level', 'subscription', 'plan'],
    expiry: ['expiresat', 'expires', 'expiry'],
  },
} as const

export type ColumnField = keyof (typeof titles)['licenses'] | keyof (typeof titles)['users']
export type Columns = Partial<Record<ColumnField, number>>

export const fieldsOf = (kind: Kind): readonly ColumnField[] => Object.keys(titles[kind]) as ColumnField[]

function kindOf(header: readonly string[], wanted: Kind): Kind | undefined {
  const names = new Set(header.map(asName))
  const has = (aliases: readonly string[]) => aliases.some((alias) => names.has(alias))
  const fits = { licenses: has(titles.licenses.key), users: has(titles.users.username) }
  if (fits[wanted]) return wanted
  return fits.users ? 'users' : fits.licenses ? 'licenses' : undefined
}

/** The column of each field, as far as the titles say. */
export function columnsOf({ kind, header }: Pick<ImportFile, 'kind' | 'header'>): Columns {
  const names = header.map(asName)
  const isOwnExport = kind === 'users' && ['subscriptions', 'lastlogin'].every((name) => names.includes(name))
  const columns: Columns = {}
  for (const [field, aliases] of Object.entries(titles[kind]) as [ColumnField, readonly string[]][]) {
    // Our own exports have only the start of a machine's hash.
    if (field === 'hwid' && (isOwnExport || names.includes('hasactivesubscription'))) continue
    const at = aliases.map((alias) => names.indexOf(alias)).find((index) => index >= 0)
    if (at !== undefined) columns[field] = at
  }
  return columns
}
