import { sql } from 'kysely'
import type { AuditEvent } from '#contract/audit-events.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { type AlertType, alertTypes } from './alerts.rules.ts'
import { detect } from './detection.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const minute = 60
const hour = 3600
const day = 24 * hour

interface Story {
  owner: OwnedApp
  /** The owner's other apps. */
  others: readonly OwnedApp[]
}

const insert = (table: string, rows: readonly Record<string, string | number | null>[]) =>
  app.db.write(async ({ db }) => {
    for (const row of rows) {
      const names = sql.join(Object.keys(row).map((name) => sql.ref(name)))
      await sql`insert into ${sql.table(table)} (${names}) values (${sql.join(Object.values(row))})`.execute(db)
    }
  })

/** A program's call `secondsAgo` seconds ago. */
const call = ({ appId }: OwnedApp, secondsAgo: number, more: object = {}) =>
  insert('logs', [{ app_id: appId, at: app.now() - secondsAgo, call: 'login', ip: '203.0.113.7', ...more }])

const each = async (amount: number, make: (n: number) => Promise<unknown>) => {
  for (let n = 0; n < amount; n++) await make(n)
}

const userOf = async ({ appId }: OwnedApp, username: string, more: object = {}): Promise<number> => {
  await insert('users', [
    { app_id: appId, username, username_key: username.toLowerCase(), created_at: app.now(), ...more },
  ])
  const { id } = await app.db.read
    .selectFrom('users')
    .select('id')
    .where('app_id', '=', appId)
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  return id
}

const session = async (owner: OwnedApp, userId: number, more: object = {}) => {
  const token = Math.random().toString(36)
  const { appId } = owner
  const row = { token_hash: token, handle: token, user_id: userId, ip: '203.0.113.7', created_at: app.now() }
  await insert('client_sessions', [
    { app_id: appId, last_heartbeat_at: app.now(), expires_at: app.now() + hour, ...row, ...more },
  ])
}

let licenses = 0

const license = ({ appId }: OwnedApp, more: object) =>
  insert('licenses', [
    {
      app_id: appId,
      license: `KEY-${++licenses}`,
      level: 1,
      duration_seconds: day,
      created_at: app.now(),
      ...more,
    },
  ])

/** A license redeemed by a user. */
const redeemed = async (owner: OwnedApp, secondsAgo: number, ip: string, more: object = {}) => {
  const name = `user-${++licenses}`
  const id = await userOf(owner, name, { ip })
  const at = app.now() - secondsAgo
  await license(owner, { used: 1, used_by: name, used_by_user_id: id, used_at: at, expires_at: at + day, ...more })
}

const record = ({ appId, id }: OwnedApp, secondsAgo: number, name: AuditEvent, target: string, more: object = {}) =>
  insert('audit', [
    {
      at: app.now() - secondsAgo,
      actor_type: 'reseller',
      actor_id: 'res_1',
      owner_id: id,
      app_id: appId,
      act: name,
      target,
      details: '{}',
      ip: '203.0.113.9',
      request_id: 'r',
      ...more,
    },
  ])

const ofReseller = { reseller_id: 'res_1', generated_by: 'rita' }

/** For each detector: activity that triggers it, and activity that just misses it in number, time or kind. */
const stories: Record<
  AlertType,
  { fires: (story: Story) => Promise<unknown>; misses: ((story: Story) => Promise<unknown>)[] }
