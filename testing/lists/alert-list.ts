import fc from 'fast-check'
import { newAlert } from '../busy-app.ts'
import { edgesAround, isBetween, isOneOf, type ListModel, perhaps, type Scene, someOf, someTime } from './list-model.ts'
import { foundIn, someSearch, someText } from './random-texts.ts'

/** Alerts as the rules describe their list (ALT-18 to ALT-29). */

const titles = {
  IP_MULTI_KEY: 'Many keys from one IP',
  HWID_CHANGED: 'Hardware ID changed',
  LICENSE_TRANSFER: 'License shared',
}
const types = Object.keys(titles) as (keyof typeof titles)[]
const severities = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const
const statuses = ['new', 'reviewed', 'dismissed'] as const

const someAlert = (now: number) =>
  fc.record({
    type: fc.constantFrom(...types),
    severity: fc.constantFrom(...severities),
    status: fc.constantFrom(...statuses),
    created_at: fc.constantFrom(...edgesAround(now).filter((each) => each <= now)),
    ip: fc.constantFrom('', '203.0.113.7', '2001:db8::5'),
    key: someText,
    users: fc.array(someText, { maxLength: 2 }),
    licenses: fc.array(someText, { maxLength: 2 }),
  })

async function fill({ app, owner, now, sample }: Scene) {
  const alerts = []
  for (const { key, users, licenses, ...row } of sample(someAlert(now))) {
    const others = { ips: [], hwids: [], countries: [], apps: [], events: [] }
    const evidence = JSON.stringify({ key, threshold: 5, windowSeconds: 86_400, users, licenses, ...others })
    const id = await newAlert(app, owner, { ...row, evidence })
    alerts.push({ ...row, id, texts: [key, ...users, ...licenses] })
  }
  return alerts
}

type Row = Awaited<ReturnType<typeof fill>>[number]

const someFilter = (now: number) =>
  fc.record({
    type: perhaps(someOf(types)),
    severity: perhaps(someOf(severities)),
    status: perhaps(someOf(statuses)),
    from: perhaps(someTime(now)),
    until: perhaps(someTime(now)),
  })

type Filter = ReturnType<typeof someFilter> extends fc.Arbitrary<infer F> ? F : never

export async function alertList(scene: Scene): Promise<ListModel<Row, Filter>> {
  const { owner, now } = scene
  return {
    rows: await fill(scene),
    idOf: ({ id }) => id,
    filters: someFilter(now),
    searches: fc.oneof(someSearch, fc.constantFrom('many', 'users', 'threshold', ':5', ':5,', '":"', '},{', ',', '[]')),
    matches: (row, filter) =>
      isOneOf(filter.type, row.type) &&
      isOneOf(filter.severity, row.severity) &&
      isOneOf(filter.status, row.status) &&
      isBetween(row.created_at, filter.from, filter.until),
    found: ({ id, type, ip, texts }, search) =>
      search.trim() === id
        ? 'yes'
        : foundIn(search, {
            fields: [type, ip, ...texts],
            more: [titles[type], '5 86400', ...texts.map((text) => JSON.stringify(text))],
          }),
    sorts: { time: (row) => [row.created_at], severity: (row) => [severities.indexOf(row.severity)] },
    defaultOrder: () => ({ by: (row) => [row.created_at], descending: true }),
    tie: ({ sort }) => ({
      by: (row) => [sort?.endsWith('severity') ? -row.created_at : 0, row.id],
      descending: false,
    }),
    read: async (query) => {
      const { body } = await owner.visitor.call('GET /alerts', { query })
      return { ids: body.data.map(({ alertId }) => alertId), total: body.total, totalPages: body.totalPages }
    },
  }
}
