import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAdmin, newOwner, type Owner, setPlan } from '#testing/people/people.ts'
import { setAccountBanned } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

/** Several values of a filter, and the order of owners. */

let app: TestApp
let admin: Owner

beforeAll(async () => {
  app = await startTestApp()
  admin = await newAdmin(app, 'An_admin')
  const plans = ['Free', 'Developer', 'Pro', 'Gone', 'Pro', 'Free']
  for (const [n, plan] of plans.entries()) {
    if (n % 2 === 0) app.advance(1)
    const { id } = await newOwner(app, `${'CbaDeF'[n]}wner_${n}`, { plan: 'Free' })
    await setPlan(app, id, plan)
    if (n % 3 === 0) await setAccountBanned(app, id, true)
  }
})
afterAll(() => app.close())

const list = async (query: object) => (await admin.visitor.call('GET /admin/owners', { query })).body

test('several plans and states match each owner once, and as many as the figures count', async () => {
  const { stats } = (await admin.visitor.call('GET /admin/stats')).body
  expect(stats.states).toEqual({ active: 4, banned: 2, admin: 1 })
  for (const state of ['active', 'banned', 'admin'] as const)
    expect((await list({ status: state })).total).toBe(stats.states[state])
  expect((await list({ status: 'banned,admin' })).total).toBe(3)
  expect((await list({ status: 'banned,banned' })).total).toBe(2)
  expect((await list({ status: 'active,banned,admin' })).total).toBe(stats.totals.owners)
  const countOf = (plan: string) => stats.plans.find(({ name }) => name === plan)?.count ?? 0
  // Owners of a deleted plan are on Free.
  expect(countOf('Free')).toBe(3)
  expect((await list({ planName: 'Free,Pro' })).total).toBe(countOf('Free') + countOf('Pro'))
  // A plan that is gone is nobody's current one.
  expect((await list({ planName: 'Gone' })).total).toBe(0)
  expect((await list({ planName: 'Free,Pro,Developer,Unlimited,Gone' })).total).toBe(stats.totals.owners)
  expect((await list({ planName: 'Pro', status: 'banned' })).total).toBe(0)
  expect((await list({ planName: "Pro,' or 1=1 --" })).total).toBe(countOf('Pro'))
})

test('owners are sorted by name, plan, and creation, both ways, in pages without gaps', async () => {
  const all = (await list({ limit: 100 })).owners
  const values: Record<string, (owner: (typeof all)[number]) => string | number> = {
    owner: ({ username }) => username.toLowerCase(),
    plan: ({ planDisplayName }) => planDisplayName.toLowerCase(),
    created: ({ createdDate }) => createdDate,
  }
  for (const [column, valueOf] of Object.entries(values)) {
    for (const sort of [column, `-${column}`]) {
      const pages = [1, 2, 3].map((page) => list({ sort, limit: 3, page }))
      const shown = (await Promise.all(pages)).flatMap(({ owners }) => owners)
      expect(new Set(shown.map(({ id }) => id)).size, sort).toBe(all.length)
      const direction = sort === column ? 1 : -1
      const sorted = shown
        .map(valueOf)
        .toSorted((one, other) => (one < other ? -direction : one > other ? direction : 0))
      expect(shown.map(valueOf), sort).toEqual(sorted)
    }
  }
})

test('unknown states and orders are rejected', async () => {
  for (const query of [
    { status: 'active,gone' },
    { status: 'banned,' },
    { planName: 'x'.repeat(1020) },
    { sort: 'email' },
    { sort: 'password_hash' },
    { sort: '--owner' },
  ])
    expect((await admin.visitor.call('GET /admin/owners', { query: query as object })).status).toBe(400)
})
