import fc from 'fast-check'
import { day, edgesAround, isOneOf, type ListModel, perhaps, type Scene, someOf, someTime } from './list-model.ts'
import { foundIn, someSearch, someText } from './random-texts.ts'

/** Log entries as the rules describe their list (LOG-6, LOG-41 to LOG-50). */

const machines = ['abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ', 'abcdefghijkXmnopqrstuvwxyzABCDEFGHIJKLMNOPQ']
const fingerprints = machines.map((hash) => hash.slice(0, 12))
const codes = ['USER_BANNED', 'HWID_MISMATCH', 'X']
const calls = ['login', 'license', 'init', 'message', 'renew', 'heartbeat']
const addresses = ['203.0.113.7', '2001:db8::1']
const textOrNone = fc.oneof(fc.constant(''), someText)

const someEntry = (now: number) =>
  fc.record({
    at: fc.constantFrom(...edgesAround(now).filter((each) => each <= now)),
    call: fc.constantFrom(...calls),
    code: fc.constantFrom('', '', ...codes),
    message: textOrNone,
    username: textOrNone,
    license: textOrNone,
    hwid_hash: fc.constantFrom('', ...machines),
    ip: fc.constantFrom('', ...addresses),
    country: fc.constantFrom('', 'DE', 'BR'),
    request: fc.constantFrom('', 'K7F3-92QD'),
  })

async function fill({ app, owner, now, sample }: Scene) {
  const rows = sample(someEntry(now)).map((row) => ({ ...row, app_id: owner.appId, session: '' }))
  const ids = await app.db.write(({ db }) => db.insertInto('logs').values(rows).returning('id').execute())
  return rows.map((row, at) => ({ ...row, id: Number(ids[at]?.id) }))
}

type Row = Awaited<ReturnType<typeof fill>>[number]

const someFilter = (now: number, rows: readonly Row[]) =>
  fc.record({
    call: perhaps(someOf([...calls, 'nothing'])),
    code: perhaps(someOf(codes)),
    customers: perhaps(fc.constantFrom('rejected', 'signed-in')),
    rejected: perhaps(fc.boolean()),
    credential: perhaps(fc.constantFrom('nobody', ...rows.map((row) => (row.username || row.license).trim() || 'x'))),
    ip: perhaps(fc.constantFrom(...addresses, '203.0.113')),
    country: perhaps(fc.constantFrom('DE', 'BR', 'FR', 'unknown')),
    hwid: perhaps(fc.constantFrom(...fingerprints, 'abcdef')),
    days: perhaps(fc.constantFrom(1, 7, 3650)),
    from: perhaps(someTime(now)),
    until: perhaps(someTime(now)),
  })

type Filter = ReturnType<typeof someFilter> extends fc.Arbitrary<infer F> ? F : never

/** LOG-50: whom the owner can let in, or who signed in. */
function isOfCustomer({ call, code, username, license }: Row, customers: string): boolean {
  if (customers === 'rejected') return ['USER_BANNED', 'HWID_MISMATCH'].includes(code) && username + license !== ''
  return code === '' && ['login', 'license', 'renew'].includes(call) && username !== ''
}

function found(row: Row, search: string) {
  const text = search.trim()
  const fingerprint = row.hwid_hash.slice(0, 12)
  if (row.request !== '' && /^k7f3[- ]?92qd$/i.test(text)) return 'yes'
  if (text.length >= 12 && fingerprint !== '' && text.startsWith(fingerprint)) return 'yes'
  if (/^\d+$/.test(text) && Number(text) === row.id) return 'yes'
  const { message, username, license, ip, code, call } = row
  const shown = 'Signed in with a license key, Started, Renewed the session, Still running'
  return foundIn(search, { fields: [message, username, license, ip, code, fingerprint], more: [call, code, shown] })
}

export async function logList(scene: Scene): Promise<ListModel<Row, Filter>> {
  const { owner, now } = scene
  const rows = await fill(scene)
  return {
    rows,
    idOf: ({ id }) => String(id),
    filters: someFilter(now, rows),
    searches: fc.oneof(someSearch, fc.constantFrom('k7f392qd', 'K7F3 92QD', '203.0.113', ...machines, ...fingerprints)),
    matches: (row, filter) =>
      isOneOf(filter.call, row.call) &&
      isOneOf(filter.code, row.code) &&
      (filter.customers === undefined || isOfCustomer(row, filter.customers)) &&
      (filter.rejected === undefined || (row.code !== '') === filter.rejected) &&
      (filter.credential === undefined || [row.username, row.license].includes(filter.credential)) &&
      isOneOf(filter.ip, row.ip) &&
      isOneOf(filter.country, row.country === '' ? 'unknown' : row.country) &&
      isOneOf(filter.hwid, row.hwid_hash.slice(0, 12)) &&
      row.at >= Math.max(filter.from ?? 0, filter.days === undefined ? 0 : now - filter.days * day) &&
      row.at <= (filter.until ?? Infinity),
    found,
    sorts: { date: (row) => [row.at] },
    defaultOrder: () => ({ by: (row) => [row.at], descending: true }),
    tie: ({ descending }) => ({ by: (row) => [row.id], descending }),
    read: async (query) => {
      const { body } = await owner.visitor.call('GET /logs', { query })
      return { ids: body.logs.map(({ id }) => String(id)), total: body.total, totalPages: body.totalPages }
    },
    exported: async (filter) => {
      const { body } = await owner.visitor.call('GET /export_logs', { query: { ...filter, format: 'json' } })
      return (JSON.parse(body.content) as { id: number }[]).map(({ id }) => String(id))
    },
  }
}
