import { alertKinds, type AlertStatus, type AlertType, type Threshold } from './alerts.rules.ts'

/** A single event read by detection. */
export interface Observation {
  /**
   * Subject of a possible alert: an address, machine, user, license or reseller. Observations with the same key are
   * counted together.
   */
  key: string
  /** Subject shown in the alert, if it is not the key. */
  subject?: string | undefined
  /** Epoch seconds. */
  at: number
  /** Values that count toward the threshold, each once. */
  values: readonly string[]
  /** An existing user of `app`. */
  username: string
  license: string
  /** A username or key from a rejected attempt that is not known to exist. */
  attempt?: string | undefined
  /** Username of the reseller the alert is about; undefined if there is none, or the reseller has been deleted. */
  reseller?: string | undefined
  ip: string
  hwid: string
  country: string
  /** Error code or audit event. */
  code: string
  /** Name of the app if it is another one. */
  app: string
}

/** Observations within one window that reach the threshold. */
export interface Incident {
  key: string
  firstAt: number
  lastAt: number
  /** Number of distinct values. */
  measured: number
  observations: readonly Observation[]
}

type IncidentCheck = (observations: readonly Observation[]) => boolean

/**
 * Finds stretches of one key's observations (oldest first) with at least `threshold` distinct values within the window.
 * Each stretch is as long as the window allows; stretches do not overlap. `also` may reject a stretch.
 */
export function findIncidents(
  observations: readonly Observation[],
  { threshold, windowSeconds }: Pick<Threshold, 'threshold' | 'windowSeconds'>,
  also: IncidentCheck = () => true,
): Incident[] {
  const reach = windowSeconds === 0 ? Infinity : windowSeconds
  const incidents: Incident[] = []
  const counts = new Map<string, number>()
  const count = (observation: Observation, by: 1 | -1) => {
    for (const value of new Set(observation.values)) {
      const left = (counts.get(value) ?? 0) + by
      if (left === 0) counts.delete(value)
      else counts.set(value, left)
    }
  }
  let start = 0
  let end = 0
  while (start < observations.length) {
    const first = observations[start] as Observation
    for (; end < observations.length; end++) {
      const next = observations[end] as Observation
      if (next.at - first.at > reach) break
      count(next, 1)
    }
    const within = counts.size >= threshold ? observations.slice(start, end) : []
    if (within.length > 0 && also(within)) {
      const last = within.at(-1) as Observation
      incidents.push({
        key: first.key,
        firstAt: first.at,
        lastAt: last.at,
        measured: counts.size,
        observations: within,
      })
      counts.clear()
      start = end
    } else {
      count(first, -1)
      start += 1
    }
  }
  return incidents
}

export interface KnownAlert {
  status: AlertStatus
  /** Of its newest occurrence. */
  measured: number
  /** The highest of all occurrences of the finding, also of those before a decision. */
  strongest: number
  lastAt: number
}

/**
 * Compares an incident with the newest alert of the same fingerprint: it raises an alert, adds to the new alert, or is
 * already known. Scanning the same activity again never changes anything; a reviewed or dismissed alert is raised again
 * only if all of the activity is later, or the count has grown by another threshold.
 */
export function classifyIncident(
  { firstAt, lastAt, measured }: Pick<Incident, 'firstAt' | 'lastAt' | 'measured'>,
  known: KnownAlert | undefined,
  threshold: number,
): 'raise' | 'again' | 'more' | 'known' {
  if (!known) return 'raise'
  const isNew = known.status === 'new'
  if (firstAt > known.lastAt) return isNew ? 'again' : 'raise'
  // An earlier occurrence is news only if it is stronger than any was, such as by a later ban.
  const before = lastAt < known.lastAt ? known.strongest : known.measured
  if (!isNew) return measured >= before + threshold ? 'raise' : 'known'
  return lastAt > known.lastAt || measured > before ? 'more' : 'known'
}

