import type { Insertable } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activityLog } from '#features/logs/logs.actions.ts'
import { newSubscriber, signedIn, userPassword } from '#testing/people/end-users.ts'
import { expectQueriesRejected, notQueryIntegers, strangeTexts } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { keepSignedIn } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { activityJob } from '../overview.actions.ts'
import type { LogsTable } from '../../logs/logs.table.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
})
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  stranger = await newOwnerWithApp(app)
  await keepSignedIn(app, owner)
})
afterAll(() => app.close())

type Days = '1' | '7' | '30' | '90'

interface Range {
  from: number
  to: number
}

async function overview(days: Days = '7', timeZone?: string, range?: Range) {
  await activityLog(app.services).flush()
  const query = { days, ...(timeZone && { timeZone }), ...range }
  const { status, body } = await owner.visitor.call('GET /overview', { query })
  expect(status).toBe(200)
  return body
}
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** Runs twice by default: each run counts only up to the end of the log at the previous run. */
async function countedRuns(times = 2) {
  for (let run = 0; run < times; run++) {
    app.advance(31)
    await app.jobsDone()
  }
}

describe('what a program did', () => {
  test('is included in today at once, and unchanged once counted', async () => {
    const [first = '', banned = ''] = await newLicenses(owner, 3)
    await newSubscriber(owner, { username: 'marta' })
    await owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: [banned] } })
    const program = await signedIn(app, owner, 'marta')
    await program.logout()
    await signedIn(app, owner, 'MARTA')
    const keyed = await Program.of(app, owner)
    await keyed.init()
    await keyed.license(first)
    await keyed.heartbeat()
    const rejected = await Program.of(app, owner)
    await rejected.init()
    await rejected.license(banned)
    await rejected.license(banned)
    await rejected.login('marta', `${userPassword}x`)

    const live = await overview()
    expect(live.points).toHaveLength(7)
    expect(live.points.at(-1)).toMatchObject({
      signIns: 3,
      activeUsers: 2,
      rejected: 3,
      activations: 1,
      newUsers: 2,
    })
    expect(live.activeUsers).toBe(2)
    expect(live.rejections).toEqual([
      { code: 'LICENSE_BANNED', count: 2 },
      { code: 'INVALID_CREDENTIALS', count: 1 },
    ])
    expect(live.countries).toEqual([{ country: '', count: 3 }])
    expect(live).toMatchObject({ levels: 1, licenses: 3, counting: false, timeZone: 'UTC', roundedDays: false })

    const days = live.points.map(({ from: _from, to: _to, ...counts }) => counts)
    await countedRuns()
    expect(
      await app.db.read.selectFrom('activity_users').selectAll().where('app_id', '=', owner.appId).execute(),
    ).toHaveLength(2)
    const counted = await overview()
    expect(counted.points.map(({ from: _from, to: _to, ...counts }) => counts).toSorted(bySignIns)).toEqual(
      days.toSorted(bySignIns),
    )
    expect(counted.rejections).toEqual(live.rejections)
  })
  const bySignIns = (a: { signIns: number }, b: { signIns: number }) => a.signIns - b.signIns

  test("in another app isn't included", async () => {
    await signedIn(app, stranger, await newSubscriber(stranger))
    const body = await overview('90')
    expect(sum(body.points.map(({ signIns, newUsers }) => signIns + newUsers))).toBe(0)
    await countedRuns()
    expect((await overview('90')).activeUsers).toBe(0)
  })

  test('activations and new users count only rows that still exist', async () => {
    const keys = await newLicenses(owner, 2)
    for (const key of keys) {
      const program = await Program.of(app, owner)
      await program.init()
      await program.license(key)
    }
    const counted = async () => {
      const { points } = await overview()
      return [sum(points.map(({ activations }) => activations)), sum(points.map(({ newUsers }) => newUsers))]
    }
    expect(await counted()).toEqual([2, 2])
    await owner.visitor.call('POST /delete_license', { body: { licenseKey: keys[0] as string, deleteUsers: true } })
    expect(await counted()).toEqual([1, 1])
  })

  test("licenses that will expire count on their day; banned and expired ones don't", async () => {
    const keys = await newLicenses(owner, 3, { expiryUnit: 'days', duration: 3 })
    for (const key of keys) {
      const program = await Program.of(app, owner)
      await program.init()
      await program.license(key)
    }
    await owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses: keys.slice(0, 1) } })
    const licenses = async (days: Days) => (await overview(days)).expiring.map((each) => each.licenses)
    expect(await licenses('7')).toEqual([0, 0, 0, 2, 0, 0, 0])
    expect(sum(await licenses('1'))).toBe(0)
    expect(sum(await licenses('90'))).toBe(2)
    app.advance(2 * 86_400 + 3600)
    expect(sum(await licenses('1'))).toBe(2)
    app.advance(86_400)
    expect(sum(await licenses('90'))).toBe(0)
  })

  test('licenses that will expire are those that the list behind their number shows', async () => {
    const minute = Math.ceil(app.now() / 60) * 60
    app.advance(minute + 30 - app.now())
    for (const [at, key] of (await newLicenses(owner, 4)).entries()) {
      const row = { used: 1, used_by: 'anna', used_at: 1, expires_at: minute - 1 + at * 20 }
      await app.db.write(({ db }) => db.updateTable('licenses').set(row).where('license', '=', key).execute())
    }
    const { expiring } = await overview('1')
    const query = { status: 'used' as const, expiresFrom: minute, expiresUntil: (expiring.at(-1)?.to ?? 0) - 1 }
    expect((await owner.visitor.call('GET /licenses', { query })).body.total).toBe(3)
    expect(sum(expiring.map(({ licenses }) => licenses))).toBe(3)
  })
})

