import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reader } from '#database/database.ts'
import { ReportPlans } from '#testing/plans/report-plans.ts'
import { countByApp, countByStatus, countResellers, listResellers } from './resellers.reads.ts'

let plans: ReportPlans

beforeAll(async () => {
  plans = await ReportPlans.open()
})
afterAll(() => plans.close())

const filter = { ownerId: 'owner', status: 'active,invited', assignedAppId: 'app', credits: 'low' } as const

test.each<[name: string, read: (reader: Reader) => Promise<unknown>]>([
  ['the resellers of a filter', (reader) => listResellers(reader, { ...filter, offset: 0, limit: 10 })],
  ['their number', (reader) => countResellers(reader, filter)],
  ['the numbers by status', (reader) => countByStatus(reader, 'owner')],
  ['the numbers by app', (reader) => countByApp(reader, 'owner', 100)],
])('%s: of no table is more read than the resellers of one owner', async (_, read) => {
  const [statement, ...others] = await plans.statementsOf(read)
  expect(others).toEqual([])
  const steps = await plans.scansOf(...(statement as NonNullable<typeof statement>))
  for (const step of steps) expect(step).toMatch(/resellers_list.*owner_id/)
})
