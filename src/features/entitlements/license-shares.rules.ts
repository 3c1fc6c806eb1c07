import { maxEpochSeconds } from '#contract/epoch-seconds.ts'
import type { ChangedDuration } from './entitlements.rules.ts'
import { heldAfter, heldBefore, type LicenseShare, passedSince } from './held-shares.rules.ts'

/** What was taken of an entitlement's time. */
export interface TakenShare extends LicenseShare {
  /** Whose time was used after it. Only in records of before deleted licenses kept their shares. */
  before?: (number | null)[]
}

/** The end of an entitlement, in epoch seconds or null for never, and whose time it consists of. */
export interface SharedTime {
  expires_at: number | null
  license_id: number | null
  /** JSON of `LicenseShare[]`. Null or, in older records, absent if one license gave all of it, and is not banned. */
  shares: string | null
}

interface Shares {
  end: number | null
  shares: readonly LicenseShare[]
}

/** Of an entitlement that one license gave, the share is what is left of it. */
function sharesOf(time: SharedTime, clock: number): LicenseShare[] {
  if (time.shares) return JSON.parse(time.shares) as LicenseShare[]
  const seconds = time.expires_at === null ? null : Math.max(0, time.expires_at - clock)
  return [{ license: time.license_id, seconds }]
}

/** Whether the license gave time to the entitlement. */
export const hasShare = (time: SharedTime, license: number): boolean =>
  time.shares ? sharesOf(time, 0).some((share) => share.license === license) : time.license_id === license

/** Whether nothing else gave time to the entitlement than these licenses, and some that are gone. */
export function isGivenOnlyBy(time: SharedTime, licenses: ReadonlySet<number>): boolean {
  const shares = sharesOf(time, 0).filter(({ gone }) => !gone)
  return shares.length > 0 && shares.every(({ license }) => license !== null && licenses.has(license))
}

/** The licenses that gave time, also those that are gone. */
export const licensesOfShares = (time: SharedTime): number[] =>
  sharesOf(time, 0).flatMap(({ license }) => license ?? [])

const later = (end: number | null, seconds: number): number | null =>
  end === null ? null : Math.min(end + seconds, maxEpochSeconds)

/**
 * The shares with what is left of each: the time that was given first is used first. Time that nobody's license gave,
 * which an owner has added, is used before all of it.
 */
function leftOf({ end, shares }: Shares, clock: number): LicenseShare[] {
  if (end === null) return [...shares]
  let to = end
  return shares
    .toReversed()
    .map((share) => {
      if (share.held) return share
      const from = Math.max(clock, to - (share.seconds ?? Infinity))
      const seconds = Math.max(0, to - from)
      to = from
      return { ...share, seconds }
    })
    .toReversed()
}

/** The entitlement with what is left of each share, from which a change starts. */
const settled = (time: SharedTime, clock: number): Shares => {
  const { expires_at: end } = time
  return { end, shares: leftOf({ end, shares: sharesOf(time, clock) }, clock) }
}

/** The columns of an entitlement with these shares; undefined if nothing is left of it. */
function timeOf({ end, shares }: Shares, clock: number): SharedTime | undefined {
  const isRunning = end === null || end > clock
  const existing = shares.filter(({ gone }) => !gone)
  if (existing.length === 0 && !isRunning) return undefined
  const [only] = shares
  if (only === undefined) return { expires_at: end, license_id: null, shares: null }
  if (shares.length === 1 && isAll(only, end, clock)) return { expires_at: end, license_id: only.license, shares: null }
  const licenses = (held: boolean) =>
    existing.filter((share) => Boolean(share.held) === held).map(({ license }) => license)
  const using = licenses(false)
  const last = using.length > 0 || isRunning ? using.findLast((license) => license !== null) : licenses(true).at(-1)
  return { expires_at: end, license_id: last ?? null, shares: JSON.stringify(shares) }
}

/** Whether the time until the end is that of the share, and none was given by hand. */
const isAll = ({ seconds, held: isHeld }: LicenseShare, end: number | null, clock: number): boolean =>
  !isHeld && (end === null || seconds === null || end - clock <= seconds)

