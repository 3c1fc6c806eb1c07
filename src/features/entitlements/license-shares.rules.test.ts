import { describe, expect, test } from 'vitest'
import { maxEpochSeconds } from '#contract/epoch-seconds.ts'
import {
  partsOf,
  reconciled,
  sharesAtEnd,
  type SharedTime,
  type TakenShare,
  withBan,
  withBans,
  withGrant,
  withoutLicense,
  withDeleted,
  withRest,
  withRestored,
  withSeconds,
  takenTime,
} from './license-shares.rules.ts'

const day = 86_400
const start = 1_000 * day
const at = (days: number): number => start + days * day
const alone = (license: number | null, days: number | null): SharedTime => ({
  expires_at: days === null ? null : at(days),
  license_id: license,
  shares: null,
})
const redeemed = (time: SharedTime, license: number, days: number, now = 0): SharedTime =>
  withGrant(time, { license, seconds: days * day }, at(now))

/** Days until the end, counted from the start; null for never. */
const endOf = ({ expires_at: end }: SharedTime): number | null => (end === null ? null : (end - start) / day)
const licensesLeft = (time: SharedTime, now: number) =>
  partsOf(time, at(now)).licenses.map(({ license, left }) => [license, left === null ? null : left / day])

const deleted = (time: SharedTime, license: number, now: number) => withDeleted(time, license, at(now)) as Deleted
interface Deleted {
  time: SharedTime
  taken: TakenShare
}
/** As the deletion was at the start, which is when what was taken counts from. */
const restored = (time: SharedTime, taken: TakenShare, now: number, banned = 0): SharedTime => {
  const back = withRestored(time, takenTime(taken, at(0)), at(now))
  return withBans(back, new Map([[Number(taken.license), { banned }]]), at(now))
}
/** License 1 from the start for 30 days, and license 2 for 30 more. */
const two = redeemed(alone(1, 30), 2, 30)

describe('a license added to another', () => {
  test('ends after both, and names the last one', () => {
    expect(endOf(two)).toBe(60)
    expect(two.license_id).toBe(2)
  })

  test('stands alone once the first has ended', () => {
    expect(redeemed(alone(1, 30), 2, 10, 40)).toEqual(alone(2, 50))
    expect(redeemed(two, 3, 10, 70)).toEqual(alone(3, 80))
  })

  test('keeps no record of a license that is used up', () => {
    const three = redeemed(two, 3, 30, 45)
    expect(endOf(three)).toBe(90)
    expect(withBan(three, 1, true, at(46))).toBe(three)
  })

  test('to one that never ends, or that never ends itself, leaves the time of the other standing', () => {
    const last = redeemed(alone(1, 30), 2, 0, 10)
    expect(last.expires_at).toBeNull()
    expect(endOf(withBan(last, 2, true, at(50)))).toBe(70)
    const first = redeemed(alone(1, null), 2, 30, 10)
    expect(first.expires_at).toBeNull()
    expect(endOf(withBan(first, 1, true, at(50)))).toBe(80)
    expect(withBan(first, 2, true, at(50)).expires_at).toBeNull()
  })

  test('leaves the time standing that was added by hand, if it never ends', () => {
    const endless = redeemed({ ...two, expires_at: at(65) }, 3, 0, 2)
    expect(partsOf(endless, at(50)).byHand).toBe(3 * day)
    expect(endOf(withBan(endless, 3, true, at(50)))).toBe(113)
  })

  test('has no end after the last year once one that never ends is banned or deleted', () => {
    const endless = redeemed(alone(1, 30), 2, 0)
    const long = withSeconds(endless, 1, maxEpochSeconds, at(0))
    expect(withBan(long, 2, true, at(1)).expires_at).toBe(maxEpochSeconds)
    expect(deleted(long, 2, 1).time.expires_at).toBe(maxEpochSeconds)
    expect(takenTime(deleted(long, 1, 1).taken, at(1)).expires_at).toBe(maxEpochSeconds)
  })
})