> = {
  IP_MULTI_KEY: {
    fires: ({ owner }) => each(5, (n) => call(owner, n * hour, { username: `u${n}` })),
    misses: [
      ({ owner }) => each(6, (n) => call(owner, n * hour, { username: `u${n % 4}` })),
      ({ owner }) => each(5, (n) => call(owner, n * (6 * hour + 1), { username: `u${n}` })),
      // Guesses are not keys.
      ({ owner }) => each(9, (n) => call(owner, n, { username: `u${n}`, code: 'LICENSE_NOT_FOUND' })),
    ],
  },
  HWID_MULTI_KEY: {
    fires: ({ owner }) => each(3, (n) => call(owner, n, { username: `u${n}`, hwid_hash: 'h', ip: `10.0.0.${n}` })),
    misses: [
      ({ owner }) => each(9, (n) => call(owner, n, { username: `u${n % 2}`, hwid_hash: 'h', ip: `10.0.0.${n}` })),
      ({ owner }) => each(4, (n) => call(owner, n, { username: `u${n}`, hwid_hash: `h${n}`, ip: `10.0.0.${n}` })),
    ],
  },
  LOADER_HASH_MISMATCH: {
    fires: ({ owner }) => each(3, (n) => call(owner, n * hour, { call: 'init', code: 'HASH_MISMATCH' })),
    misses: [
      ({ owner }) => each(2, (n) => call(owner, n, { call: 'init', code: 'HASH_MISMATCH' })),
      ({ owner }) => each(4, (n) => call(owner, n, { call: 'init', code: 'HASH_MISMATCH', ip: `10.0.0.${n}` })),
      ({ owner }) => each(9, (n) => call(owner, n, { call: 'init', code: 'VERSION_OUTDATED' })),
    ],
  },
  HWID_CHANGED: {
    fires: async ({ owner }) => {
      await userOf(owner, 'Ada', { hwid_hash: 'mine' })
      await call(owner, 5, { username: 'Ada', hwid_hash: 'other', code: 'HWID_MISMATCH' })
    },
    misses: [
      async ({ owner }) => {
        await userOf(owner, 'Ägir', { hwid_hash: 'mine' })
        await call(owner, 5, { username: 'ÄGIR', hwid_hash: 'mine', code: 'HWID_MISMATCH' })
      },
      ({ owner }) => each(5, (n) => call(owner, n, { username: 'ada', hwid_hash: 'bound' })),
      ({ owner }) => each(2, (n) => call(owner, n * (day + 1), { username: 'ada', hwid_hash: `h${n}` })),
      ({ owner }) =>
        each(3, (n) => call(owner, n, { username: 'ada', hwid_hash: `h${n}`, code: 'INVALID_CREDENTIALS' })),
    ],
  },
  IP_CHANGED_COUNTRY: {
    fires: ({ owner }) =>
      each(2, (n) => call(owner, n * hour, { username: 'ada', country: ['BR', 'JP'][n] as string })),
    misses: [
      ({ owner }) =>
        each(2, (n) => call(owner, n * (2 * hour + 1), { username: 'ada', country: ['BR', 'JP'][n] as string })),
      // An unknown country is not another country.
      ({ owner }) => each(2, (n) => call(owner, n, { username: 'ada', country: ['BR', ''][n] as string })),
      ({ owner }) => each(2, (n) => call(owner, n, { username: `u${n}`, country: ['BR', 'JP'][n] as string })),
    ],
  },
  RAPID_IP_CHANGE: {
    fires: ({ owner }) => each(4, (n) => call(owner, n * 20 * minute, { username: 'ada', ip: `10.0.0.${n}` })),
    misses: [
      ({ owner }) => each(9, (n) => call(owner, n, { username: 'ada', ip: `10.0.0.${n % 3}` })),
      ({ owner }) => each(4, (n) => call(owner, n * 21 * minute, { username: 'ada', ip: `10.0.0.${n}` })),
    ],
  },
  SIMULTANEOUS_SESSIONS: {
    fires: async ({ owner }) => {
      const id = await userOf(owner, 'ada')
      await each(3, (n) => session(owner, id, { hwid_hash: `h${n}` }))
    },
    misses: [
      async ({ owner }) => {
        const id = await userOf(owner, 'ada')
        await each(5, (n) => session(owner, id, { hwid_hash: `h${n % 2}` }))
      },
      async ({ owner }) => {
        const id = await userOf(owner, 'ada')
        await each(3, (n) => session(owner, id, { hwid_hash: `h${n}`, expires_at: app.now() + (n === 0 ? 0 : 60) }))
      },
      async ({ owner }) => {
        const id = await userOf(owner, 'ada')
        await each(3, (n) => session(owner, id, { hwid_hash: `h${n}`, ended_code: n === 0 ? 'SESSION_ENDED' : null }))
      },
    ],
  },
  EXPIRED_STILL_TRYING: {
    fires: ({ owner }) => each(5, (n) => call(owner, n * hour, { username: 'ada', code: 'SUBSCRIPTION_EXPIRED' })),
    misses: [
      ({ owner }) => each(4, (n) => call(owner, n, { username: 'ada', code: 'SUBSCRIPTION_EXPIRED' })),
      ({ owner }) => each(9, (n) => call(owner, n, { username: 'ada', code: 'SUBSCRIPTION_PAUSED' })),
    ],
  },
  RESELLER_MASS_RESET_HWID: {
    fires: async ({ owner }) => {
      await each(4, (n) => record(owner, n * minute, 'user.reset-hwid', `u${n}`))
      await record(owner, 5 * minute, 'user.bulk-reset-hwid', '6 users')
    },
    misses: [
      ({ owner }) => each(9, (n) => record(owner, n, 'user.reset-all-hwid', `u${n}`)),
      ({ owner }) => each(12, (n) => record(owner, n, 'user.reset-hwid', `u${n}`, { actor_id: `res_${n % 2}` })),
      ({ owner }) => each(12, (n) => record(owner, n, 'user.reset-hwid', `u${n}`, { actor_type: 'owner' })),
      // A user may have chosen this name.
      ({ owner }) => record(owner, 0, 'user.reset-hwid', '600 users'),
    ],
  },
  RESELLER_SAME_IP_LICENSES: {
    fires: ({ owner }) => each(5, (n) => redeemed(owner, n * day, '203.0.113.7', ofReseller)),
    misses: [
      ({ owner }) => each(4, (n) => redeemed(owner, n * day, '203.0.113.7', ofReseller)),
      ({ owner }) => each(5, (n) => redeemed(owner, n * day, '203.0.113.7')),
      ({ owner }) => each(5, (n) => redeemed(owner, n * day, `10.0.0.${n}`, ofReseller)),
    ],
  },
  RESELLER_LICENSE_PATTERN: {
    fires: ({ owner }) => each(100, (n) => license(owner, { ...ofReseller, created_at: app.now() - n * 30 })),
    misses: [
      ({ owner }) => each(99, (n) => license(owner, { ...ofReseller, created_at: app.now() - n })),
      ({ owner }) => each(100, (n) => license(owner, { created_at: app.now() - n })),
    ],
  },
  RESELLER_CHARGEBACK_PATTERN: {
    fires: ({ owner }) => each(5, (n) => redeemed(owner, n * 7 * day, `10.0.0.${n}`, { ...ofReseller, banned: 1 })),
    misses: [
      ({ owner }) => each(6, (n) => redeemed(owner, n, `10.0.0.${n}`, { ...ofReseller, banned: n < 4 ? 1 : 0 })),
      ({ owner }) => each(5, (n) => redeemed(owner, n * 8 * day, `10.0.0.${n}`, { ...ofReseller, banned: 1 })),
      ({ owner }) => each(6, (n) => redeemed(owner, n, `10.0.0.${n}`, { banned: 1 })),
    ],
  },
  RESELLER_CREDIT_ABUSE: {
    fires: ({ owner }) => each(10, (n) => record(owner, n * hour, 'license.bulk-delete', `KEY-${n}`)),
    misses: [
      ({ owner }) => each(9, (n) => record(owner, n, 'license.delete', `KEY-${n}`)),
      ({ owner }) => each(20, (n) => record(owner, n, 'license.create', `KEY-${n}`)),
    ],
  },
  CROSS_APP_NO_LICENSE: {
    fires: async ({ owner, others: [other] }) => {
      await call(other as OwnedApp, hour, { username: 'ada', machine_hash: 'm' })
      await each(3, (n) => call(owner, n, { call: 'license', code: 'LICENSE_NOT_FOUND', machine_hash: 'm' }))
    },
    misses: [
      ({ owner }) => each(9, (n) => call(owner, n, { call: 'license', code: 'LICENSE_NOT_FOUND', machine_hash: 'm' })),
      async ({ owner, others: [other] }) => {
        await call(other as OwnedApp, hour, { username: 'ada', machine_hash: 'm' })
        await each(2, (n) => call(owner, n, { call: 'license', code: 'LICENSE_NOT_FOUND', machine_hash: 'm' }))
      },
      async ({ owner, others: [other] }) => {
        await call(other as OwnedApp, hour, { machine_hash: 'm', code: 'INVALID_CREDENTIALS' })
        await each(3, (n) => call(owner, n, { call: 'license', code: 'LICENSE_NOT_FOUND', machine_hash: 'm' }))
      },
    ],
  },
  CROSS_APP_SAME_HWID: {
    fires: async ({ owner, others }) => {
      await each(3, (n) =>
        call([owner, ...others][n] as OwnedApp, n * day, { username: 'ada', machine_hash: 'm', ip: `10.0.0.${n}` }),
      )
    },
    misses: [
      async ({ owner, others }) => {
        await each(6, (n) =>
          call([owner, ...others][n % 2] as OwnedApp, n, { username: 'ada', machine_hash: 'm', ip: '10.0.0.1' }),
        )
      },
      async ({ owner, others }) => {
        await each(3, (n) => call([owner, ...others][n] as OwnedApp, n * 4 * day, { username: 'a', machine_hash: 'm' }))
      },
    ],
  },
  CROSS_APP_SAME_IP: {
    fires: ({ owner, others }) =>
      each(3, (n) => call([owner, ...others][n] as OwnedApp, n * hour, { username: 'ada' })),
    misses: [
      ({ owner, others }) => each(6, (n) => call([owner, ...others][n % 2] as OwnedApp, n, { username: 'ada' })),
      ({ owner, others }) =>
        each(3, (n) => call([owner, ...others][n] as OwnedApp, n * 13 * hour, { username: 'ada' })),
    ],
  },
  LICENSE_TRANSFER: {
    fires: ({ owner }) =>
      each(2, (n) =>
        call(owner, n * 3 * day, {
          call: 'license',
          license: 'K',
          username: 'K',
          hwid_hash: `h${n}`,
          ip: `10.0.0.${n}`,
        }),
      ),
    misses: [
      // Another machine at the same address, and the same machine at another one.
      ({ owner }) => each(2, (n) => call(owner, n * 3 * day, { license: 'K', username: 'K', hwid_hash: `h${n}` })),
      ({ owner }) =>
        each(3, (n) => call(owner, n * day, { license: 'K', username: 'K', hwid_hash: 'h', ip: `10.0.0.${n}` })),
    ],
  },
  LICENSE_RAPID_ACTIVATION: {
    fires: ({ owner }) => each(10, (n) => redeemed(owner, n * minute, '203.0.113.7')),
    misses: [
      ({ owner }) => each(9, (n) => redeemed(owner, n, '203.0.113.7')),
      ({ owner }) => each(10, (n) => redeemed(owner, n * 67, '203.0.113.7')),
      ({ owner }) => each(10, (n) => redeemed(owner, n, `10.0.0.${n}`)),
    ],
  },
}

