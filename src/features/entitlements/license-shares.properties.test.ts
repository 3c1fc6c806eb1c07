import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LicenseShare } from './held-shares.rules.ts'
import {
  licensesOfShares,
  partsOf,
  type SharedTime,
  withBan,
  withGrant,
  withBans,
  withDeleted,
  withSeconds,
} from './license-shares.rules.ts'

/** Whatever happened before: nothing takes more than it says, and what undoes something undoes it exactly. */

const start = 1_000_000
const endOf = ({ expires_at: end }: SharedTime): number => end ?? Infinity

interface State {
  time: SharedTime
  now: number
  /** The license that is redeemed next. */
  next: number
}

type Step = (state: State, pick: number) => State

const licenseOf = ({ time }: State, pick: number): number => {
  const licenses = licensesOfShares(time)
  return licenses[pick % Math.max(1, licenses.length)] ?? -1
}

const isHeldIn = ({ shares }: SharedTime, license: number): boolean =>
  (JSON.parse(String(shares)) as LicenseShare[]).some((share) => share.license === license && share.held)

const isShared = ({ time }: State): boolean => time.shares !== null

const redeem =
  (seconds: number): Step =>
  (state) => ({
    ...state,
    time: withGrant(state.time, { license: state.next, seconds }, state.now),
    next: state.next + 1,
  })

const pass =
  (seconds: number): Step =>
  (state) => ({ ...state, now: state.now + seconds })

const ban =
  (isBanned: boolean): Step =>
  (state, pick) => ({ ...state, time: withBan(state.time, licenseOf(state, pick), isBanned, state.now) })

const edit =
  (seconds: number): Step =>
  (state, pick) =>
    isShared(state) ? { ...state, time: withSeconds(state.time, licenseOf(state, pick), seconds, state.now) } : state

const byHand =
  (seconds: number): Step =>
  ({ time, ...state }) => ({
    ...state,
    time: time.expires_at === null ? time : { ...time, expires_at: Math.max(state.now, time.expires_at + seconds) },
  })

const duration = fc.integer({ min: 1, max: 5000 })
const step = fc.oneof(
  fc.oneof(duration, fc.constant(0)).map(redeem),
  duration.map(pass),
  fc.boolean().map(ban),
  fc.integer({ min: -5000, max: 5000 }).map(edit),
  fc.integer({ min: -5000, max: 5000 }).map(byHand),
)

/** A user's time on a level after some steps, to which several licenses have given. */
const states = fc.array(fc.tuple(step, fc.nat(20)), { minLength: 1, maxLength: 15 }).map((steps) => {
  const time: SharedTime = { expires_at: start + 3000, license_id: 1, shares: null }
  return steps.reduce<State>((state, [change, pick]) => change(state, pick), { time, now: start, next: 2 })
})

const check = (property: (state: State, license: number) => void) =>
  fc.assert(
    fc.property(states, fc.nat(20), (state, pick) => {
      if (isShared(state)) property(state, licenseOf(state, pick))
    }),
    { numRuns: 2000 },
  )

test('a ban never adds time nor takes what has passed, and lifting it restores the end, also later', () => {
  check(({ time, now }, license) => {
    const banned = withBan(time, license, true, now)
    expect(endOf(banned)).toBeLessThanOrEqual(endOf(time))
    expect(endOf(banned)).toBeGreaterThanOrEqual(Math.min(endOf(time), now))
    const isBannedAlready = banned === time || banned.shares === time.shares
    const isRunning = endOf(banned) >= now + 700
    const isOnlyBan = licensesOfShares(time).every((other) => !isHeldIn(time, other))
    if (isBannedAlready) return
    expect(endOf(withBan(banned, license, false, now))).toBe(endOf(time))
    if (isRunning || isOnlyBan) expect(endOf(withBan(banned, license, false, now + 700))).toBe(endOf(time))
  })
})

test('a ban that is lifted, whenever, changes neither what licenses have left nor what was given by hand', () => {
  check(({ time, now }, license) => {
    for (const later of [now, now + 700, now + 5000]) {
      const lifted = withBan(time, license, false, later)
      const [before, after] = [partsOf(time, later), partsOf(lifted, later)]
      expect(after.licenses).toEqual(before.licenses)
      expect(after.byHand ?? 0).toBe(before.byHand ?? 0)
    }
  })
})

test('a deletion never adds time, forgets the license, and is undone exactly', () => {
  check(({ time, now }, license) => {
    const { time: rest } = withDeleted(time, license, now)
    if (!rest) return
    expect(endOf(rest)).toBeLessThanOrEqual(endOf(time))
    const partOf = (of: SharedTime) => partsOf(of, now).licenses.filter((part) => part.license === license)
    expect(partOf(rest)).toEqual([])
    const back = withBans(rest, new Map([[license, { banned: isHeldIn(time, license) ? 1 : 0 }]]), now)
    expect(endOf(back)).toBe(endOf(time))
    expect(partsOf(back, now)).toEqual(partsOf(time, now))
  })
})

test('a license adds all of its time, after what is left or from now', () => {
  check(({ time, now }) => {
    const longer = withGrant(time, { license: 99, seconds: 1000 }, now)
    expect(endOf(longer)).toBe(Math.max(endOf(time), now) + 1000)
    // A license that alone gives the time keeps its end: the sign-in reads its ban.
    if (longer.shares !== null) expect(endOf(withBan(longer, 99, true, now))).toBe(Math.max(endOf(time), now))
  })
})

test('an edit moves the end by no more than it says, and never into the past', () => {
  check(({ time, now }, license) => {
    for (const seconds of [-2000, 2000]) {
      const edited = withSeconds(time, license, seconds, now)
      if (endOf(time) === Infinity) expect(endOf(edited)).toBe(Infinity)
      else expect(Math.abs(endOf(edited) - endOf(time))).toBeLessThanOrEqual(Math.abs(seconds))
      if (seconds < 0) expect(endOf(edited)).toBeGreaterThanOrEqual(Math.min(endOf(time), now))
    }
  })
})

test('the parts add up to what is left, and each is what a ban takes or its end gives back', () => {
  check(({ time, now }, license) => {
    const { licenses, byHand } = partsOf(time, now)
    const leftNow = Math.max(0, endOf(time) - now)
    const held = (JSON.parse(String(time.shares)) as { license: number; held?: true }[]).filter((share) => share.held)
    const using = licenses.filter((part) => !held.some((share) => share.license === part.license))
    const sum = [...using.map(({ left }) => left), byHand === undefined ? 0 : byHand]
      .map((left) => left ?? Infinity)
      .reduce((total, left) => total + left, 0)
    if (leftNow === Infinity) expect(sum).toBe(Infinity)
    else expect(sum).toBe(leftNow)
    const part = licenses.find((each) => each.license === license)
    const isHeld = !using.some((each) => each.license === license)
    const [longer, shorter] = isHeld
      ? [withBan(time, license, false, now), time]
      : [time, withBan(time, license, true, now)]
    const change = Math.max(0, endOf(longer) - now) - Math.max(0, endOf(shorter) - now)
    if (endOf(longer) < Infinity) expect(part?.left).toBe(change)
  })
})
