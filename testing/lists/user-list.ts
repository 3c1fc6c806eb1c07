import fc from 'fast-check'
import {
  day,
  edgesAround,
  isBetween,
  isOneOf,
  type ListModel,
  perhaps,
  type Scene,
  someOf,
  someTime,
  week,
} from './list-model.ts'
import { foundIn, someSearch, someText } from './random-texts.ts'

/** Users as the rules describe their list (USR-8, USR-33 to USR-38). */

const levels = [1, 2, 3, 7]

const rarely = fc.integer({ min: 0, max: 3 }).map((each) => (each === 0 ? 1 : 0))

const someUser = (now: number) =>
  fc.record({
    name: someText,
    email: fc.oneof(fc.constant(''), someText),
    ip: fc.constantFrom('', '203.0.113.7', '2001:db8::1'),
    banned: rarely,
    paused: rarely,
    created_at: fc.constantFrom(now - 3 * week, now - day, now),
    last_login_at: fc.constantFrom<number | null>(null, now - day, now - 1, now),
    /** When the time of each level ends; null for never. */
    ends: fc.dictionary(
      fc.constantFrom(...levels.map(String)),
      fc.option(fc.constantFrom(...edgesAround(now)), { nil: null, freq: 4 }),
      { maxKeys: 3, noNullPrototype: true },
    ),
  })

async function fill({ app, owner, now, sample }: Scene) {
  const rows = sample(someUser(now)).toSorted((one, other) => one.created_at - other.created_at)
  const users = rows.map((row, place) => ({ ...row, place, username: `${row.name}~${place}` }))
  await app.db.write(async ({ db }) => {
    for (const { name: _name, ends, place: _place, ...row } of users) {
      const base = { app_id: owner.appId, created_at: now }
      const hidden = { password_hash: null, hwid_hash: null, paused_at: row.paused ? now - 5 : null }
      const values = { ...base, ...hidden, ...row, username_key: keyOf(row) }
      const user = await db.insertInto('users').values(values).returning('id').executeTakeFirstOrThrow()
      const entitlements = Object.entries(ends).map(([level, end]) => ({
        ...base,
        user_id: Number(user.id),
        level: Number(level),
        expires_at: end,
        license_id: null,
      }))
      if (entitlements.length > 0) await db.insertInto('user_subscriptions').values(entitlements).execute()
    }
  })
  return users
}

type Row = Awaited<ReturnType<typeof fill>>[number]

const keyOf = ({ username }: { username: string }) => username.normalize('NFC').toLowerCase()

const accessUntil = ({ ends }: Row) => Math.max(0, ...Object.values(ends).map((end) => end ?? Infinity))

const statusOf = (row: Row, now: number) =>
  row.banned ? 'banned' : row.paused ? 'paused' : accessUntil(row) > now ? 'active' : 'expired'

const someFilter = (now: number) =>
  fc.record({
    status: perhaps(someOf(['banned', 'paused', 'active', 'expired'])),
    level: perhaps(someOf([...levels, 9].map(String))),
    createdFrom: perhaps(someTime(now)),
    createdUntil: perhaps(someTime(now)),
    lastLoginFrom: perhaps(someTime(now)),
    lastLoginUntil: perhaps(someTime(now)),
  })

type Filter = ReturnType<typeof someFilter> extends fc.Arbitrary<infer F> ? F : never

export async function userList(scene: Scene): Promise<ListModel<Row, Filter>> {
  const { owner, now } = scene
  const { visitor } = owner
  return {
    rows: await fill(scene),
    idOf: ({ username }) => username,
    filters: someFilter(now),
    searches: someSearch,
    matches: (row, filter) =>
      isOneOf(filter.status, statusOf(row, now)) &&
      (filter.level === undefined || filter.level.split(',').some((level) => level in row.ends)) &&
      isBetween(row.created_at, filter.createdFrom, filter.createdUntil) &&
      isBetween(row.last_login_at, filter.lastLoginFrom, filter.lastLoginUntil),
    found: ({ username, email, ip }, search) => foundIn(search, { fields: [username, email, ip], isIndexed: true }),
    sorts: {
      username: (row) => [keyOf(row)],
      timeLeft: (row) => [row.paused, accessUntil(row)],
      created: (row) => [row.created_at],
      lastLogin: (row) => [row.last_login_at ?? 0],
    },
    defaultOrder: ({ createdFrom, createdUntil, lastLoginFrom, lastLoginUntil }) => {
      const isOfSignIns = lastLoginFrom !== undefined || lastLoginUntil !== undefined
      const isBySignIn = isOfSignIns && createdFrom === undefined && createdUntil === undefined
      return { by: (row) => [(isBySignIn ? row.last_login_at : row.created_at) ?? 0], descending: true }
    },
    tie: ({ descending }) => ({ by: (row) => [row.place], descending }),
    read: async (query) => {
      const { body } = await visitor.call('GET /users', { query })
      return { ids: body.users.map(({ username }) => username), total: body.total, totalPages: body.totalPages }
    },
    exported: async (filter) => {
      const { body } = await visitor.call('GET /export_users', { query: { ...filter, format: 'json' } })
      return (JSON.parse(body.content) as { username: string }[]).map(({ username }) => username)
    },
    counted: async (filter) => {
      const { body } = await visitor.call('POST /users/bulk', { body: { action: 'ban', filter, dryRun: true } })
      return body.done
    },
  }
}