async function newStory(): Promise<Story> {
  const owner = await newOwnerWithApp(app)
  const others: OwnedApp[] = []
  for (const appName of ['Second', 'Third']) {
    const { body } = await owner.visitor.call('POST /create_app', { body: { appName } })
    others.push({ ...owner, appId: body.appId, appName })
  }
  return { owner, others }
}

const alertsOf = async ({ visitor, appId }: OwnedApp) => {
  const { body } = await visitor.call('GET /alerts', { query: { appId } })
  return body.data
}

test('every specified type has a test scenario', () => {
  expect(Object.keys(stories)).toEqual(alertTypes)
})

test.each(alertTypes)('%s is raised once from stored data, with its evidence (R-CLI-09)', async (type) => {
  const story = await newStory()
  await stories[type].fires(story)
  await detect(app.services, story.owner.appId)
  const raised = (await alertsOf(story.owner)).filter((alert) => alert.type === type)
  expect(raised).toHaveLength(1)
  expect(raised[0]?.details.measured).toBeGreaterThanOrEqual(raised[0]?.details.threshold as number)
  expect(raised[0]?.details.events.length).toBeGreaterThan(0)
  expect(await detect(app.services, story.owner.appId)).toBe(0)
  expect((await alertsOf(story.owner)).filter((alert) => alert.type === type)).toEqual(raised)
})