/** Without the time of one settled share, and without the share. */
function without({ end, shares }: Shares, index: number, clock: number): Shares {
  const share = shares[index] as LicenseShare
  const others = shares.filter((each) => each !== share)
  if (share.held) return { end, shares: others }
  if (end !== null) return { end: end - (share.seconds ?? 0), shares: others }
  const left = totalOf(usingOf(others))
  return { end: share.seconds !== null || left === null ? end : later(clock, left), shares: others }
}

/** With the time of another share, which is used last. While it never ends, time given by hand stands still as well. */
function withShare({ end, shares }: Shares, share: LicenseShare, clock: number): Shares {
  if (share.held) return { end, shares: [...shares, share] }
  if (share.seconds !== null) return { end: later(end, share.seconds), shares: [...shares, share] }
  const byHand = end === null ? 0 : end - clock - (totalOf(usingOf(shares)) ?? 0)
  return { end: null, shares: [...(byHand > 0 ? [{ license: null, seconds: byHand }] : []), ...shares, share] }
}

/** With a share again that was held, in its former order. Unless it is used up, what has passed is taken before. */
function released(current: Shares, index: number, clock: number): Shares {
  const passed = passedSince(current.end, clock)
  const after = heldAfter(current.shares, passed)
  const isSettled = passed > 0 && after[index]?.seconds !== 0
  const from = isSettled ? { end: clock, shares: after } : current
  const { held: _held, gone: _gone, ...share } = from.shares[index] as LicenseShare
  const others = without(from, index, clock)
  const { end, shares } = withShare(others, share, clock)
  const byHand = shares.length - others.shares.length - 1
  return { end, shares: shares.slice(0, -1).toSpliced(index + byHand, 0, share) }
}

/** What is left of each share, of the held ones what they would give back. */
function leftByNow(time: SharedTime, clock: number): LicenseShare[] {
  const { end, shares } = settled(time, clock)
  return heldAfter(shares, passedSince(end, clock))
}

/**
 * The shares once an end is set by hand. Held ones count from the new end, so what has passed since the former one is
 * taken from them before. A later end gives nothing back of what is used.
 */
export function sharesAtEnd(time: SharedTime, end: number | null, clock: number): string | null {
  if (!time.shares) return null
  const passed = Math.min(end ?? clock, clock) - Math.min(time.expires_at ?? clock, clock)
  const isLater = (end ?? Infinity) > (time.expires_at ?? Infinity)
  const shares = isLater ? settled(time, clock).shares : sharesOf(time, clock)
  return JSON.stringify(heldAfter(shares, passed))
}

interface Grant {
  license: number | null
  /** 0 never ends. */
  seconds: number
}

/**
 * Adds what a license gives, after the time that is left or from now. Not to what a banned license alone has granted: no
 * other license buys off its ban.
 */
export function withGrant(time: SharedTime, { license, seconds }: Grant, clock: number): SharedTime {
  const { expires_at: former } = time
  const end = former === null ? null : Math.max(former, clock)
  const shares = leftByNow(time, clock).filter((share) => share.seconds !== 0)
  const added = { license, seconds: seconds === 0 ? null : seconds }
  return timeOf(withShare({ end, shares }, added, clock), clock) as SharedTime
}

/**
 * With a share of a license that was used up before time was granted again, which left it none. It is used first, and has
 * nothing until time is added to it.
 */
export function withUsedUp(time: SharedTime, license: number, isBanned: boolean, clock: number): SharedTime {
  const { end, shares } = settled(time, clock)
  const share: LicenseShare = { license, seconds: 0, ...(isBanned && { held: true as const }) }
  return timeOf({ end, shares: [share, ...shares] }, clock) ?? time
}

function held(current: Shares, index: number, clock: number, why: { gone?: true } = {}): Shares {
  const { license, seconds } = current.shares[index] as LicenseShare
  const { end, shares } = without(current, index, clock)
  return { end, shares: shares.toSpliced(index, 0, { license, seconds, held: true, ...why }) }
}

/** Changes the share of a license; the same entitlement if it has none. */
function changed(time: SharedTime, license: number, clock: number, change: (shares: Shares, index: number) => Shares) {
  const current = settled(time, clock)
  const index = current.shares.findIndex((share) => share.license === license)
  return index < 0 ? time : timeOf(change(current, index), clock)
}