describe('a ban', () => {
  test.each([
    ['the first, unused', 1, 0, 30],
    ['the first, half used', 1, 10, 40],
    ['the first, used up', 1, 45, 60],
    ['the last, before it is used', 2, 10, 30],
    ['the last, half used', 2, 40, 40],
  ])('of %s takes what it has left, and lifting it gives that back', (_, license, now, end) => {
    const banned = withBan(two, license, true, at(now))
    expect(endOf(banned)).toBe(end)
    expect(banned.license_id).toBe(license === 1 ? 2 : 1)
    expect(endOf(withBan(banned, license, false, at(now)))).toBe(60)
    expect(endOf(withBan(banned, license, false, at(now + 5)))).toBe(60)
  })

  test('of all ends it, and names a banned license; lifting both restores all, however late', () => {
    const none = withBan(withBan(two, 1, true, at(10)), 2, true, at(10))
    expect(endOf(none)).toBe(10)
    expect(none.license_id).toBe(2)
    const lifted = withBan(withBan(none, 2, false, at(20)), 1, false, at(25))
    expect(endOf(lifted)).toBe(60)
  })

  test('leaves what the owner has added, which belongs to no license', () => {
    const longer = { ...two, expires_at: at(65) }
    const none = withBan(withBan(longer, 1, true, at(0)), 2, true, at(0))
    expect(endOf(none)).toBe(5)
    expect(none.license_id).toBeNull()
  })

  test('takes no more than the owner has left', () => {
    const shorter = { ...two, expires_at: at(20) }
    expect(endOf(withBan(shorter, 2, true, at(10)))).toBe(10)
    expect(endOf(withBan(shorter, 1, true, at(10)))).toBe(20)
  })

  test('twice takes nothing more, and lifting none gives nothing', () => {
    const banned = withBan(two, 2, true, at(10))
    expect(withBan(banned, 2, true, at(20))).toEqual(banned)
    expect(withBan(two, 2, false, at(20))).toEqual(two)
    expect(withBan(two, 7, true, at(20))).toBe(two)
  })

  test('goes on while another license is redeemed: time passes for it once the rest has ended', () => {
    const banned = withBan(two, 2, true, at(0))
    const renewed = redeemed(banned, 3, 10, 40)
    expect(endOf(renewed)).toBe(50)
    expect(endOf(withBan(renewed, 2, false, at(41)))).toBe(70)
    expect(redeemed(banned, 3, 10, 100)).toEqual(alone(3, 110))
  })
})

describe('a deletion', () => {
  test('takes what the license has left, and leaves the other its own', () => {
    const { time, taken } = deleted(two, 1, 10)
    expect(time).toMatchObject({ expires_at: at(40), license_id: 2 })
    expect(licensesLeft(time, 10)).toEqual([[2, 30]])
    expect(taken).toEqual({ license: 1, seconds: 20 * day, gone: true })
    expect(endOf(restored(time, taken, 20))).toBe(60)
    expect(licensesLeft(restored(time, taken, 20), 20)).toEqual([
      [1, 20],
      [2, 20],
    ])
  })

  test('of a banned license takes nothing more, and it comes back banned', () => {
    const { time, taken } = deleted(withBan(two, 2, true, at(10)), 2, 12)
    expect(time).toMatchObject({ expires_at: at(30), license_id: 1 })
    const back = restored(time, taken, 13, 1)
    expect(endOf(back)).toBe(30)
    expect(endOf(withBan(back, 2, false, at(14)))).toBe(60)
  })

  test('goes on while another license is redeemed: time passes for it once the rest has ended', () => {
    const { time, taken } = deleted(two, 1, 0)
    const renewed = redeemed(time, 3, 10, 40)
    expect(endOf(renewed)).toBe(50)
    expect(endOf(restored(renewed, taken, 41))).toBe(70)
    expect(redeemed(time, 3, 10, 100)).toEqual(alone(3, 110))
  })

  test.each([
    ['before what was used after it', alone(2, 30), 60],
    ['beside what was redeemed since', alone(3, 7), 37],
  ])('that an earlier version recorded is undone, %s', (_, time, end) => {
    const taken = { license: 1, seconds: 30 * day, before: [2] }
    expect(endOf(withRestored(time, takenTime(taken, at(0)), at(0)))).toBe(end)
  })

  test('of the last one with time leaves the ban of the other', () => {
    const { time } = deleted(withBan(two, 2, true, at(10)), 1, 10)
    expect(time).toMatchObject({ expires_at: at(10), license_id: 2 })
    expect(licensesLeft(time, 20)).toEqual([[2, 30]])
    expect(endOf(withBan(time, 2, false, at(20)))).toBe(50)
  })

  test('of all leaves nothing', () => {
    const { time } = deleted(withBan(two, 2, true, at(10)), 1, 10)
    expect(withDeleted(time, 2, at(11)).time).toBeUndefined()
  })
})

describe('a ban that is lifted after the rest has ended gives what the license had left by then', () => {
  const bothHeld = deleted(withBan(two, 2, true, at(10)), 1, 10).time

  test.each([
    ['all of it, while a deleted license that is used before it has time', 20, 50, 30],
    ['less what has passed since that one was used up', 35, 60, 25],
    ['nothing once it is used up as well', 70, 40, 0],
  ])('%s', (_, now, end, left) => {
    expect(licensesLeft(bothHeld, now)).toEqual([[2, left]])
    const lifted = withBan(bothHeld, 2, false, at(now))
    expect(endOf(lifted)).toBe(end)
    expect(licensesLeft(lifted, now)).toEqual([[2, left]])
  })

  test('and leaves the other what it had', () => {
    const lifted = withBan(bothHeld, 2, false, at(20))
    expect(endOf(withBan(lifted, 1, false, at(20)))).toBe(60)
  })
})

