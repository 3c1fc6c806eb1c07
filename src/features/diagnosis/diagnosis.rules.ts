import { type Effect, type Effects, effectOf, history, type PastEvent } from './causes.rules.ts'

/**
 * Finds the rule that rejected a program, and whether it still applies. Pure: runs in the server; the dashboard adds
 * the texts.
 */

/** Where the owner can fix it; `program` if only the developer or user of the program can. */
export type Fix = 'license' | 'user' | 'hwid' | 'level' | 'settings' | 'plan' | 'program'

interface LicenseState {
  license: string
  banned: boolean
  used: boolean
  usedBy: string
  /** Epoch seconds. */
  usedAt: number | null
}

interface EntitlementState {
  level: number
  name: string
  levelActive: boolean
  licenseBanned: boolean
  /** Epoch seconds; null for never. */
  expiresAt: number | null
}

export type KeyCode = 'LICENSE_NOT_FOUND' | 'LICENSE_BANNED' | 'LICENSE_ALREADY_USED'

export interface UserState {
  username: string
  banned: boolean
  paused: boolean
  /** Empty if no machine is bound. */
  hwidHash: string
  /** For a user without a password: the error of a sign-in with the license of that name; undefined if there is none. */
  byKey: { code: KeyCode | undefined } | undefined
  entitlements: readonly EntitlementState[]
}

interface SettingsState {
  appStatus: boolean
  version: string
  hashCheck: boolean
  vpnBlock: boolean
  hwidLock: boolean
  minHwidLength: number
}

interface LevelOfLicense {
  level: number
  name: string
  active: boolean
}

export interface Rejection {
  /** Empty for a sign-in that nobody has tried. */
  call: string
  code: string
  /** Epoch seconds. */
  at: number
  hwidHash: string
  session: string
}

/** Current state of the subject of a rejection. */
export interface Subject {
  /** License key as the program sent it; empty if it sent none. */
  key: string
  /** Whether it sent a key and no other name. */
  isByKey: boolean
  license: LicenseState | undefined
  user: UserState | undefined
  /** Of a license that nobody has redeemed: whether the level that it gives is paused. */
  levelOfUnused: LevelOfLicense | undefined
  /** Licenses the user has redeemed. */
  licensesOfUser: readonly LicenseState[]
  settings: SettingsState
  /** Whether the owner's plan allows no further user of the app. */
  isFull: boolean
  /** Actions on a license key, username, level number, session or app, newest first. */
  eventsOn: (target: string) => readonly PastEvent[]
  appId: string
  now: number
}

export interface Decision {
  /** Whether the call would still be rejected; null if that depends on what the program sends. */
  stillApplies: boolean | null
  /** The action that caused the rejection. */
  cause: PastEvent | null
  /** The action that has changed the state since. */
  change: PastEvent | null
  fix: Fix
  /** The object to open there; empty if the screen is sufficient. */
  target: string
  /** Hashes of machines, for `HWID_MISMATCH`; `stored` is the current one. */
  stored?: string
  sent?: string
  /** Epoch seconds. */
  until?: number | null
  /** Level names. */
  levels?: string[]
  /** The numbers of these levels. */
  levelNumbers?: number[]
  usedBy?: string
  usedAt?: number | null
  version?: string
  minHwidLength?: number
}

type Facts = Partial<Decision> & Pick<Decision, 'fix'>

const settingEvents: Omit<Effects, 'at'> = { made: ['app.update'], changed: ['app.update'] }
const timeEvents: readonly Effect[] = [
  'user.add-subscription',
  'user.update-subscription',
  'user.extend',
  'user.upgrade',
  'user.edit',
  'license.add-time',
]
const lessTimeEvents: readonly Effect[] = [
  'user.subtract',
  'user.update-subscription',
  'user.remove-subscription',
  'user.edit',
  'license.subtract-time',
]

type Rule = (rejection: Rejection, subject: Subject) => Facts

const bySetting =
  (
    applies: (settings: SettingsState) => boolean | null,
    more: (settings: SettingsState) => Partial<Decision> = () => ({}),
  ): Rule =>
  ({ at }, subject) => ({
    ...history(subject, [subject.appId], { at, ...settingEvents }),
    stillApplies: applies(subject.settings),
    fix: 'settings',
    ...more(subject.settings),
  })

