import { filled, type Problem } from '#contract/errors.ts'
import type { License } from '#features/licenses/licenses.reads.ts'
import { keyInAnyCase } from '#features/licenses/licenses.rules.ts'
import type { User } from '#features/users/users.reads.ts'
import { usernameKey, usernameLength } from '#features/users/users.rules.ts'
import {
  licenseOf,
  type LicenseRow,
  type LicenseToImport,
  type RowProblem,
  userOf,
  type UserRow,
  type UserToImport,
} from './imported-rows.rules.ts'
import { rowErrors } from './imports.errors.ts'
import type { ImportSettings } from './imports.table.ts'

/** Decides what happens to each row of a batch: the same for the check and for the import. */

export interface RowResult {
  row: number
  name: string
  outcome: 'skipped' | 'renamed' | 'overwritten'
  newName?: string
  code?: string
  values?: Problem['values']
  message: string
}

export interface Plan<New, Old> {
  create: New[]
  overwrite: { from: New; existing: Old }[]
  results: RowResult[]
  /** Rows with valid cells, whose name may exist. */
  valid: number
  conflicts: number
}

const newPlan = <New, Old>(): Plan<New, Old> => ({ create: [], overwrite: [], results: [], valid: 0, conflicts: 0 })

export function skipped({ row, name }: { row: number; name: string }, { code, values }: RowProblem): RowResult {
  const message = filled(rowErrors[code].message, values)
  return { row, name: clipped(name), outcome: 'skipped', code, ...(values && { values }), message }
}

const clipped = (name: string): string => name.slice(0, 200)

/** The level that a label of the file stands for, or why it has none. */
export type LevelOf = (label: string) => { level: number; problem?: undefined } | { problem: RowProblem }

/** Levels by label, as far as they exist. */
export function levelsOf(levels: ImportSettings['levels'], exists: (level: number) => boolean = () => true): LevelOf {
  const byLabel = new Map(levels.map(({ label, level }) => [label, level]))
  return (label) => {
    const level = byLabel.get(label)
    if (level === undefined) return { problem: { code: 'LEVEL_UNASSIGNED', values: { level: label } } }
    return exists(level) ? { level } : { problem: { code: 'SUBSCRIPTION_NOT_FOUND' } }
  }
}

export type PlannedLicense = LicenseToImport & { level: number }

export function planLicenses(
  rows: readonly LicenseRow[],
  { onConflict, durationUnit }: Pick<ImportSettings, 'onConflict' | 'durationUnit'>,
  { levelOf, existing }: { levelOf: LevelOf; existing: readonly License[] },
): Plan<PlannedLicense, License> {
  const plan = newPlan<PlannedLicense, License>()
  const seen = new Set<string>()
  const byKey = new Map(existing.map((license) => [license.license, license]))
  const taken = new Set(existing.map(({ license }) => keyInAnyCase(license)))
  for (const cells of rows) {
    const at = { row: cells.row, name: cells.key.trim() }
    const { value, problem } = licenseOf(cells, durationUnit)
    const found = value && levelOf(value.levelLabel)
    const name = keyInAnyCase(at.name)
    const reason = problem ?? (seen.has(name) ? ({ code: 'ROW_DUPLICATE' } as const) : undefined) ?? found?.problem
    if (reason || !value || !found || found.problem) {
      if (reason) plan.results.push(skipped(at, reason))
      continue
    }
    seen.add(name)
    plan.valid += 1
    const license = { ...value, level: found.level }
    const other = byKey.get(value.key)
    if (!taken.has(name)) plan.create.push(license)
    else {
      plan.conflicts += 1
      if (!other || onConflict !== 'overwrite') plan.results.push(skipped(at, { code: 'LICENSE_TAKEN' }))
      else if (other.used === 1) plan.results.push(skipped(at, { code: 'ROW_REDEEMED' }))
      else {
        plan.overwrite.push({ from: license, existing: other })
        plan.results.push({ ...at, outcome: 'overwritten', message: '' })
      }
    }
  }
  return plan
}

export type PlannedUser = Omit<UserToImport, 'subscriptions'> & {
  hwidHash: string | null
  subscriptions: { level: number; expiresAt: number | null }[]
}