test('time added by hand stays apart from the only license with time beside it', () => {
  const extended = (days: number, now: number): SharedTime => {
    return { ...two, expires_at: at(days), shares: sharesAtEnd(two, at(days), at(now)) }
  }
  const three = redeemed(extended(71, 70), 3, 10, 70)
  expect(endOf(three)).toBe(81)
  expect(partsOf(three, at(70))).toEqual({ licenses: [{ license: 3, left: 10 * day }], byHand: day })
  expect(endOf(withBan(three, 3, true, at(70)))).toBe(71)
  const { time } = withoutLicense(extended(61, 0), 2, at(0))
  expect(partsOf(time as SharedTime, at(0))).toEqual({ licenses: [{ license: 1, left: 30 * day }], byHand: day })
})

test('keeps the time that was added by hand when the ban of one that never ends is lifted', () => {
  const banned = withBan(withGrant(alone(1, 3), { license: 3, seconds: 0 }, at(0)), 3, true, at(0))
  const extended = { ...banned, expires_at: at(5) }
  expect(partsOf(extended, at(1)).byHand).toBe(day)
  const lifted = withBan(extended, 3, false, at(1))
  expect(lifted.expires_at).toBeNull()
  expect(partsOf(lifted, at(9)).byHand).toBe(day)
  expect(endOf(withBan(lifted, 3, true, at(9)))).toBe(13)
})

describe('an edit', () => {
  test.each([
    ['less', -20, 0],
    ['more', 20, 30],
  ])(
    'of a banned license after the rest has ended leaves the others what they have, if it gets %s',
    (_, days, left) => {
      const bothBanned = withBan(withBan(two, 2, true, at(0)), 1, true, at(0))
      const edited = withSeconds(bothBanned, 1, days * day, at(20))
      expect(licensesLeft(edited, 20)).toEqual([
        [1, left],
        [2, 30],
      ])
      expect(endOf(withBan(edited, 2, false, at(20)))).toBe(50)
    },
  )

  test('adds to what one license gave, and takes no more than it has left', () => {
    const longer = withSeconds(two, 1, 5 * day, at(10))
    expect(endOf(longer)).toBe(65)
    expect(endOf(withBan(longer, 1, true, at(10)))).toBe(40)
    expect(endOf(withSeconds(two, 1, -25 * day, at(10)))).toBe(40)
    expect(endOf(withSeconds(two, 1, -5 * day, at(45)))).toBe(60)
    expect(endOf(withSeconds(two, 2, -5 * day, at(10)))).toBe(55)
  })

  test('of a banned license counts once the ban is lifted', () => {
    const banned = withSeconds(withBan(two, 2, true, at(10)), 2, 5 * day, at(10))
    expect(endOf(banned)).toBe(30)
    expect(endOf(withBan(banned, 2, false, at(10)))).toBe(65)
  })

  test('to a license that never ends, and back', () => {
    const never = withRest(two, 2, null, at(10))
    expect(never.expires_at).toBeNull()
    expect(endOf(withRest(never, 2, 7 * day, at(20)))).toBe(47)
  })

  test('of a banned license whose rest is set after the others have ended counts from then on', () => {
    const never = withRest(two, 2, null, at(0))
    const banned = withRest(withBan(never, 2, true, at(10)), 2, 20 * day, at(50))
    expect(endOf(banned)).toBe(40)
    expect(licensesLeft(banned, 55)).toContainEqual([2, 15])
    expect(endOf(withBan(banned, 2, false, at(50)))).toBe(70)
  })

  test('leaves what other banned licenses have left', () => {
    const three = redeemed(redeemed(alone(1, 30), 2, 30), 3, 0)
    const banned = withBan(withBan(three, 3, true, at(10)), 2, true, at(10))
    const changed = withRest(banned, 3, 20 * day, at(50))
    expect(licensesLeft(banned, 50)).toContainEqual([2, 20])
    expect(licensesLeft(changed, 50)).toEqual(
      expect.arrayContaining([
        [2, 20],
        [3, 20],
      ]),
    )
    expect(licensesLeft(changed, 75)).toEqual(
      expect.arrayContaining([
        [2, 0],
        [3, 15],
      ]),
    )
  })
})

test('restored after licenses are gone, banned, or no longer banned, it is as if it had been there', () => {
  const banned = withBan(two, 1, true, at(10))
  const states = (...of: [number, number][]) => new Map(of.map(([id, flag]) => [id, { banned: flag }]))
  expect(reconciled(banned, states([1, 1], [2, 0]), at(12))).toEqual({ time: banned, taken: [] })
  expect(endOf(reconciled(banned, states([1, 0], [2, 0]), at(12)).time as SharedTime)).toBe(60)
  expect(endOf(reconciled(two, states([1, 0], [2, 1]), at(12)).time as SharedTime)).toBe(30)
  const gone = reconciled(two, states([2, 0]), at(12))
  expect(gone.time).toMatchObject({ expires_at: at(42), license_id: 2 })
  expect(gone.taken).toEqual([{ license: 1, seconds: 18 * day, gone: true }])
  expect(reconciled(two, states(), at(12)).time).toBeUndefined()
})
