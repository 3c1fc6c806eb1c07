import { setImmediate } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asReportCaller, RequestAborted } from '#database/report-queue.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import { activityJob } from '#features/overview/overview.actions.ts'
import { newFailedJob } from '#testing/failed-jobs.ts'
import { newSubscriber, newUser, signedIn } from '#testing/people/end-users.ts'
import {
  newAdmin,
  newLicenses,
  newOwner,
  newOwnerWithApp,
  type OwnedApp,
  type Owner,
  setPlan,
} from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { setAccountBanned } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { readGrowth } from './read-growth.ts'

/** What needs administrators, how the platform grows, and the lists behind the numbers. */

let app: TestApp
let admin: Owner
const day = 86_400

beforeAll(async () => {
  app = await startTestApp()
  admin = await newAdmin(app)
})
afterAll(() => app.close())

/** Days pass, and the administrator and these owners sign in again. */
async function passDays(days: number, people: readonly Owner[] = []): Promise<void> {
  app.advance(days * day)
  for (const { username, password, visitor } of [admin, ...people])
    expect((await visitor.call('POST /login', { body: { username, password } })).status).toBe(200)
}

const needs = async () => (await admin.visitor.call('GET /admin/needs')).body
const growth = async (days: '7' | '30' | '90' = '7', timeZone?: string) =>
  (await admin.visitor.call('GET /admin/growth', { query: { days, ...(timeZone && { timeZone }) } })).body
type Filter = NonNullable<Parameters<typeof admin.visitor.call<'GET /admin/owners'>>[1]>['query']
const owners = async (query: Filter) => (await admin.visitor.call('GET /admin/owners', { query })).body
const idsOf = async (query: Filter) => (await owners({ limit: 100, ...query })).owners.map(({ id }) => id)

test('an owner can see neither', async () => {
  const owner = await newOwner(app)
  for (const call of ['GET /admin/needs', 'GET /admin/growth', 'GET /admin/owners'] as const)
    expect((await owner.visitor.call(call)).status).toBe(403)
  expect((await owner.visitor.call('GET /admin/owners', { query: { growth: 'users' } })).status).toBe(403)
})

test.each([[{ days: '8' }], [{ timeZone: 'Nowhere/At_All' }], [{ timeZone: "UTC'; drop table accounts; --" }]])(
  'growth of %j is rejected',
  async (query) => {
    const reply = await admin.visitor.send('GET', '/api/1.0/website/admin/growth', { query: query as { days: string } })
    expect(reply.status).toBe(400)
  },
)

test.each([
  [{ status: 'gone' }],
  [{ planEnds: 'month' }],
  [{ limits: 'all' }],
  [{ days: '0' }],
  [{ from: '-1' }],
  [{ plan: 'x'.repeat(51) }],
  [{ growth: 'owners' }],
  [{ growth: "users' or 1=1 --" }],
  [{ growth: '__proto__' }],
  [{ growth: 'users', growthFrom: '-1' }],
  [{ growth: 'users', growthUntil: '1e308' }],
  [{ growth: 'users', growthFrom: '0;drop table users' }],
])('owners of %j are rejected', async (query) => {
  const reply = await admin.visitor.send('GET', '/api/1.0/website/admin/owners', {
    query: query as unknown as Record<string, string>,
  })
  expect(reply.status).toBe(400)
})

test('the number of owners of each plan is what the list of that plan has, also after a plan has ended or is deleted', async () => {
  const now = app.now()
  const [pro, ended, deleted] = [await newOwner(app), await newOwner(app), await newOwner(app)]
  await setPlan(app, pro.id, 'Pro', now + 20 * day)
  await setPlan(app, ended.id, 'Pro', now)
  await setPlan(app, deleted.id, 'Gone')
  const { stats } = (await admin.visitor.call('GET /admin/stats')).body
  for (const { name, count } of stats.plans)
    expect([name, (await owners({ planName: name })).total]).toEqual([name, count])
  expect(stats.plans.find(({ name }) => name === 'Pro')).toMatchObject({ price: 24.99 })
  const free = await idsOf({ planName: 'Free' })
  expect([pro, ended, deleted].map(({ id }) => free.includes(id))).toEqual([false, true, true])
  expect(await idsOf({ planName: "Pro' or 1=1 --" })).toEqual([])
})

