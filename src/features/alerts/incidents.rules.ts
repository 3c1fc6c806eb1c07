import { alertKinds, type AlertStatus, type AlertType, type Threshold } from './alerts.rules.ts'

/** One thing that happened, as detection reads it from what is stored. */
export interface Observation {
  /** What an alert would be about: an address, a machine, a user, a license, a reseller. Those of one key are counted together. */
  key: string
  /** What the alert is said to be about, where that isn't the key. */
  subject?: string | undefined
  /** Epoch seconds. */
  at: number
  /** What counts towards the threshold, each once. */
  values: readonly string[]
  /** A user who exists, in `app`. */
  username: string
  license: string
  /** A username or a key that was tried and that nobody has, as far as is known. */
  attempt?: string | undefined
  /** The username of the reseller whom it is about; undefined where it is about none, or the reseller is gone. */
  reseller?: string | undefined
  ip: string
  hwid: string
  country: string
  /** The refusal, or the act. */
  code: string
  /** The app, where it is another one. */
  app: string
}

/** What happened close together and is too much. */
export interface Incident {
  key: string
  firstAt: number
  lastAt: number
  /** How many different values there were. */
  measured: number
  observations: readonly Observation[]
}

type IncidentCheck = (observations: readonly Observation[]) => boolean

/**
 * The stretches of one key's observations (oldest first) in which at least `threshold` different values stand within the
 * window: each as long as the window allows, none overlapping another. `also` may refuse a stretch.
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
  measured: number
  lastAt: number
}

/**
 * What an incident is, given the newest alert of the same fingerprint: an alert of its own, more of the one that is new,
 * or nothing. Looking at the same activity again never gives anything; what somebody has reviewed or dismissed comes back
 * only when all of it happened again, or as much once more.
 */
export function classifyIncident(
  { firstAt, lastAt, measured }: Pick<Incident, 'firstAt' | 'lastAt' | 'measured'>,
  known: KnownAlert | undefined,
  threshold: number,
): 'raise' | 'again' | 'more' | 'known' {
  if (!known) return 'raise'
  if (known.status !== 'new') {
    return firstAt > known.lastAt || measured >= known.measured + threshold ? 'raise' : 'known'
  }
  if (firstAt > known.lastAt) return 'again'
  return lastAt > known.lastAt || measured > known.measured ? 'more' : 'known'
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

/** What an alert shows of why it was raised; what may be missing is missing in alerts that were raised earlier. */
export interface Evidence {
  key: string
  /** The username; empty where the alert is about none, or the reseller is gone. */
  reseller?: string
  threshold: number
  windowSeconds: number
  /** Of the alert's own app. */
  users: string[]
  usersElsewhere?: { app: string; username: string }[]
  licenses: string[]
  /** Usernames and keys that were tried and that nobody has. */
  attempts?: string[]
  ips: string[]
  hwids: string[]
  countries: string[]
  apps: string[]
  /** The newest of what happened, oldest first. */
  events: EvidenceEvent[]
}

const isUser = ({ username }: Observation): boolean => username !== ''

/** `userCount` counts users of all apps, those too whom the lists no longer name. */
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

/** An alert about a reseller at an address once had both in its key. */
function keyWithoutAddress(type: AlertType, key: string): string {
  if (type === 'RESELLER_SAME_IP_LICENSES') return key.split(' ')[0] ?? ''
  return alertKinds[type].keyIs === 'place' ? '' : key
}

/** Without what says from where (R-PII-01). */
export const withoutAddresses = (type: AlertType, { key, events, ...evidence }: Evidence): Evidence => ({
  ...evidence,
  key: keyWithoutAddress(type, key),
  ips: [],
  hwids: [],
  events: events.map((event) => ({ ...event, ip: '', hwid: '' })),
})
