import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { expectQueriesRejected } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { assign, newReseller, newSellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp
let otherAppId: string
let goneAppId: string

/** Names of the owner's resellers, by what each is here. */
const named: Record<string, string> = {}

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
  const { visitor } = owner
  const newApp = async (appName: string) => (await visitor.call('POST /create_app', { body: { appName } })).body.appId
  otherAppId = await newApp('Other app')
  goneAppId = await newApp('Gone app')
  const few = { planCosts: { '30': 5 }, credits: 9 }
  const invited = async () => {
    app.advance(1)
    return newReseller(app, owner)
  }
  const selling = async (credits: number, of = owner) => {
    app.advance(1)
    return newSellingReseller(app, { credits }, of)
  }
  const ban = (id: string) => visitor.call('POST /resellers/{id}/ban', { params: { id }, body: { banned: true } })

  const rich = await selling(10)
  const poor = await selling(9)
  const bannedPoor = await selling(0)
  const fresh = await invited()
  const bannedFresh = await invited()
  for (const { id } of [bannedPoor, bannedFresh]) await ban(id)
  await assign(owner, { ...few, id: bannedFresh.id, appName: 'Other app' })
  await assign(owner, { ...few, id: rich.id, appName: 'Gone app' })
  await visitor.call('POST /delete_app', { body: { appId: goneAppId } })
  for (const [what, { username }] of Object.entries({ rich, poor, bannedPoor, fresh, bannedFresh }))
    named[what] = username
  await selling(0, stranger)
})
afterAll(() => app.close())

type Query = NonNullable<Calls['GET /resellers']['query']>

/** What the found resellers are, newest first. */
async function list(query: Query, of = owner) {
  const { resellers, total, counts } = (await of.visitor.call('GET /resellers', { query })).body
  expect(total).toBe(resellers.length)
  const found = resellers.map(({ username }) => Object.keys(named).find((what) => named[what] === username))
  return { found, counts }
}

test('what is no state, app, or amount is rejected', async () => {
  await expectQueriesRejected(owner.visitor, '/resellers', [
    { status: 'gone' },
    { status: 'active,gone' },
    { status: 'banned,' },
    { status: "banned' or 1=1" },
    { status: Array.from({ length: 100 }, () => 'banned').join(',') },
    { credits: 'high' },
    { credits: '9' },
    { assignedAppId: 'a'.repeat(41) },
  ])
})

test.each<[query: Query, found: string[]]>([
  [{ status: 'active' }, ['poor', 'rich']],
  [{ status: 'invited' }, ['fresh']],
  [{ status: 'banned' }, ['bannedFresh', 'bannedPoor']],
  [{ status: 'invited,banned' }, ['bannedFresh', 'fresh', 'bannedPoor']],
  [{ status: 'active,invited,banned' }, ['bannedFresh', 'fresh', 'bannedPoor', 'poor', 'rich']],
  [{ credits: 'low' }, ['bannedFresh', 'bannedPoor', 'poor']],
  [{ credits: 'low', status: 'active' }, ['poor']],
  [{ credits: 'low', status: 'invited' }, []],
])('%j finds %j, of this owner alone', async (query, found) => {
  expect((await list(query)).found).toEqual(found)
  expect((await list({ ...query, sort: 'created' })).found).toEqual(found.toReversed())
  for (const one of found) expect((await list({ ...query, search: named[one] as string })).found).toEqual([one])
})

test('an app finds those who sell it; a deleted one, and one of another owner, nobody', async () => {
  expect((await list({ assignedAppId: owner.appId })).found).toEqual(['bannedPoor', 'poor', 'rich'])
  expect((await list({ assignedAppId: owner.appId, status: 'active', credits: 'low' })).found).toEqual(['poor'])
  expect((await list({ assignedAppId: otherAppId })).found).toEqual(['bannedFresh'])
  for (const assignedAppId of [goneAppId, stranger.appId, 'missing', "' or 1=1 --"])
    expect((await list({ assignedAppId })).found).toEqual([])
})

test('each filter finds as many as are counted, whatever the filter', async () => {
  const { counts } = await list({ status: 'banned', credits: 'low' })
  expect(counts).toEqual({
    total: 5,
    active: 2,
    invited: 1,
    banned: 2,
    lowCredits: 3,
    apps: [
      { appId: owner.appId, appName: owner.appName, count: 3 },
      { appId: otherAppId, appName: 'Other app', count: 1 },
    ],
  })
  expect((await list({}, stranger)).counts).toMatchObject({ total: 1, active: 1, lowCredits: 1, apps: [{ count: 1 }] })
  const nobody = await newOwnerWithApp(app)
  const none = { total: 0, active: 0, invited: 0, banned: 0, lowCredits: 0, apps: [] }
  expect((await list({}, nobody)).counts).toEqual(none)
})
