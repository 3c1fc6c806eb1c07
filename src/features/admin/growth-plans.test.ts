import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReportPlans } from '#testing/plans/report-plans.ts'
import type { GrowthFilter } from './growth.reads.ts'
import { countOwners, listOwners } from './owners.reads.ts'

let plans: ReportPlans

beforeAll(async () => {
  plans = await ReportPlans.open()
})
afterAll(() => plans.close())

/** Apps are read from end to end, as owners are: there are few of them. */
const tables: Record<Exclude<GrowthFilter['growth'], 'apps'>, string> = {
  users: 'users',
  licenses: 'licenses',
  signIns: 'activity_hours',
}

test.each(Object.entries(tables) as [keyof typeof tables, string][])(
  'owners of new %s: the rows of %s are not read from end to end, but found by an index of each app',
  async (growth, table) => {
    const filter = { growth, growthFrom: 1_700_000_000, growthUntil: 1_700_600_000 }
    const statements = await plans.statementsOf(async (reader) => {
      await countOwners(reader, filter, 1_700_600_000)
      await listOwners(reader, { ...filter, offset: 0, limit: 10 }, 1_700_600_000)
    })
    expect(statements).toHaveLength(2)
    for (const [text, values] of statements) {
      expect(text).toContain(table)
      const steps = await plans.scansOf(text, values)
      const own = steps.filter((step) => step.includes(table))
      for (const step of own) expect(step).toMatch(/Index (?:Only )?Scan|SEARCH/)
      for (const step of own) expect(step).toMatch(/\bapp_id ?=/)
    }
  },
)