test('owners are listed by state and by the time of their registration', async () => {
  const early = await newOwner(app)
  await passDays(10)
  const [late, banned] = [await newOwner(app), await newOwner(app)]
  await setAccountBanned(app, banned.id, true)
  expect(await idsOf({ status: 'banned' })).toEqual([banned.id])
  expect(await idsOf({ status: 'admin' })).toEqual([admin.id])
  expect(await idsOf({ status: 'active' })).not.toContain(banned.id)
  expect((await idsOf({ from: app.now() })).toSorted()).toEqual([late.id, banned.id].toSorted())
  expect(await idsOf({ days: 9 })).toEqual(await idsOf({ from: app.now() }))
  expect(await idsOf({ until: app.now() - 1 })).toContain(early.id)
  expect(await idsOf({ until: app.now() - 1 })).not.toContain(late.id)
})

test('owners whose plan ends within 7 days are counted and listed; those whose plan has ended are not', async () => {
  const before = (await needs()).plansEnding
  const ends = [1, 7 * day, 7 * day + 1, 0]
  const made = []
  for (const seconds of ends) {
    const owner = await newOwner(app)
    await setPlan(app, owner.id, 'Pro', app.now() + seconds)
    made.push(owner.id)
  }
  const listed = await idsOf({ planEnds: 'week' })
  expect(made.map((id) => listed.includes(id))).toEqual([true, true, false, false])
  expect((await needs()).plansEnding).toBe(before + 2)
  expect((await owners({ planEnds: 'week' })).total).toBe(before + 2)
})

test('owners near a limit of their plan are counted and listed: from 80% in one app, and not without limits', async () => {
  const before = (await needs()).nearLimits
  const near = await newOwnerWithApp(app, undefined, { plan: 'Free' })
  const half = await newOwnerWithApp(app, undefined, { plan: 'Free' })
  const pro = await newOwnerWithApp(app, undefined, { plan: 'Pro' })
  const unlimited = await newOwnerWithApp(app, undefined, { plan: 'Unlimited' })
  for (const owner of [near, pro, unlimited]) await newLicenses(owner, 20)
  await newLicenses(half, 19)
  const among = async () => {
    const listed = await idsOf({ limits: 'near' })
    return [near, half, pro, unlimited].map(({ id }) => listed.includes(id))
  }
  expect(await among()).toEqual([true, false, false, false])
  await newLicenses(half, 1)
  expect(await among()).toEqual([true, true, false, false])
  expect((await needs()).nearLimits).toBe(before + 2)
  // Users of Free: 10 per app.
  const users = await newOwnerWithApp(app, undefined, { plan: 'Free' })
  for (let n = 0; n < 8; n++) await newUser(users)
  expect(await idsOf({ limits: 'near' })).toContain(users.id)
  // After its end, a plan's limits are those of Free.
  await setPlan(app, pro.id, 'Pro', app.now())
  expect((await among())[2]).toBe(true)
})

test('failed jobs and locked sign-ins are counted, with the latest failure', async () => {
  expect(await needs()).toMatchObject({ failedJobs: { count: 0, kind: '', error: '' }, lockedSignIns: 0 })
  await newFailedJob(app, { error: 'The first' })
  app.advance(60)
  await newFailedJob(app, { kind: 'mail', error: 'The latest' })
  expect((await needs()).failedJobs).toEqual({ count: 2, kind: 'mail', error: 'The latest' })
  const owner = await newOwner(app)
  const body = { username: owner.username, password: 'Wrong7Horse' }
  const visitor = app.visitor()
  for (let n = 0; n < 12; n++) await visitor.call('POST /login', { body })
  expect((await needs()).lockedSignIns).toBe(1)
  await passDays(1)
  expect((await needs()).lockedSignIns).toBe(0)
})

