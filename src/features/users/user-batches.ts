import { refuse } from '#contract/refusals.ts'
import type { Database } from '#database/database.ts'
import { BatchedScan } from '#server/batched-scan.ts'
import { countFiltered, type FilterOf, listAfter } from './users-list.queries.ts'
import { usernameKey, type User } from './users.queries.ts'
import { usersRefusals } from './users.refusals.ts'

/** So many that heartbeats pass between two transactions. */
export const usersPerTransaction = 500

/** Refuses when a filter no longer means as many users as the person saw. */
export async function checkExpectedCount(db: Database, choice: FilterOf, expected: number): Promise<void> {
  const count = await countFiltered(db, choice)
  if (count !== expected) refuse(usersRefusals, 'SELECTION_CHANGED', { fill: { count } })
}

/** Every user of a filter, or a piece of them. */
export const scanUsers = (db: Database, choice: FilterOf, batch: { after?: number; max?: number }) =>
  new BatchedScan(batch, usersPerTransaction, (afterId, limit) => listAfter(db, { ...choice, afterId, limit }))

/** The names without those that mean the same user again; without any there is nothing to do. */
export function distinctNames(usernames: readonly string[]): string[] {
  if (usernames.length === 0) refuse(usersRefusals, 'NO_USERS_SELECTED')
  return [...new Map(usernames.map((name) => [usernameKey(name), name])).values()]
}

/** Which of these names no user has. */
export function missingNames(usernames: readonly string[], users: readonly User[]): string[] {
  const found = new Set(users.map(({ username_key: key }) => key))
  return usernames.filter((name) => !found.has(usernameKey(name)))
}
