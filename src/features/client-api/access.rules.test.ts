import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Access, accessOf, type EntitlementState } from './access.rules.ts'

const now = 1_000_000
const entitlement = (change: Partial<EntitlementState> = {}): EntitlementState => ({
  level: 1,
  name: 'Basic',
  expires_at: now + 60,
  level_active: 1,
  license_banned: 0,
  ...change,
})
const free = { banned: 0, paused: 0 }

test.each<[string, Parameters<typeof accessOf>[0], EntitlementState[]]>([
  ['USER_BANNED', { banned: 1, paused: 1 }, [entitlement()]],
  ['USER_PAUSED', { banned: 0, paused: 1 }, [entitlement()]],
  ['LICENSE_BANNED', free, [entitlement({ license_banned: 1 })]],
  ['LICENSE_BANNED', free, [entitlement({ license_banned: 1, expires_at: now - 1, level_active: 0 })]],
  ['SUBSCRIPTION_PAUSED', free, [entitlement({ level_active: 0 })]],
  ['SUBSCRIPTION_PAUSED', free, [entitlement({ level_active: 0 }), entitlement({ level: 2, license_banned: 1 })]],
  ['SUBSCRIPTION_EXPIRED', free, [entitlement({ expires_at: now })]],
  ['SUBSCRIPTION_EXPIRED', free, [entitlement({ expires_at: now - 1 }), entitlement({ level: 2, level_active: 0 })]],
  ['SUBSCRIPTION_EXPIRED', free, []],
])('%s: %j holding %j', (code, user, subscriptions) => expect(accessOf(user, subscriptions, now)).toBe(code))

test('one valid subscription is enough, and only valid ones are returned', () => {
  const running = entitlement({ level: 3 })
  const access = accessOf(
    free,
    [entitlement({ license_banned: 1 }), entitlement({ level: 2, expires_at: now }), running],
    now,
  )
  expect(access).toEqual({ subscriptions: [running], until: now + 60 })
})

test("a lifetime subscription has no end, whatever the user's other subscriptions", () => {
  expect(accessOf(free, [entitlement(), entitlement({ level: 2, expires_at: null })], now)).toMatchObject({
    until: null,
  })
})

const subscription = fc.record({
  level: fc.nat({ max: 9 }),
  name: fc.constant('x'),
  expires_at: fc.option(fc.integer({ min: now - 100, max: now + 100 })),
  level_active: fc.nat({ max: 1 }),
  license_banned: fc.nat({ max: 1 }),
})

test('a user has access with an unexpired subscription on an active level with an unbanned license, and not otherwise', () => {
  fc.assert(
    fc.property(
      fc.array(subscription, { maxLength: 6 }),
      fc.nat({ max: 1 }),
      fc.nat({ max: 1 }),
      (list, banned, paused) => {
        const access = accessOf({ banned, paused }, list, now)
        const counts = list.filter(
          (each) => each.license_banned === 0 && each.level_active === 1 && (each.expires_at ?? now + 1) > now,
        )
        if (banned + paused > 0 || counts.length === 0) expect(typeof access).toBe('string')
        else {
          expect((access as Access).subscriptions).toEqual(counts)
          const ends = counts.map((each) => each.expires_at ?? Infinity)
          expect((access as Access).until ?? Infinity).toBe(Math.max(...ends))
        }
      },
    ),
    { numRuns: 1000 },
  )
})
