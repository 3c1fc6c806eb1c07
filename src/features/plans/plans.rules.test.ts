import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planFeatures } from '#contract/plan-features.ts'
import {
  limitOnWire,
  planNameOf,
  roomWithin,
  standardPlans,
  unlimited,
  unlimitedPlan,
  usageStatus,
} from './plans.rules.ts'

const named = (name: string) => standardPlans.find((plan) => plan.name === name)

describe('the plans are those of the upgrade dialog', () => {
  test('limits', () => {
    const rest = { usersPerApp: -1, licensesPerApp: -1, variablesPerApp: -1 }
    expect(named('Free')?.limits).toEqual({
      apps: 1,
      usersPerApp: 10,
      licensesPerApp: 25,
      variablesPerApp: 3,
      storageMb: 2,
    })
    expect(named('Developer')?.limits).toEqual({ apps: 5, ...rest, storageMb: 500 })
    expect(named('Pro')?.limits).toEqual({ apps: -1, ...rest, storageMb: 5000 })
  })
  test('the table of docs/operate/plans-and-limits.md', () => {
    const page = readFileSync(new URL('../../../docs/operate/plans-and-limits.md', import.meta.url), 'utf8')
    const text = (limit: number) => (limit === unlimited ? 'no limit' : limit.toLocaleString('en'))
    for (const { name, limits } of [...standardPlans, unlimitedPlan]) {
      const perApp = [limits.usersPerApp, limits.licensesPerApp, limits.variablesPerApp].map(text)
      const each = new Set(perApp).size === 1 ? perApp[0] : `${perApp[0]}, ${perApp[1]} and ${perApp[2]}`
      const storage = limits.storageMb === unlimited ? 'no limit' : `${text(limits.storageMb)} MB`
      expect(page).toContain(`\n| ${name} | ${text(limits.apps)} | ${each} | ${storage} | `)
    }
  })
  test('each includes the features of the previous one', () => {
    const included = standardPlans.map(({ features }) => planFeatures.filter((feature) => features[feature]))
    expect(included.map(({ length }) => length)).toEqual([3, 5, 7])
    expect(included[1]).toEqual(expect.arrayContaining(included[0] as string[]))
  })
  test('the platform’s own has no limits and every feature', () => {
    expect(Object.values(unlimitedPlan.limits)).toEqual([-1, -1, -1, -1, -1])
    expect(Object.values(unlimitedPlan.features)).not.toContain(false)
  })
  test('prices', () => {
    expect(standardPlans.map(({ price }) => price)).toEqual([0, 9.99, 24.99])
  })
})

describe('the plan in force', () => {
  const now = 1_800_000_000
  test('is the chosen one until the second it expires, then Free', () => {
    expect(planNameOf({ plan: 'Pro', plan_expires_at: now + 1 }, now)).toBe('Pro')
    expect(planNameOf({ plan: 'Pro', plan_expires_at: now }, now)).toBe('Free')
    expect(planNameOf({ plan: 'Developer', plan_expires_at: null }, now)).toBe('Developer')
  })
})

describe('usage', () => {
  test('is normal below 80 %, a warning from 80 %, exceeded at 100 %', () => {
    expect([3, 4, 5, 6].map((used) => usageStatus(used, 5))).toEqual(['normal', 'warning', 'exceeded', 'exceeded'])
    expect([7, 8, 9, 10].map((used) => usageStatus(used, 10))).toEqual(['normal', 'warning', 'warning', 'exceeded'])
    expect([19, 20, 24, 25].map((used) => usageStatus(used, 25))).toEqual(['normal', 'warning', 'warning', 'exceeded'])
    expect([0, 1].map((used) => usageStatus(used, 1))).toEqual(['normal', 'exceeded'])
  })
  test('is exceeded at a limit of 0, and never without a limit', () => {
    expect(usageStatus(0, 0)).toBe('exceeded')
    expect([usageStatus(1e9, unlimited), usageStatus(1e9, 'unlimited')]).toEqual(['unlimited', 'unlimited'])
  })
  test('is exceeded exactly when there is no room for one more', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (used, limit) => {
        expect(usageStatus(used, limit) === 'exceeded').toBe(roomWithin(limit, used) < 1)
      }),
    )
  })
})

test('a limit leaves room for what is left of it, for none once it is exceeded, and for any number without one', () => {
  expect([roomWithin(25, 20), roomWithin(25, 25), roomWithin(25, 30)]).toEqual([5, 0, 0])
  expect(roomWithin(unlimited, 1e9)).toBe(Infinity)
})

test('returns -1 as unlimited, and 0 as 0', () => {
  expect([limitOnWire(-1), limitOnWire(0), limitOnWire(25)]).toEqual(['unlimited', 0, 25])
})