test('maintenance mode needs an administrator while it is on, and says since when', async () => {
  expect((await needs()).maintenance).toBeNull()
  const save = async (maintenanceMode: boolean) => {
    const { platform } = (await admin.visitor.call('GET /admin/settings')).body.settings
    const body = { settings: { ...platform, maintenanceMode } }
    expect((await admin.visitor.call('POST /admin/settings/platform', { body })).status).toBe(200)
  }
  await save(true)
  const since = app.now()
  app.advance(60)
  expect((await needs()).maintenance).toEqual({ since })
  await save(false)
  expect((await needs()).maintenance).toBeNull()
})

test('growth counts new rows by day with the days before, and its owners are those of the list', async () => {
  await passDays(200)
  const from = app.now() - (app.now() % day)
  app.advance(from + day + 12 * 3600 - app.now())
  const seller = await newOwnerWithApp(app)
  await newLicenses(seller, 3)
  await passDays(8)
  const owner = await newOwnerWithApp(app)
  const [key = ''] = await newLicenses(owner, 2)
  await newSubscriber(owner, { days: 10 })
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  await activityLog(app.services).flush()
  const { points, previous, timeZone } = await growth()
  expect([points.length, previous?.length, timeZone]).toEqual([7, 7, 'UTC'])
  const today = points.at(-1)
  expect(today).toMatchObject({ owners: 1, apps: 1, users: 2, licenses: 2, signIns: 1 })
  expect(points.slice(0, -1).every((point) => point.owners + point.licenses + point.signIns === 0)).toBe(true)
  expect(previous?.reduce((sum, { licenses }) => sum + licenses, 0)).toBe(3)
  const listed = await owners({ from: points[0]?.from ?? 0, until: (today?.to ?? 0) - 1 })
  expect(listed.total).toBe(points.reduce((sum, point) => sum + point.owners, 0))
})

const metrics = ['apps', 'licenses', 'users', 'signIns'] as const

test('the owners behind a number of growth are listed: exactly those with rows that it counts', async () => {
  app.advance(day + 12 * 3600 - (app.now() % day))
  await passDays(200)
  const old: OwnedApp[] = []
  for (let n = 0; n < 4; n++) old.push(await newOwnerWithApp(app))
  const [licensing, adding, signingIn, gone] = old as [OwnedApp, OwnedApp, OwnedApp, OwnedApp]
  const subscriber = await newSubscriber(signingIn, { days: null })
  await newLicenses(signingIn, 1)
  await passDays(20, old)
  const creating = await newOwnerWithApp(app)
  await newLicenses(licensing, 2)
  const other = await newUser(adding)
  await signedIn(app, signingIn, subscriber)
  await newLicenses(gone, 3)
  await newUser(gone)
  await activityLog(app.services).flush()
  const figures = async () => {
    const { points } = await growth()
    const sum = (metric: (typeof metrics)[number]) => points.reduce((total, point) => total + point[metric], 0)
    const [from, until] = [points[0]?.from ?? 0, (points.at(-1)?.to ?? 0) - 1]
    const listed = await Promise.all(
      metrics.map((metric) => idsOf({ growth: metric, growthFrom: from, growthUntil: until })),
    )
    return metrics.map((metric, at) => [metric, sum(metric), listed[at]?.toSorted()])
  }
  expect(await figures()).toEqual([
    ['apps', 1, [creating.id]],
    ['licenses', 5, [licensing.id, gone.id].toSorted()],
    ['users', 2, [adding.id, gone.id].toSorted()],
    ['signIns', 1, [signingIn.id]],
  ])

  // Rows that no longer exist, and rows of an app that is being deleted, are neither counted nor listed.
  await app.db.write(({ db }) =>
    db.updateTable('apps').set({ deleted_at: app.now() }).where('id', 'in', [gone.appId, creating.appId]).execute(),
  )
  await adding.visitor.call('POST /delete_user', { body: { username: other } })
  // Once with the sign-in still in the log, and once with it in the counts.
  const job = { id: 0, lane: '', owner: '', payload: null, attempt: 1, createdAt: 0, finish: async () => {} }
  for (let run = 0; run < 2; run++) await activityJob.run(app.services, job)
  app.advance(61)
  expect(await figures()).toEqual([
    ['apps', 0, []],
    ['licenses', 2, [licensing.id]],
    ['users', 0, []],
    ['signIns', 1, [signingIn.id]],
  ])
  await app.db.write(({ db }) =>
    db.updateTable('apps').set({ deleted_at: app.now() }).where('id', '=', signingIn.appId).execute(),
  )
  app.advance(61)
  expect((await figures()).at(-1)).toEqual(['signIns', 0, []])
})

