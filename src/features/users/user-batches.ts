import { refuse } from '#contract/refusals.ts'
import type { Database } from '#database/database.ts'
import { countFiltered, type FilterOf, listAfter } from './users-list.queries.ts'
import { usernameKey, type User } from './users.queries.ts'
import { usersRefusals } from './users.refusals.ts'

/** So many that heartbeats pass between two units. */
export const usersPerUnit = 500

/** Refuses when a filter no longer means as many users as the person saw. */
export async function checkExpectedCount(db: Database, choice: FilterOf, expected: number): Promise<void> {
  const count = await countFiltered(db, choice)
  if (count !== expected) refuse(usersRefusals, 'SELECTION_CHANGED', { fill: { count } })
}

/** Every user of a filter, a piece at a time and oldest first. */
export async function* filteredBatches(db: Database, choice: FilterOf): AsyncGenerator<User[]> {
  let afterId = 0
  for (;;) {
    const users = await listAfter(db, { ...choice, afterId, limit: usersPerUnit })
    if (users.length === 0) return
    afterId = (users.at(-1) as User).id
    yield users
  }
}

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
