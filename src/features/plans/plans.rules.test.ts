import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasRoom, limitOnWire, planOf, plans, unlimited, usageStatus } from './plans.rules.ts'

describe('the plans are those of the upgrade dialog (part 1 §9)', () => {
  test('limits', () => {
    expect(plans.Free.limits).toEqual({ apps: 1, usersPerApp: 10, licensesPerApp: 25, variablesPerApp: 3 })
    expect(plans.Developer.limits).toEqual({ apps: 5, usersPerApp: -1, licensesPerApp: -1, variablesPerApp: -1 })
    expect(plans.Pro.limits).toEqual({ apps: -1, usersPerApp: -1, licensesPerApp: -1, variablesPerApp: -1 })
  })
  test('prices', () => {
    expect([plans.Free, plans.Developer, plans.Pro].map(({ pricePerMonth }) => pricePerMonth)).toEqual([0, 9.99, 24.99])
  })
})

describe('the plan in force', () => {
  const now = 1_800_000_000
  test('is the chosen one until the second it runs out, then Free', () => {
    expect(planOf({ plan: 'Pro', plan_expires_at: now + 1 }, now).name).toBe('Pro')
    expect(planOf({ plan: 'Pro', plan_expires_at: now }, now).name).toBe('Free')
    expect(planOf({ plan: 'Developer', plan_expires_at: null }, now).name).toBe('Developer')
  })
  test('is Free for a name that is none', () => {
    for (const plan of ['Gold', '', 'free', 'constructor', '__proto__', 'toString']) {
      expect(planOf({ plan, plan_expires_at: null }, now).name).toBe('Free')
    }
  })
})

describe('usage', () => {
  test('is normal below 80 %, a warning from 80 %, exceeded at 100 %', () => {
    expect([3, 4, 5, 6].map((used) => usageStatus(used, 5))).toEqual(['normal', 'warning', 'exceeded', 'exceeded'])
    expect([7, 8, 9, 10].map((used) => usageStatus(used, 10))).toEqual(['normal', 'warning', 'warning', 'exceeded'])
    expect([19, 20, 24, 25].map((used) => usageStatus(used, 25))).toEqual(['normal', 'warning', 'warning', 'exceeded'])
    expect([0, 1].map((used) => usageStatus(used, 1))).toEqual(['normal', 'exceeded'])
  })
  test('of nothing allowed is exceeded, and without a limit never', () => {
    expect(usageStatus(0, 0)).toBe('exceeded')
    expect([usageStatus(1e9, unlimited), usageStatus(1e9, 'unlimited')]).toEqual(['unlimited', 'unlimited'])
  })
  test('is exceeded exactly when there is no room for one more', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (used, limit) => {
        expect(usageStatus(used, limit) === 'exceeded').toBe(!hasRoom(limit, used, 1))
      }),
    )
  })
})

test('room for many is room for all of them', () => {
  expect([hasRoom(25, 20, 5), hasRoom(25, 20, 6), hasRoom(25, 30, 1), hasRoom(unlimited, 1e9, 1000)]).toEqual([
    true,
    false,
    false,
    true,
  ])
})

test('-1 is written as unlimited, and 0 stays 0', () => {
  expect([limitOnWire(-1), limitOnWire(0), limitOnWire(25)]).toEqual(['unlimited', 0, 25])
})