const isRunning = (now: number) => (each: EntitlementState) => each.expiresAt === null || each.expiresAt > now

const ofUser =
  (read: (user: UserState) => boolean, made: Effect, changed: Effect): Rule =>
  ({ at }, subject) => ({
    ...history(subject, [subject.user?.username], { at, made: [made], changed: [changed], isBan: made === 'user.ban' }),
    stillApplies: subject.user ? read(subject.user) : null,
    fix: 'user',
    target: subject.user?.username ?? '',
  })

/** Whether the license was banned at that time, according to its audit events. */
const wasBanned = ({ eventsOn }: Subject, license: string, at: number): boolean => {
  const effects = eventsOn(license).flatMap((each) => (each.at <= at ? effectOf(each.act) : []))
  return effects.find((effect) => effect === 'license.ban' || effect === 'license.unban') === 'license.ban'
}

const licenseBanned: Rule = ({ at }, subject) => {
  const { license, licensesOfUser } = subject
  const banned =
    [...(license ? [license] : []), ...licensesOfUser].find((each) => wasBanned(subject, each.license, at)) ??
    [...(license ? [license] : []), ...licensesOfUser].find((each) => each.banned) ??
    license
  return {
    ...history(subject, [banned?.license], {
      at,
      made: ['license.ban'],
      changed: ['license.unban'],
      isBan: true,
    }),
    stillApplies: banned?.banned ?? null,
    fix: 'license',
    target: banned?.license ?? '',
  }
}

const licenseUnknown: Rule = ({ at }, subject) => ({
  fix: 'license',
  stillApplies: subject.license === undefined,
  target: subject.license?.license ?? '',
  ...history(subject, [subject.key, subject.user?.byKey && subject.user.username], {
    at,
    made: ['license.delete'],
    changed: ['license.create', 'bin.restore'],
  }),
})

/** Whether a sign-in with the license is the one of the user who redeemed it, such as after a restored deletion. */
const isOwnKey = ({ license, user }: Subject): boolean =>
  user?.byKey !== undefined && user.byKey.code !== 'LICENSE_ALREADY_USED' && user.username === license?.license

const licenseUsed: Rule = ({ call }, subject) => {
  const { license } = subject
  const isTaken = license?.used === true || subject.user?.byKey?.code === 'LICENSE_ALREADY_USED'
  return {
    stillApplies: license ? isTaken && !(call === 'license' && isOwnKey(subject)) : null,
    fix: 'license',
    target: license?.license ?? '',
    usedBy: license?.usedBy ?? '',
    usedAt: license?.usedAt ?? null,
  }
}

const timeOver: Rule = ({ at }, subject) => {
  const { user, now } = subject
  const allowed = user?.entitlements.filter((each) => !each.licenseBanned) ?? []
  const active = allowed.filter((each) => each.levelActive)
  // What a paused level has left doesn't count.
  const ended = (active.length > 0 ? active : allowed).filter((each) => !isRunning(now)(each))
  const until = Math.max(0, ...ended.map(({ expiresAt }) => expiresAt ?? 0))
  return {
    ...history(subject, [user?.username, ...subject.licensesOfUser.map(({ license }) => license)], {
      at,
      made: lessTimeEvents,
      changed: timeEvents,
    }),
    stillApplies: user ? !active.some(isRunning(now)) : null,
    fix: 'user',
    target: user?.username ?? '',
    until: until === 0 ? null : until,
    levels: ended.map(({ name }) => name),
    levelNumbers: ended.map(({ level }) => level),
  }
}

