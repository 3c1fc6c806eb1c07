import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReportPlans } from '#testing/plans/report-plans.ts'
import { countByValue } from './audit-facets.reads.ts'
import { type AuditChoice, listAudit } from './audit.reads.ts'

let plans: ReportPlans
/** On PostgreSQL, for the plan as a whole. */
let client: pg.Client | undefined

beforeAll(async () => {
  plans = await ReportPlans.open()
  if (plans.url === '') return
  client = new pg.Client({ connectionString: plans.url })
  await client.connect()
  await client.query('set enable_seqscan = off; set enable_bitmapscan = off')
})
afterAll(async () => {
  await client?.end()
  await plans.close()
})

async function planOf(text: string, values: readonly unknown[]): Promise<string> {
  if (!client) return (await plans.scansOf(text, values)).join('\n')
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [...values])
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

const own: AuditChoice = { ownerId: 'owner', isOwn: true, now: 1_800_000_000 }
const all: AuditChoice = { isOwn: false, now: 1_800_000_000 }

test.each([
  ['several actions', { ...own, act: 'license.ban,user.ban' }, 'audit_owner'],
  ['several subjects', { ...own, act: 'license,user' }, 'audit_owner'],
  ['several kinds of actors', { ...own, actor: 'reseller,seller-key' }, 'audit_owner'],
  ['all of these', { ...own, act: 'license,user.ban', actor: 'owner,reseller' }, 'audit_owner'],
  ['several actions of the platform', { ...all, act: 'license.ban,user.ban' }, 'audit_time'],
  ['several kinds of actors of the platform', { ...all, actor: 'reseller,seller-key' }, 'audit_time'],
])('%s are read in the order of time from %s', async (_, choice, index) => {
  const lists = await plans.statementsOf((reader) => listAudit(reader, { ...choice, offset: 5000, limit: 50 }))
  const counts = await plans.statementsOf((reader) => countByValue(reader, { ...choice }, 10_000))
  for (const [text, values] of [...lists, ...counts]) {
    const plan = await planOf(text, values)
    expect(plan, text).toMatch(new RegExp(`\\b${index}\\b`))
  }
})