const nearMisses = alertTypes.flatMap((type) => stories[type].misses.map((_, n) => [type, n] as const))

test.each(nearMisses)('%s is not raised by near miss %i', async (type, n) => {
  const story = await newStory()
  await stories[type].misses[n]?.(story)
  await detect(app.services, story.owner.appId)
  expect((await alertsOf(story.owner)).filter((alert) => alert.type === type)).toEqual([])
})

test('evidence lists no unknown names or keys as users, and no users of other apps as users of this one', async () => {
  const { owner, others } = await newStory()
  await call(others[0] as OwnedApp, hour, { username: 'ada', machine_hash: 'm' })
  for (const [n, license] of ['TYPO-1', 'TYPO-2'].entries())
    await call(owner, n + 1, { call: 'license', code: 'LICENSE_NOT_FOUND', license, machine_hash: 'm' })
  await call(owner, 3, { code: 'INVALID_CREDENTIALS', username: 'nobody', machine_hash: 'm' })
  await detect(app.services, owner.appId)
  const [alert] = (await alertsOf(owner)).filter(({ type }) => type === 'CROSS_APP_NO_LICENSE')
  expect(alert?.details).toMatchObject({
    userCount: 1,
    users: [],
    usersElsewhere: [{ app: 'Second', username: 'ada' }],
    licenses: [],
    attempts: ['nobody', 'TYPO-2', 'TYPO-1'],
  })
  const subjects = alert?.details.events.map(({ username, license, attempt }) => username || license || attempt)
  expect(subjects).toEqual(['ada', 'nobody', 'TYPO-2', 'TYPO-1'])
})