/** Seeded random numbers, the same in every run. */
function random(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** A log row. */
const row = (of: Partial<Insertable<LogsTable>>): Insertable<LogsTable> => ({
  app_id: owner.appId,
  at: app.now(),
  call: 'login',
  code: '',
  message: '',
  username: '',
  license: '',
  hwid_hash: '',
  ip: '::1',
  country: '',
  session: '',
  ...of,
})
const insert = (rows: readonly Insertable<LogsTable>[]) =>
  app.db.write(({ db }) =>
    db
      .insertInto('logs')
      .values([...rows])
      .execute(),
  )
const lastId = async () => {
  const last = await app.db.read.selectFrom('logs').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return Number(last?.id ?? 0)
}

const names = ['marta', 'Marta', 'ÉVA', 'éva', 'k0da', '', 'user with spaces']
const calls = ['login', 'license', 'register', 'init', 'logout', 'message', 'upgrade']
const codes = ['', '', '', 'LICENSE_BANNED', 'HWID_MISMATCH', '__proto__']

test.each([1, 2, 3])(
  'every number equals a plain count of the rows, before and after aggregation, in any time zone (seed %i)',
  async (seed) => {
    const pick = random(seed)
    const now = app.now()
    const rows = Array.from({ length: 1500 }, () =>
      row({
        app_id: pick(5) === 0 ? stranger.appId : owner.appId,
        at: now - pick(pick(2) === 0 ? 93 * 86_400 : 30 * 3600),
        call: calls[pick(calls.length)] ?? '',
        code: codes[pick(codes.length)] ?? '',
        username: names[pick(names.length)] ?? '',
        country: ['', 'BR', 'US'][pick(3)] ?? '',
      }),
    )
    const hour = Math.floor(now / 3600) * 3600
    const ranges = [
      { from: hour - 40 * 86_400, to: hour - 20 * 86_400 },
      { from: hour - 30 * 3600, to: hour - 3 * 3600 },
      { from: hour - 3 * 86_400, to: hour + 3600 },
    ]
    const periods: [Days, Range?][] = [
      ['1'],
      ['7'],
      ['30'],
      ['90'],
      ...ranges.map((range): [Days, Range] => ['7', range]),
    ]
    const check = async (present: typeof rows) => {
      const compared = new Set<string>()
      for (const [days, range] of periods) {
        for (const zone of ['UTC', 'America/Sao_Paulo', 'Asia/Kathmandu']) {
          const body = await overview(days, zone, range)
          const name = `${days} ${range?.from} ${zone}`
          expect(shownBy(body), name).toEqual(naive(present, body))
          if (!body.previous) continue
          compared.add(range ? 'range' : days)
          expect(activityOf(body.previous), name).toEqual(naiveActivity(present, body.previous))
        }
      }
      return [...compared].toSorted()
    }
    const within = (present: typeof rows, from: number, to: number) =>
      present.filter(({ app_id, at }) => app_id === owner.appId && at >= from && at < to)
    const comes = (row: (typeof rows)[number]) => row.code === '' && ['login', 'license', 'register'].includes(row.call)
    const users = (some: typeof rows) =>
      new Set(some.filter((row) => comes(row) && row.username !== '').map((row) => row.username.toLowerCase())).size
    const byLabel = (labels: readonly string[]) =>
      Object.entries(Object.groupBy(labels, (label) => `/${label}`))
        .map(([label, all = []]) => [label.slice(1), all.length] as const)
        .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    type Body = Awaited<ReturnType<typeof overview>>
    type Activity = Pick<Body, 'points' | 'activeUsers'>
    const wholeOf = (present: typeof rows, { points }: Activity) =>
      within(present, points[0]?.from ?? 0, points.at(-1)?.to ?? 0)
    const naiveActivity = (present: typeof rows, of: Activity) => ({
      points: of.points.map(({ from, to }) => {
        const some = within(present, from, to)
        const signIns = some.filter(comes).length
        return { signIns, activeUsers: users(some), rejected: some.filter(({ code }) => code !== '').length }
      }),
      activeUsers: users(wholeOf(present, of)),
    })
    const naive = (present: typeof rows, body: Body) => {
      const whole = wholeOf(present, body)
      return {
        ...naiveActivity(present, body),
        rejections: byLabel(whole.filter(({ code }) => code !== '').map(({ code }) => code)),
        countries: byLabel(whole.filter(comes).map(({ country }) => country)),
      }
    }
    const activityOf = ({ points, activeUsers }: Activity) => ({
      points: points.map((point) => ({
        signIns: point.signIns,
        activeUsers: point.activeUsers,
        rejected: point.rejected,
      })),
      activeUsers,
    })
    const shownBy = (body: Body) => ({
      ...activityOf(body),
      rejections: body.rejections.map(({ code, count }) => [code, count]),
      countries: body.countries.map(({ country, count }) => [country, count]),
    })

    await insert(rows.slice(0, 700))
    await check(rows.slice(0, 700))
    await countedRuns()
    await insert(rows.slice(700))
    await check(rows)
    await countedRuns()
    expect(await check(rows)).toEqual(['1', '30', '7', 'range'])
    const { counted_id } = await app.db.read.selectFrom('activity_progress').selectAll().executeTakeFirstOrThrow()
    expect(Number(counted_id)).toBe(await lastId())
  },
)

test('counts a row that is committed after one with a higher number', async () => {
  await insert([row({ username: 'late' }), row({ username: 'early' })])
  const late = await app.db.read
    .selectFrom('logs')
    .selectAll()
    .where('app_id', '=', owner.appId)
    .where('username', '=', 'late')
    .executeTakeFirstOrThrow()
  // As if the transaction that got this ID had not committed yet.
  await app.db.write(({ db }) =>
    db.deleteFrom('logs').where('app_id', '=', owner.appId).where('id', '=', late.id).execute(),
  )
  await countedRuns(1)
  await app.db.write(({ db }) => db.insertInto('logs').values(late).execute())
  await countedRuns()
  expect((await overview()).activeUsers).toBe(2)
  const rows = await app.db.read
    .selectFrom('activity_hours')
    .select('count')
    .where('app_id', '=', owner.appId)
    .execute()
  expect(sum(rows.map(({ count }) => Number(count)))).toBe(2)
})

test('two processes that count at once count nothing twice', async () => {
  await insert(Array.from({ length: 50 }, () => row({})))
  await countedRuns(1)
  const job = { id: 0, lane: '', owner: '', payload: null, attempt: 1, createdAt: 0, finish: async () => {} }
  await Promise.all([1, 2, 3].map(() => activityJob.run(app.services, job)))
  expect(await lastId()).toBe(await counted())
  expect(sum((await overview()).points.map(({ signIns }) => signIns))).toBe(50)
})

const counted = async () =>
  Number((await app.db.read.selectFrom('activity_progress').select('counted_id').executeTakeFirstOrThrow()).counted_id)

test("rows of an app deleted meanwhile don't block counting the others", async () => {
  const gone = await newOwnerWithApp(app)
  await insert([row({ app_id: gone.appId }), row({})])
  await countedRuns(1)
  await gone.visitor.call('POST /delete_app', { body: { appId: gone.appId } })
  await countedRuns()
  expect(sum((await overview()).points.map(({ signIns }) => signIns))).toBe(1)
})

test('deletes counts that are older than every period', async () => {
  await insert([row({ at: app.now() - 191 * 86_400, username: 'x' }), row({ username: 'x' })])
  await countedRuns(3)
  for (const table of ['activity_hours', 'activity_users'] as const) {
    const rows = await app.db.read.selectFrom(table).select('hour').where('app_id', '=', owner.appId).execute()
    expect(rows).toHaveLength(1)
  }
})

test('reports counts that are far behind, and bounds the rows read instead', async () => {
  await insert([row({})])
  expect((await overview()).counting).toBe(false)
  const before = await counted()
  const setCounted = (id: number) =>
    app.db.write(({ db }) => db.updateTable('activity_progress').set({ counted_id: id }).execute())
  await setCounted((await lastId()) - 50_001)
  const behind = await overview()
  expect(behind.counting).toBe(true)
  expect(sum(behind.points.map(({ signIns }) => signIns))).toBe(0)
  await setCounted(before)
})

describe('days are the reader’s', () => {
  test("are in the account's zone, unless the call names one", async () => {
    await owner.visitor.call('POST /profile/update', { body: { timeZone: 'Asia/Kolkata' } })
    const own = await overview('30')
    expect(own).toMatchObject({ timeZone: 'Asia/Kolkata', roundedDays: true })
    // Midnight there is 18:30 UTC; the day begins at the nearest whole hour.
    expect(new Set(own.points.slice(0, -1).map(({ from }) => new Date(from * 1000).getUTCHours()))).toEqual(
      new Set([18]),
    )
    const named = await overview('30', 'America/Sao_Paulo')
    expect(named).toMatchObject({ timeZone: 'America/Sao_Paulo', roundedDays: false })
    expect(new Set(named.points.map(({ from }) => new Date(from * 1000).getUTCHours()))).toEqual(new Set([3]))
  })

  test('24 hours are the same in every zone', async () => {
    for (const zone of ['UTC', 'Asia/Kathmandu']) {
      const { points, roundedDays } = await overview('1', zone)
      expect(points.map(({ from, to }) => to - from)).toEqual(Array(24).fill(3600))
      expect(roundedDays).toBe(false)
    }
  })

  test.each([...strangeTexts, 'utc', '+03:00', 'Mars/Olympus', 'x'.repeat(64)])(
    'rejects the unknown zone %j',
    async (timeZone) => {
      const { status, body } = await owner.visitor.call('GET /overview', { query: { timeZone } })
      expect([status, body.code]).toEqual([400, 'TIME_ZONE_UNKNOWN'])
    },
  )
})

test('rejects invalid queries', async () => {
  const days = [...notQueryIntegers, ' 7', '7.0', '2', '24', '91', '365']
  const queries = [
    ...days.map((each) => ({ days: each })),
    { timeZone: 'x'.repeat(65) },
    { page: 1 },
    { from: -1, to: 0 },
    { from: 'x', to: 3600 },
  ]
  await expectQueriesRejected(owner.visitor, '/overview', queries)
})