interface UserLookups {
  levelOf: LevelOf
  /** Hashes of the HWIDs to bind; undefined for none. */
  hwids: ReadonlyMap<string, { hwidHash: string; missingLength?: number }> | undefined
  /** The existing users with these names, by `usernameKey`. */
  find: (names: readonly string[]) => Promise<ReadonlyMap<string, User>>
}

export async function planUsers(
  rows: readonly UserRow[],
  { onConflict }: Pick<ImportSettings, 'onConflict'>,
  { levelOf, hwids, find }: UserLookups,
): Promise<Plan<PlannedUser, User>> {
  const plan = newPlan<PlannedUser, User>()
  const seen = new Set<string>()
  const valid: PlannedUser[] = []
  for (const cells of rows) {
    const at = { row: cells.row, name: cells.username.trim() }
    const { value, problem } = userOf(cells)
    const planned = value && assigned(value, levelOf, hwids)
    const reason =
      problem ?? (seen.has(usernameKey(at.name)) ? ({ code: 'ROW_DUPLICATE' } as const) : undefined) ?? planned?.problem
    if (reason || !planned?.value) {
      if (reason) plan.results.push(skipped(at, reason))
      continue
    }
    seen.add(usernameKey(at.name))
    valid.push(planned.value)
  }
  plan.valid = valid.length
  const existing = await find(valid.map(({ username }) => username))
  const taken = valid.filter(({ username }) => existing.has(usernameKey(username)))
  plan.conflicts = taken.length
  const renamed = onConflict === 'rename' ? await freeNames(taken, seen, find) : new Map<PlannedUser, string>()
  for (const user of valid) {
    const other = existing.get(usernameKey(user.username))
    const at = { row: user.row, name: user.username }
    const newName = renamed.get(user)
    if (!other) plan.create.push(user)
    else if (onConflict === 'overwrite') {
      plan.overwrite.push({ from: user, existing: other })
      plan.results.push({ ...at, outcome: 'overwritten', message: '' })
    } else if (newName === undefined) plan.results.push(skipped(at, { code: 'USERNAME_TAKEN' }))
    else {
      plan.create.push({ ...user, username: newName })
      plan.results.push({ ...at, outcome: 'renamed', newName, message: '' })
    }
  }
  return plan
}

function assigned(
  { subscriptions, ...user }: UserToImport,
  levelOf: LevelOf,
  hwids: UserLookups['hwids'],
): { value: PlannedUser; problem?: undefined } | { value?: undefined; problem: RowProblem } {
  const byLevel = new Map<number, number | null>()
  for (const { levelLabel, expiresAt } of subscriptions) {
    const found = levelOf(levelLabel)
    if (found.problem) return { problem: found.problem }
    // Two levels of the file may have the same subscription: the later end counts.
    const other = byLevel.get(found.level)
    byLevel.set(found.level, other === undefined ? expiresAt : laterOf(other, expiresAt))
  }
  const machine = user.hwid === '' ? undefined : hwids?.get(user.hwid)
  if (machine?.missingLength !== undefined) {
    return { problem: { code: 'HWID_TOO_SHORT', values: { min: machine.missingLength } } }
  }
  const planned = [...byLevel].map(([level, expiresAt]) => ({ level, expiresAt }))
  return { value: { ...user, hwidHash: machine?.hwidHash ?? null, subscriptions: planned } }
}

const laterOf = (one: number | null, other: number | null) =>
  one === null || other === null ? null : Math.max(one, other)

const lastSuffix = 9

/**
 * `anna-2` to `anna-9` for `anna`: the first that no user and no other row has. By user, because a caller may number two
 * rows alike.
 */
async function freeNames(
  users: readonly PlannedUser[],
  seen: Set<string>,
  find: UserLookups['find'],
): Promise<Map<PlannedUser, string>> {
  const candidatesOf = ({ username }: PlannedUser) =>
    Array.from({ length: lastSuffix - 1 }, (_, at) => {
      const suffix = `-${at + 2}`
      return (
        [...username]
          .slice(0, usernameLength.max - suffix.length)
          .join('')
          .trimEnd() + suffix
      )
    })
  const existing = await find(users.flatMap(candidatesOf))
  const names = new Map<PlannedUser, string>()
  for (const user of users) {
    const free = candidatesOf(user).find((name) => !existing.has(usernameKey(name)) && !seen.has(usernameKey(name)))
    if (free === undefined) continue
    seen.add(usernameKey(free))
    names.set(user, free)
  }
  return names
}
