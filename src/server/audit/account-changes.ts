import type { RecordedEvent } from '#contract/audit-events.ts'
import type { AccountSubject } from '#contract/live.ts'
import type { Tx } from '#database/database.ts'
import { randomText } from '../secrets/random-text.ts'
import type { Actor, SystemActor, UserActor } from './actors.ts'

/** From every process, after a commit: `live-account:<owner>/resellers,apps/w9`; the last part is different each time. */
export const accountChangedTopic = 'live-account'

/** What resellers do with their own session and password, which their owner's list doesn't show. */
const unseen =
  /^reseller\.(login|login-failed|reauthenticate|proof-failed|logout|end-session|end-other-sessions|change-password|two-factor-start|recovery-codes|request-reset|create-reset-link|reset-password)$/
/** Resellers get credits back for licenses that somebody deletes, and pay again when that is undone. */
const settlesCredits = /^license\.(bulk-)?delete(-all|-used|-unused)?(\.undo)?$/

/** The lists of the owner's account, beside those of an app, that an event changes. */
export function accountSubjectsOf(
  act: RecordedEvent,
  actorType: (Actor | UserActor | SystemActor)['type'],
): readonly AccountSubject[] {
  // Resellers are listed with the names of their apps.
  if (act.startsWith('app.')) return act === 'app.export' ? [] : ['resellers', 'apps']
  if (act.startsWith('reseller.')) return unseen.test(act) ? [] : ['resellers']
  const isSale = actorType === 'reseller' && act.startsWith('license.')
  return isSale || settlesCredits.test(act) || act === 'bin.restore' ? ['resellers'] : []
}

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