/**
 * The time while the license is banned, or once it no longer is; the end is as if it had run on in between. A license
 * that was gone is back.
 */
export function withBan(time: SharedTime, license: number, isBanned: boolean, clock: number): SharedTime {
  if (!time.shares) return time
  const share = sharesOf(time, clock).find((each) => each.license === license)
  if (!share || (Boolean(share.held) === isBanned && !share.gone)) return time
  return changed(time, license, clock, (current, index) =>
    isBanned ? held(current, index, clock) : released(current, index, clock),
  ) as SharedTime
}

/** Of a held share that is used up, what is added counts from the end of the rest. */
function withHeldSeconds({ end, shares }: Shares, index: number, seconds: number, clock: number): Shares {
  const passed = passedSince(end, clock)
  const left = heldAfter(shares, passed)
  const isUsedUp = left[index]?.seconds === 0 && seconds > 0
  const from = isUsedUp ? shares : left
  const rest = Math.max(0, Number(from[index]?.seconds) + seconds)
  const edited = from.with(index, { ...(from[index] as LicenseShare), seconds: rest })
  return { end, shares: isUsedUp ? edited : heldBefore(edited, passed) }
}

/** Adds seconds to what a license has left, or takes them, as far as they are left. */
export function withSeconds(time: SharedTime, license: number, seconds: number, clock: number): SharedTime {
  return changed(time, license, clock, (current, index) => {
    const share = current.shares[index] as LicenseShare
    if (share.seconds === null) return current
    if (share.held) return withHeldSeconds(current, index, seconds, clock)
    const added = Math.max(seconds, -share.seconds)
    const longer = current.shares.with(index, { ...share, seconds: share.seconds + added })
    return { end: later(current.end, added), shares: longer }
  }) as SharedTime
}

/** Sets what is left of a license; null never ends. */
export function withRest(time: SharedTime, license: number, seconds: number | null, clock: number): SharedTime {
  return changed(time, license, clock, (current, index) => {
    const share = { ...(current.shares[index] as LicenseShare), seconds }
    if (!share.held) return withShare(without(current, index, clock), share, clock)
    const passed = passedSince(current.end, clock)
    const others = heldAfter(current.shares, passed).toSpliced(index, 1)
    return { end: current.end, shares: heldBefore([...others, share], passed) }
  }) as SharedTime
}

/** Applies another duration of a license to its share. */
export function withDuration(
  time: SharedTime,
  license: number,
  { usedAt, seconds, former }: ChangedDuration,
  clock: number,
): SharedTime {
  if (seconds > 0 && former > 0) return withSeconds(time, license, seconds - former, clock)
  return withRest(time, license, seconds === 0 ? null : Math.max(0, usedAt + seconds - clock), clock)
}

interface Rest {
  /** Undefined if nothing else is left. */
  time: SharedTime | undefined
  taken: TakenShare | undefined
}

/** Takes what a license has left, and its share. */
export function withoutLicense(time: SharedTime, license: number, clock: number): Rest {
  const share = leftByNow(time, clock).find((each) => each.license === license)
  if (!share) return { time, taken: undefined }
  const rest = changed(time, license, clock, (current, index) => without(current, index, clock))
  return { time: rest, taken: { license, seconds: share.seconds } }
}

/** Takes what a license has left that is being deleted. Its share stays, held, until the license comes back. */
export function withDeleted(time: SharedTime, license: number, clock: number): Rest {
  const { taken } = withoutLicense(time, license, clock)
  if (!taken) return { time, taken }
  const rest = changed(time, license, clock, (current, index) => held(current, index, clock, { gone: true }))
  return { time: rest, taken: { ...taken, gone: true } }
}

/** What was taken, as an entitlement of its own from then on. */
export const takenTime = (share: TakenShare, clock: number): SharedTime & { share: TakenShare } => ({
  expires_at: share.seconds === null ? null : later(clock, share.seconds),
  license_id: share.license,
  shares: null,
  share,
})

/** Gives back what was taken, before what was used after it. */
function withTaken(time: SharedTime, { before = [], ...share }: TakenShare, clock: number): SharedTime {
  const current = settled(time, clock)
  const index = current.shares.findIndex(({ license }) => before.includes(license))
  if (index < 0) return timeOf(withShare(current, share, clock), clock) as SharedTime
  const withHeld = { ...current, shares: current.shares.toSpliced(index, 0, { ...share, held: true }) }
  return timeOf(share.held ? withHeld : released(withHeld, index, clock), clock) as SharedTime
}