type EvidenceEvent = Pick<
  Observation,
  'at' | 'username' | 'license' | 'attempt' | 'ip' | 'hwid' | 'country' | 'code' | 'app'
>

const eventOf = ({ at, username, license, attempt, ip, hwid, country, code, app }: Observation): EvidenceEvent => ({
  at,
  username,
  license,
  attempt,
  ip,
  hwid,
  country,
  code,
  app,
})

const maxNames = 20
const maxEvents = 50

/** Evidence shown for an alert; optional fields are missing in older alerts. */
export interface Evidence {
  key: string
  /** Username; empty if the alert is not about a reseller, or the reseller has been deleted. */
  reseller?: string
  threshold: number
  windowSeconds: number
  /** Users of the app of the alert. */
  users: string[]
  usersElsewhere?: { app: string; username: string }[]
  licenses: string[]
  /** Usernames and keys of rejected attempts. */
  attempts?: string[]
  ips: string[]
  hwids: string[]
  countries: string[]
  apps: string[]
  /** The newest events, oldest first. */
  events: EvidenceEvent[]
  /** See `KnownAlert`; not shown. */
  strongest?: number
}

const evidenceFieldSet: Record<keyof Evidence | keyof EvidenceEvent, true> = {
  key: true,
  reseller: true,
  threshold: true,
  windowSeconds: true,
  users: true,
  usersElsewhere: true,
  licenses: true,
  attempts: true,
  ips: true,
  hwids: true,
  countries: true,
  apps: true,
  events: true,
  strongest: true,
  at: true,
  username: true,
  license: true,
  attempt: true,
  ip: true,
  hwid: true,
  country: true,
  code: true,
  app: true,
}
/** The names in the stored JSON that are no evidence themselves. */
export const evidenceFields = Object.keys(evidenceFieldSet)

const isUser = ({ username }: Observation): boolean => username !== ''

/** `userCount` counts the users of all apps, including those beyond the limit of the lists. */
export function evidenceOf(
  { key, observations }: Incident,
  { threshold, windowSeconds }: Threshold,
): { evidence: Evidence; userCount: number } {
  const different = (read: (observation: Observation) => string | undefined) => [
    ...new Set(observations.flatMap((observation) => read(observation) || [])),
  ]
  const some = (read: (observation: Observation) => string | undefined) => different(read).slice(0, maxNames)
  const [first] = observations
  const users = [
    ...Map.groupBy(observations.filter(isUser), ({ app, username }) => JSON.stringify([app, username])).values(),
  ]
  const elsewhere = users.flatMap(([user]) =>
    user && user.app !== '' ? [{ app: user.app, username: user.username }] : [],
  )
  return {
    userCount: users.length,
    evidence: {
      key: first?.reseller ?? first?.subject ?? key,
      reseller: first?.reseller ?? '',
      threshold,
      windowSeconds,
      users: some(({ app, username }) => (app === '' ? username : '')),
      usersElsewhere: elsewhere.slice(0, maxNames),
      licenses: some(({ license }) => license),
      attempts: some(({ attempt }) => attempt),
      ips: some(({ ip }) => ip),
      hwids: some(({ hwid }) => hwid),
      countries: some(({ country }) => country),
      apps: some(({ app }) => app),
      events: observations.slice(-maxEvents).map(eventOf),
    },
  }
}

/** Keys of older alerts about a reseller at an address contained both. */
function keyWithoutAddress(type: AlertType, key: string): string {
  if (type === 'RESELLER_SAME_IP_LICENSES') return key.split(' ')[0] ?? ''
  return alertKinds[type].keyIs === 'place' ? '' : key
}

/** Evidence without addresses and machines. */
export const withoutAddresses = (type: AlertType, { key, events, ...evidence }: Evidence): Evidence => ({
  ...evidence,
  key: keyWithoutAddress(type, key),
  ips: [],
  hwids: [],
  events: events.map((event) => ({ ...event, ip: '', hwid: '' })),
})
