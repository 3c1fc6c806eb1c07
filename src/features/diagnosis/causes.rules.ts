import type { AuditEvent, RecordedEvent } from '#contract/audit-events.ts'

/** Finds the actions behind a rejection, and those that have changed its reason since. Pure. */

/** An action on the subject of a rejection, with its actor. */
export interface PastEvent {
  act: string
  /** Epoch seconds. */
  at: number
  actorType: string
  /** Empty if no longer known. */
  actorName: string
}

interface EventsByTarget {
  /** Newest first. */
  eventsOn: (target: string) => readonly PastEvent[]
}

interface History {
  cause: PastEvent | null
  change: PastEvent | null
}

/** The effect of an event on one row: undoing added time has no event of its own. */
export type Effect = AuditEvent | 'license.subtract-time'

/** The effect of undoing an event. */
const opposites: Readonly<Partial<Record<AuditEvent, Effect>>> = {
  'license.ban': 'license.unban',
  'license.unban': 'license.ban',
  'license.add-time': 'license.subtract-time',
  'user.ban': 'user.unban',
  'user.unban': 'user.ban',
  'user.pause': 'user.unpause',
  'user.unpause': 'user.pause',
  'user.extend': 'user.subtract',
  'user.subtract': 'user.extend',
  'user.remove-subscription': 'user.add-subscription',
}

/** The effect of a bulk action or of its undo on each row: `license.bulk-ban.undo` is an unban. */
export function effectOf(act: string): Effect | undefined {
  const done = act
    .replace(/\.undo$/, '')
    .replace('.bulk-', '.')
    .replace(/\.delete-(all|used|unused|expired)$/, '.delete')
    .replace(/-all(-hwid)?$/, '$1')
  return act.endsWith('.undo') ? opposites[done as AuditEvent] : (done as Effect)
}

export interface Effects {
  /** Epoch seconds of the rejection. */
  at: number
  made: readonly Effect[]
  changed: readonly Effect[]
  /** Whether it is a ban, which `changed` lifts, and which an import can set as well. */
  isBan?: boolean
}

const isOneOf = (effects: readonly Effect[], { act }: PastEvent) => effects.some((effect) => effect === effectOf(act))

/**
 * The last matching action up to the rejection is its cause; the first opposite action after both is the change, even
 * within the second of the rejection.
 */
export function history(
  { eventsOn }: EventsByTarget,
  targets: readonly (string | undefined)[],
  effects: Effects,
): History {
  const { at, made, changed, isBan = false } = effects
  const names = new Set(targets.flatMap((target) => target ?? []))
  const events = [...names].flatMap((name) => eventsOn(name)).toSorted((one, other) => other.at - one.at)
  const earlier = events.filter((each) => each.at <= at)
  const cause = isBan ? causeOfBan(earlier, effects) : earlier.find((each) => isOneOf(made, each))
  const isAfter = (each: PastEvent, position: number) =>
    each.at > at || (each.at === at && cause !== undefined && position < events.indexOf(cause))
  const isChange = (each: PastEvent) => isOneOf(changed, each) || (cause?.act === imported && each.act === undone)
  return {
    cause: cause ?? null,
    change: events.findLast((each, position) => isAfter(each, position) && isChange(each)) ?? null,
  }
}

const imported = 'import.run' satisfies RecordedEvent
const undone = 'import.run.undo' satisfies RecordedEvent

/**
 * The last ban that wasn't lifted since. Without one, an import has banned, whose event has all its rows, whatever it did
 * to each: it is named if it is the only one since.
 */
function causeOfBan(events: readonly PastEvent[], { at, made, changed }: Effects): PastEvent | undefined {
  const until = (isEnd: (each: PastEvent) => boolean) => {
    const end = events.findIndex(isEnd)
    return end === -1 ? events : events.slice(0, end)
  }
  const isLifted = (each: PastEvent) => each.at < at && isOneOf(changed, each)
  const cause = until(isLifted).find((each) => isOneOf(made, each))
  const imports = until((each) => isLifted(each) || each.act === undone).filter(({ act }) => act === imported)
  return cause ?? (imports.length === 1 ? imports[0] : undefined)
}