test('both ends of the time belong to it; sign-ins count by the hour, and other filters still apply', async () => {
  app.advance(3600 - (app.now() % 3600) + 1800)
  await passDays(200)
  const owner = await newOwnerWithApp(app)
  const at = app.now()
  await newLicenses(owner, 1)
  await signedIn(app, owner, await newSubscriber(owner))
  await activityLog(app.services).flush()
  const isListed = async (query: Filter) => (await idsOf(query)).includes(owner.id)
  for (const metric of ['apps', 'licenses', 'users'] as const) {
    const within = (growthFrom: number, growthUntil: number) => isListed({ growth: metric, growthFrom, growthUntil })
    expect([await within(at, at), await within(at - 1, at - 1), await within(at + 1, at + 1)]).toEqual([
      true,
      false,
      false,
    ])
    expect(await within(at + 1, at - 1)).toBe(false)
  }
  const hour = at - 1800
  const signIns = (growthFrom: number, growthUntil: number) => isListed({ growth: 'signIns', growthFrom, growthUntil })
  expect(await signIns(hour, hour + 3599)).toBe(true)
  expect(await signIns(hour - 3600, hour - 1)).toBe(false)
  expect(await signIns(hour + 3600, hour + 7199)).toBe(false)
  // As days count it whose zone has half hours: an hour belongs to where its middle is.
  expect([await signIns(hour + 1800, hour + 5399), await signIns(hour - 1800, hour + 1799)]).toEqual([true, false])
  for (const metric of metrics) expect(await isListed({ growth: metric })).toBe(true)
  expect(await isListed({ growth: 'licenses', status: 'banned' })).toBe(false)
  expect((await owners({ growth: 'licenses', search: owner.id, growthFrom: at })).total).toBe(1)
})

test('days begin in the time zone of the reader; a platform without a past has nothing to compare with', async () => {
  const { points } = await growth('30', 'Asia/Tokyo')
  for (const { from } of points) expect((from + 9 * 3600) % day).toBe(0)
  const fresh = await startTestApp()
  try {
    const first = await newAdmin(fresh)
    const { body } = await first.visitor.call('GET /admin/growth')
    expect([body.points.length, body.previous]).toEqual([30, null])
  } finally {
    await fresh.close()
  }
})

test('a caller who leaves does not end a read that another one waits for', async () => {
  const leaving = new AbortController()
  let reads = 0
  let second: Promise<unknown> | undefined
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      reads += 1
      // Of the first caller: the first of those that are kept for both.
      if (reads === 3) {
        second = asReportCaller({ owner: 'second', signal: undefined }, read)
        await expect.poll(() => reads).toBe(5)
        await setImmediate()
        leaving.abort()
      }
      return result
    },
  }
  const services = { ...app.services, db: { ...app.db, reports: app.db.reports.withPlugin(plugin) } }
  const handler = readGrowth.handler as unknown as { read: (context: object) => Promise<unknown> }
  const read = () => handler.read({ services, query: {}, now: app.now() })
  const first = asReportCaller({ owner: 'first', signal: leaving.signal }, read)
  await expect(first).rejects.toThrow(RequestAborted)
  await expect(second).resolves.toMatchObject({ at: app.now() })
})