/** Adds what the license of another entitlement has left of it. */
function withEntitlement(time: SharedTime, other: SharedTime, clock: number): SharedTime {
  const end = time.expires_at === null ? null : Math.max(time.expires_at, clock)
  const { license = null, seconds = 0 } =
    leftByNow(other, clock).find((each) => each.license === other.license_id) ?? {}
  const current = { end, shares: leftByNow(time, clock) }
  return timeOf(withShare(current, { license, seconds }, clock), clock) as SharedTime
}

/** Gives a license back what it had when it was deleted; `withBans` gives back a share that has stayed. */
export function withRestored(
  time: SharedTime,
  revoked: SharedTime & { share?: TakenShare | undefined },
  clock: number,
): SharedTime {
  const { share, license_id: license } = revoked
  if (license !== null && hasShare(time, license)) return time
  return share && !share.gone ? withTaken(time, share, clock) : withEntitlement(time, revoked, clock)
}

/** The time while exactly these licenses are banned that say so; others stay as they are. */
export const withBans = (
  time: SharedTime,
  licenses: ReadonlyMap<number, { banned: number }>,
  clock: number,
): SharedTime =>
  licensesOfShares(time).reduce((changing, license) => {
    const found = licenses.get(license)
    return found ? withBan(changing, license, found.banned === 1, clock) : changing
  }, time)

/**
 * The time as the licenses that gave it are now, of which some may be gone; undefined if nothing is left. `taken` is what
 * those had.
 */
export function reconciled(
  time: SharedTime,
  licenses: ReadonlyMap<number, { banned: number }>,
  clock: number,
): { time: SharedTime | undefined; taken: TakenShare[] } {
  const taken: TakenShare[] = []
  let current = time
  let isLeft = true
  for (const license of time.shares ? licensesOfShares(time) : []) {
    if (licenses.has(license)) continue
    const rest = withDeleted(current, license, clock)
    if (rest.taken) taken.push(rest.taken)
    isLeft &&= rest.time !== undefined
    current = rest.time ?? current
  }
  return { time: isLeft ? withBans(current, licenses, clock) : undefined, taken }
}

/** What a license has of an entitlement's time, in seconds; null never ends. */
export interface LicensedPart {
  license: number
  /** What a ban or a deletion takes or, of a banned license, what lifting the ban gives back. */
  left: number | null
}

/** Whose the time of an entitlement is, licenses in the order in which they are used. */
export interface TimeParts {
  licenses: LicensedPart[]
  /** What is left of time that was given by hand, in seconds; null never ends, and undefined is none. */
  byHand: number | null | undefined
}

/** What is left belongs to the licenses, held or not, or was given by hand. */
export function partsOf(time: SharedTime, clock: number): TimeParts {
  const { expires_at: end, license_id: license } = time
  const rest = end === null ? null : Math.max(0, end - clock)
  if (!time.shares)
    return license === null
      ? { licenses: [], byHand: rest }
      : { licenses: [{ license, left: rest }], byHand: undefined }
  const shares = leftByNow(time, clock)
  const ofShares = totalOf(usingOf(shares))
  const added = rest === null ? (ofShares === null ? 0 : null) : rest - (ofShares ?? 0)
  const byHand = shares.filter((share) => share.license === null).map(({ seconds }) => seconds)
  if (added !== 0) byHand.push(added)
  return {
    licenses: shares.flatMap(({ license: of, seconds, gone }) =>
      of === null || gone ? [] : [{ license: of, left: seconds }],
    ),
    byHand: byHand.length === 0 ? undefined : totalOf(byHand),
  }
}

/** What is left of the shares that aren't held. */
const usingOf = (shares: readonly LicenseShare[]): (number | null)[] =>
  shares.filter(({ held: isHeld }) => !isHeld).map(({ seconds }) => seconds)

/** Null if one of them never ends. */
const totalOf = (parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((sum, seconds) => (sum === null || seconds === null ? null : sum + seconds), 0)
