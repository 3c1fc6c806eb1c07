import { alertKinds, type AlertStatus, type AlertType, type Threshold } from './alerts.rules.ts'

/** One thing that happened, as detection reads it from what is stored. */
export interface Sighting {
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
export interface Episode {
  key: string
  firstAt: number
  lastAt: number
  /** How many different values there were. */
  measured: number
  sightings: readonly Sighting[]
}

type EpisodeCheck = (sightings: readonly Sighting[]) => boolean

/**
 * The stretches of one key's sightings (oldest first) in which at least `threshold` different values stand within the
 * window: each as long as the window allows, none overlapping another. `also` may refuse a stretch.
 */
export function findEpisodes(
  sightings: readonly Sighting[],
  { threshold, windowSeconds }: Pick<Threshold, 'threshold' | 'windowSeconds'>,
  also: EpisodeCheck = () => true,
): Episode[] {
  const reach = windowSeconds === 0 ? Infinity : windowSeconds
  const episodes: Episode[] = []
  const counts = new Map<string, number>()
  const count = (sighting: Sighting, by: 1 | -1) => {
    for (const value of new Set(sighting.values)) {
      const left = (counts.get(value) ?? 0) + by
      if (left === 0) counts.delete(value)
      else counts.set(value, left)
    }
  }
  let start = 0
  let end = 0
  while (start < sightings.length) {
    const first = sightings[start] as Sighting
    for (; end < sightings.length; end++) {
      const next = sightings[end] as Sighting
      if (next.at - first.at > reach) break
      count(next, 1)
    }
    const within = counts.size >= threshold ? sightings.slice(start, end) : []
    if (within.length > 0 && also(within)) {
      const last = within.at(-1) as Sighting
      episodes.push({ key: first.key, firstAt: first.at, lastAt: last.at, measured: counts.size, sightings: within })
      counts.clear()
      start = end
    } else {
      count(first, -1)
      start += 1
    }
  }
  return episodes
}

export interface KnownAlert {
  status: AlertStatus
  measured: number
  lastAt: number
}

/**
 * What an episode is, given the newest alert of the same fingerprint: an alert of its own, more of the one that is new,
 * or nothing. Looking at the same activity again never gives anything; what somebody has reviewed or dismissed comes back
 * only when all of it happened again, or as much once more.
 */
export function judgeEpisode(
  { firstAt, lastAt, measured }: Pick<Episode, 'firstAt' | 'lastAt' | 'measured'>,
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
  Sighting,
  'at' | 'username' | 'license' | 'attempt' | 'ip' | 'hwid' | 'country' | 'code' | 'app'
>

const eventOf = ({ at, username, license, attempt, ip, hwid, country, code, app }: Sighting): EvidenceEvent => ({
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

const isUser = ({ username }: Sighting): boolean => username !== ''

/** `userCount` counts users of all apps, those too whom the lists no longer name. */
export function evidenceOf(
  { key, sightings }: Episode,
  { threshold, windowSeconds }: Threshold,
): { evidence: Evidence; userCount: number } {
  const different = (read: (sighting: Sighting) => string | undefined) => [
    ...new Set(sightings.flatMap((sighting) => read(sighting) || [])),
  ]
  const some = (read: (sighting: Sighting) => string | undefined) => different(read).slice(0, maxNames)
  const [first] = sightings
  const users = [
    ...Map.groupBy(sightings.filter(isUser), ({ app, username }) => JSON.stringify([app, username])).values(),
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
      events: sightings.slice(-maxEvents).map(eventOf),
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
