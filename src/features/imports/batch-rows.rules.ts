import { type Columns, type FileRow, type ImportFile, type Subscription } from './import-files.rules.ts'
import {
  cellLengths,
  type LicenseRow,
  maxSubscriptionsPerUser,
  rowsPerBatch,
  type UserRow,
} from './imported-rows.rules.ts'
import { usernameKey } from '#features/users/users.rules.ts'

/** The rows of a file as calls take them. */

type Cell = keyof typeof cellLengths

/** Clipped one character above what is valid, so that a huge cell fails by its own reason. */
const clipped = (text: string, cell: Cell): string => text.trim().slice(0, cellLengths[cell]).toWellFormed()

export type ImportRows = { licenses: LicenseRow[]; users?: undefined } | { licenses?: undefined; users: UserRow[] }

export function rowsOf(file: ImportFile, columns: Columns): ImportRows {
  return file.kind === 'licenses' ? { licenses: licenseRows(file, columns) } : { users: userRows(file, columns) }
}

function licenseRows({ rows }: ImportFile, columns: Columns): LicenseRow[] {
  const seen = new Set<string>()
  return rows.map((row) => {
    const cell = cellReader(row, columns)
    const key = cell('key')
    return {
      row: row.row,
      key,
      level: cell('level'),
      duration: cell('duration'),
      notes: cell('notes'),
      status: cell('status'),
      ...duplicateOf(usernameKey(key), seen),
    }
  })
}

function userRows({ rows }: ImportFile, columns: Columns): UserRow[] {
  const seen = new Set<string>()
  return rows.map((row) => {
    const cell = cellReader(row, columns)
    const username = cell('username')
    return {
      row: row.row,
      username,
      email: cell('email'),
      password: cell('password'),
      hwid: cell('hwid'),
      banned: cell('banned'),
      subscriptions: subscriptionsOf(row, columns).map(({ level, expiry }) => ({
        level: clipped(level, 'level'),
        expiry: clipped(expiry, 'expiry'),
      })),
      ...duplicateOf(usernameKey(username), seen),
    }
  })
}

const cellReader =
  ({ cells }: FileRow, columns: Columns) =>
  (field: Cell): string =>
    clipped(cells[columns[field] ?? -1] ?? '', field)

function duplicateOf(key: string, seen: Set<string>): { duplicate?: true } {
  if (seen.has(key)) return { duplicate: true }
  seen.add(key)
  return {}
}

/** One more than a user can have, so that the row fails by that reason. */
const maxSent = maxSubscriptionsPerUser + 1

function subscriptionsOf({ cells, subscriptions }: FileRow, columns: Columns): readonly Subscription[] {
  if (subscriptions) return subscriptions.slice(0, maxSent)
  const list = (cells[columns.subscriptions ?? -1] ?? '').trim()
  const level = (cells[columns.level ?? -1] ?? '').trim()
  const single = level === '' ? [] : [{ level, expiry: cells[columns.expiry ?? -1] ?? '' }]
  return list === '' ? single : listedSubscriptions(list).slice(0, maxSent)
}

/** `Premium: 2027-01-31T00:00:00.000Z; Gold: Lifetime`, as exports write them. */
function listedSubscriptions(list: string): Subscription[] {
  const each = /(.+?): (Lifetime|\d{4}-\d\d-\d\dT[\d:.]+Z)(?:; |$)/gy
  const found: Subscription[] = []
  let end = 0
  for (const match of list.matchAll(each)) {
    end = match.index + match[0].length
    found.push({ level: match[1] ?? '', expiry: match[2] ?? '' })
  }
  // The rest has no reading: the row is skipped.
  return end === list.length ? found : [{ level: list, expiry: list }]
}

/** The levels that the file names, in the order of their rows. */
export function labelsOf({ licenses, users }: ImportRows): string[] {
  const labels = new Set<string>()
  for (const { level } of licenses ?? []) labels.add(level)
  for (const { subscriptions } of users ?? []) for (const { level } of subscriptions) labels.add(level)
  return [...labels]
}

const maxBatchCharacters = 500_000

/** The rows of the next batch: at most 500, and fewer if they are long. */
export function batchFrom({ licenses, users }: ImportRows, from: number): ImportRows {
  return licenses ? { licenses: limited(licenses, from) } : { users: limited(users, from) }
}

function limited<Row>(rows: readonly Row[], from: number): Row[] {
  const batch: Row[] = []
  let characters = 0
  for (let at = from; at < rows.length && batch.length < rowsPerBatch; at++) {
    const row = rows[at] as Row
    characters += JSON.stringify(row).length
    if (batch.length > 0 && characters > maxBatchCharacters) break
    batch.push(row)
  }
  return batch
}
