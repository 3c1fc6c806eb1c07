import type { AlertStatus, AlertType, Threshold } from './alerts.rules.ts'

/** One thing that happened, as detection reads it from what is stored. */
export interface Sighting {
  /** What an alert would be about: an address, a machine, a user, a license, a reseller. */
  key: string
  /** Epoch seconds. */
  at: number
  /** What counts towards the threshold, each once. */
  values: readonly string[]
  username: string
  license: string
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

const eventOf = ({ at, username, license, ip, hwid, country, code, app }: Sighting) => ({
  at,
  username,
  license,
  ip,
  hwid,
  country,
  code,
  app,
})

const maxNames = 20
const maxEvents = 50

/** What an alert shows of why it was raised. */
export interface Evidence {
  key: string
  threshold: number
  windowSeconds: number
  users: string[]
  licenses: string[]
  ips: string[]
  hwids: string[]
  countries: string[]
  apps: string[]
  /** The newest of what happened, oldest first. */
  events: ReturnType<typeof eventOf>[]
}

/** `userCount` counts users whom `users` no longer names. */
export function evidenceOf(
  { key, sightings }: Episode,
  { threshold, windowSeconds }: Threshold,
): { evidence: Evidence; userCount: number } {
  const different = (read: (sighting: Sighting) => string) => [...new Set(sightings.map(read).filter(Boolean))]
  const some = (read: (sighting: Sighting) => string) => different(read).slice(0, maxNames)
  return {
    userCount: different(({ username }) => username).length,
    evidence: {
      key,
      threshold,
      windowSeconds,
      users: some(({ username }) => username),
      licenses: some(({ license }) => license),
      ips: some(({ ip }) => ip),
      hwids: some(({ hwid }) => hwid),
      countries: some(({ country }) => country),
      apps: some(({ app }) => app),
      events: sightings.slice(-maxEvents).map(eventOf),
    },
  }
}

/** Those whose key is an address or a machine, or ends with one. */
const aboutPlaces: ReadonlySet<AlertType> = new Set<AlertType>([
  'IP_MULTI_KEY',
  'HWID_MULTI_KEY',
  'LOADER_HASH_MISMATCH',
  'CROSS_APP_NO_LICENSE',
  'CROSS_APP_SAME_HWID',
  'CROSS_APP_SAME_IP',
  'LICENSE_RAPID_ACTIVATION',
  'RESELLER_SAME_IP_LICENSES',
])

/** Without what says from where (R-PII-01). */
export const withoutAddresses = (type: AlertType, { key, events, ...evidence }: Evidence): Evidence => ({
  ...evidence,
  key: aboutPlaces.has(type) ? key.split(' ').slice(0, -1).join(' ') : key,
  ips: [],
  hwids: [],
  events: events.map((event) => ({ ...event, ip: '', hwid: '' })),
})