const levelPaused: Rule = ({ call, at }, subject) => {
  const { user, levelOfUnused } = subject
  const allowed = user?.entitlements.filter((each) => !each.licenseBanned) ?? []
  const held = allowed.filter(isRunning(at))
  // A paused level rejects also those whose time is over.
  const entitled = (held.length > 0 ? held : allowed).map(({ levelActive: active, ...rest }) => ({ ...rest, active }))
  // The level of a license that is redeemed must be active, whatever else its user has (PRG-47).
  const running = levelOfUnused && (!user || call !== '') ? [levelOfUnused] : entitled
  const paused = running.filter(({ active }) => !active)
  const named = paused.length > 0 ? paused : running
  const level = named[0]?.level
  const events: Effects = {
    at,
    made: ['subscription.pause', 'subscription.update'],
    changed: ['subscription.activate', 'subscription.update'],
  }
  return {
    ...history(subject, level === undefined ? [] : [String(level)], events),
    stillApplies: running.length === 0 ? null : paused.length === running.length,
    fix: 'level',
    levels: named.map(({ name }) => name),
    levelNumbers: named.map(({ level: number }) => number),
  }
}

const otherMachine: Rule = ({ at, hwidHash }, subject) => {
  const stored = subject.user?.hwidHash ?? ''
  return {
    ...history(subject, [subject.user?.username], { at, made: [], changed: ['user.reset-hwid'] }),
    stillApplies: subject.user ? subject.settings.hwidLock && stored !== '' && stored !== hwidHash : null,
    fix: 'hwid',
    target: subject.user?.username ?? '',
    stored,
    sent: hwidHash,
  }
}

const sessionEnded: Rule = ({ at, session }, subject) => ({
  ...history(subject, [session], { at, made: ['session.delete'], changed: [] }),
  fix: 'program',
})

const wrongPassword: Rule = ({ at }, subject) => ({
  ...history(subject, [subject.user?.username], {
    at,
    made: ['user.change-password', 'user.reset-password'],
    changed: ['user.change-password', 'user.reset-password', 'user.edit'],
  }),
  fix: 'user',
  target: subject.user?.username ?? '',
})

const rules: Readonly<Record<string, Rule>> = {
  LICENSE_BANNED: licenseBanned,
  LICENSE_NOT_FOUND: licenseUnknown,
  LICENSE_ALREADY_USED: licenseUsed,
  USER_BANNED: ofUser(({ banned }) => banned, 'user.ban', 'user.unban'),
  USER_PAUSED: ofUser(({ paused }) => paused, 'user.pause', 'user.unpause'),
  SUBSCRIPTION_EXPIRED: timeOver,
  SUBSCRIPTION_PAUSED: levelPaused,
  HWID_MISMATCH: otherMachine,
  INVALID_CREDENTIALS: wrongPassword,
  LOGIN_COOLDOWN: wrongPassword,
  USERNAME_TAKEN: (_, { user }) => ({ stillApplies: user !== undefined, fix: 'user', target: user?.username ?? '' }),
  USER_LIMIT_REACHED: (_, { isFull }) => ({ stillApplies: isFull, fix: 'plan' }),
  SESSION_ENDED: sessionEnded,
  APP_DISABLED: bySetting(({ appStatus }) => !appStatus),
  VERSION_OUTDATED: bySetting(
    () => null,
    ({ version }) => ({ version }),
  ),
  HASH_MISMATCH: bySetting(({ hashCheck }) => (hashCheck ? null : false)),
  VPN_BLOCKED: bySetting(({ vpnBlock }) => (vpnBlock ? null : false)),
  HWID_REQUIRED: bySetting(({ hwidLock }) => (hwidLock ? null : false)),
  HWID_TOO_SHORT: bySetting(
    ({ hwidLock }) => (hwidLock ? null : false),
    ({ minHwidLength }) => ({ minHwidLength }),
  ),
  CANNOT_OPEN_SEALED_BODY: bySetting(() => null),
}

/** The rule behind a rejection. A code without a rule concerns the request itself. */
export function decisionOf(rejection: Rejection, subject: Subject): Decision {
  const rule = Object.hasOwn(rules, rejection.code) ? rules[rejection.code] : undefined
  return {
    stillApplies: null,
    cause: null,
    change: null,
    target: '',
    ...(rule?.(rejection, subject) ?? { fix: 'program' }),
  }
}

/** Prefixes of the events that can explain a rejection; other events may have the same target by chance. */
export const eventAreas = {
  license: 'license.',
  user: 'user.',
  level: 'subscription.',
  session: 'session.',
  app: 'app.',
  bin: 'bin.',
  import: 'import.',
}
