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

/** Licenses as the rules describe their list (LIC-28 to LIC-42). */

const statuses = ['unused', 'used', 'banned', 'expiring'] as const

const creators = [
  { generated_by: null, reseller_id: null },
  { generated_by: 'Reseller Ä', reseller_id: 'res_one' },
  { generated_by: 'rudi_10%', reseller_id: 'res_two' },
]

const someLicense = (now: number) =>
  fc.record({
    key: someText,
    level: fc.constantFrom(1, 2, 3, 7),
    notes: fc.oneof(fc.constant(''), someText),
    creator: fc.constantFrom(...creators),
    user: fc.option(someText, { nil: null }),
    usedAt: fc.constantFrom(now - 2 * week, now - week, now - day, now - 1, now),
    end: fc.option(fc.constantFrom(...edgesAround(now)), { nil: null, freq: 4 }),
    banned: fc.boolean(),
    createdAt: fc.constantFrom(now - 3 * week, now - 2 * week, now - day, now),
  })

async function fill({ app, owner, now, sample }: Scene) {
  const rows = sample(someLicense(now)).toSorted((one, other) => one.createdAt - other.createdAt)
  const values = rows.map(({ key, level, notes, creator, user, usedAt, end, banned, createdAt }, at) => ({
    ...creator,
    app_id: owner.appId,
    license: `${key}~${at}`,
    level,
    duration_seconds: user === null || end === null ? 0 : Math.max(1, end - usedAt),
    notes,
    price: null,
    used: user === null ? 0 : 1,
    used_by: user,
    used_by_user_id: user === null ? null : 1000 + at,
    used_at: user === null ? null : usedAt,
    expires_at: user === null ? null : end,
    banned: banned ? 1 : 0,
    created_at: createdAt,
  }))
  await app.db.write(({ db }) => db.insertInto('licenses').values(values).execute())
  // Created in this order.
  return values.map((row, place) => ({ ...row, place }))
}

type Row = Awaited<ReturnType<typeof fill>>[number]

const stateOf = ({ banned, used }: Row) => (banned ? 2 : used)

function hasStatus(row: Row, status: string, now: number): boolean {
  if (status !== 'expiring') return statuses[stateOf(row)] === status
  const { banned, expires_at: end } = row
  return !banned && end !== null && end > now && end <= now + week
}

const someFilter = (now: number) =>
  fc.record({
    status: perhaps(someOf(statuses)),
    level: perhaps(someOf(['1', '2', '3', '7', '9'])),
    redeemed: perhaps(fc.boolean()),
    resellerId: perhaps(fc.constantFrom('res_one', 'res_two', 'res_none')),
    createdFrom: perhaps(someTime(now)),
    createdUntil: perhaps(someTime(now)),
    redeemedFrom: perhaps(someTime(now)),
    redeemedUntil: perhaps(someTime(now)),
    expiresFrom: perhaps(someTime(now)),
    expiresUntil: perhaps(someTime(now)),
  })

type Filter = ReturnType<typeof someFilter> extends fc.Arbitrary<infer F> ? F : never

export async function licenseList(scene: Scene): Promise<ListModel<Row, Filter>> {
  const { owner, now } = scene
  const { visitor } = owner
  return {
    rows: await fill(scene),
    idOf: ({ license }) => license,
    filters: someFilter(now),
    searches: someSearch,
    matches: (row, filter) =>
      (filter.status === undefined || filter.status.split(',').some((status) => hasStatus(row, status, now))) &&
      isOneOf(filter.level, String(row.level)) &&
      (filter.redeemed === undefined || (row.used === 1) === filter.redeemed) &&
      (filter.resellerId === undefined || row.reseller_id === filter.resellerId) &&
      isBetween(row.created_at, filter.createdFrom, filter.createdUntil) &&
      isBetween(row.used_at, filter.redeemedFrom, filter.redeemedUntil) &&
      isBetween(row.expires_at, filter.expiresFrom, filter.expiresUntil),
    found: ({ license, notes, used_by, generated_by }, search) =>
      foundIn(search, { fields: [license, notes, used_by ?? '', generated_by ?? ''], isIndexed: true }),
    sorts: {
      license: (row) => [row.license],
      status: (row) => [stateOf(row)],
      subscription: (row) => [row.level],
      expiry: (row) => [row.expires_at ?? Infinity],
      created: (row) => [row.created_at],
    },
    defaultOrder: ({ redeemedFrom, redeemedUntil, expiresFrom, expiresUntil }) => {
      if (redeemedFrom !== undefined || redeemedUntil !== undefined)
        return { by: (row) => [row.used_at ?? 0], descending: true }
      if (expiresFrom !== undefined || expiresUntil !== undefined)
        return { by: (row) => [row.expires_at ?? Infinity], descending: false }
      return { by: (row) => [row.created_at], descending: true }
    },
    tie: ({ descending }) => ({ by: (row) => [row.place], descending }),
    read: async (query) => {
      const { body } = await visitor.call('GET /licenses', { query })
      return { ids: body.licenses.map(({ license }) => license), total: body.total, totalPages: body.totalPages }
    },
    exported: async (filter) => {
      const { body } = await visitor.call('GET /export_licenses', { query: { ...filter, format: 'json' } })
      return (JSON.parse(body.content) as { license: string }[]).map(({ license }) => license)
    },
    counted: async (filter) => {
      const { body } = await visitor.call('POST /licenses/bulk', { body: { action: 'ban', filter, dryRun: true } })
      return body.done
    },
  }
}