test('the machine of a user is one machine, in the alphabets of all names', async () => {
  const owner = await newOwnerWithApp(app)
  await userOf(owner, 'ÄDA Σ', { hwid_hash: 'first' })
  await call(owner, 9, { username: 'ÄDA Σ', hwid_hash: 'first' })
  await call(owner, 5, { username: 'ÄDA Σ', hwid_hash: 'other', code: 'HWID_MISMATCH' })
  await detect(app.services, owner.appId)
  expect((await alertsOf(owner)).map(({ type, details }) => [type, details.measured])).toEqual([['HWID_CHANGED', 2]])
})

test('a deleted reseller appears by ID, without a link', async () => {
  const owner = await newOwnerWithApp(app)
  await each(10, (n) => record(owner, n * hour, 'license.delete', `KEY-${n}`))
  await detect(app.services, owner.appId)
  const [alert] = await alertsOf(owner)
  expect(alert?.details).toMatchObject({ key: 'res_1', reseller: '', userCount: 0, users: [] })
})

test('what happens to one subject again is one alert, also for two processes that scan at once', async () => {
  const owner = await newOwnerWithApp(app)
  const travel = (username: string, secondsAgo: number) =>
    each(4, (n) => call(owner, secondsAgo + n, { username, ip: `203.0.113.${n}` }))
  for (const hours of [5, 3, 1]) await travel('ada', hours * hour)
  await travel('ben', 2 * hour)
  const raised = await Promise.all([detect(app.services, owner.appId), detect(app.services, owner.appId)])
  expect(raised[0] + raised[1]).toBe(2)
  const seen = (await alertsOf(owner)).map(({ details }) => [details.users, details.occurrences, details.lastAt])
  expect(seen.toSorted()).toEqual([
    [['ada'], 3, app.now() - hour],
    [['ben'], 1, app.now() - 2 * hour],
  ])
})
