import type { AccountSubject } from '#contract/live.ts'
import type { Tx } from '#database/database.ts'
import { randomText } from '../secrets/random-text.ts'

/** From every process, after a commit: `live-account:<owner>/resellers,apps/w9`; the last part is different each time. */
export const accountChangedTopic = 'live-account'

/** What was published in a transaction, so that its further events do not repeat it. */
const published = new WeakMap<Tx, Set<string>>()
const writer = randomText(8)
let writes = 0

/** Publishes the lists of an account that have changed, once per transaction. */
export function publishAccountChanges(tx: Tx, ownerId: string, changed: readonly AccountSubject[]): void {
  if (ownerId === '') return
  const before = published.get(tx) ?? new Set()
  const subjects = changed.filter((subject) => !before.has(`${ownerId}/${subject}`))
  if (subjects.length === 0) return
  published.set(tx, new Set([...before, ...subjects.map((subject) => `${ownerId}/${subject}`)]))
  tx.publish(`${accountChangedTopic}:${ownerId}/${subjects.join(',')}/${writer}${++writes}`)
}
