import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected, notQueryIntegers, strangeTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
const hosts = Array.from({ length: 12 }, (_, n) => `host-${String(n).padStart(2, '0')}.example`)

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  const stranger = await newOwnerWithApp(app)
  for (const host of hosts) {
    await owner.visitor.call('POST /create_webhook', {
      body: { url: `https://${host}/100%`, userAgent: `Bot ${host}` },
    })
    app.advance(1)
  }
  await stranger.visitor.call('POST /create_webhook', { body: { url: 'https://foreign.example/' } })
})
afterAll(() => app.close())

const list = async (query: object = {}) => (await owner.visitor.call('GET /webhooks', { query })).body
const hostsOf = ({ webhooks }: { webhooks: { url: string }[] }) => webhooks.map(({ url }) => new URL(url).host)

test('webhooks are listed newest first, ten a page, with the defaults', async () => {
  const body = await list()
  expect(body).toMatchObject({ total: 12, totalPages: 2, chat: { isSet: false, events: [] } })
  expect(hostsOf(body)).toEqual(hosts.toReversed().slice(0, 10))
  expect(body.webhooks[0]).toMatchObject({
    id: expect.stringMatching(/^wh_[A-Za-z0-9]{12}$/),
    userAgent: 'Bot host-11.example',
    authenticated: true,
    events: [],
    stoppedAt: null,
  })
  expect(body.webhooks[0]?.id).toBe(body.webhooks[0]?.webhookId)
  expect(JSON.stringify(body)).not.toMatch(/secret|whsec/)
})

test.each([1, 5, 12, 100])('pages of %i hold every webhook once, in one order', async (limit) => {
  const pages: string[] = []
  for (let page = 1; page <= Math.ceil(12 / limit); page++) pages.push(...hostsOf(await list({ limit, page })))
  expect(pages).toEqual(hosts.toReversed())
  expect((await list({ limit, page: 99 })).webhooks).toEqual([])
})

test.each([
  ['HOST-1', 2],
  [' bot host-07 ', 1],
  ['100%', 12],
  ['wh_', 12],
  ['foreign', 0],
])('search %j finds %i, in IDs, URLs, and user agents', async (search, found) => {
  expect((await list({ search })).total).toBe(found)
})

test.each(strangeTexts)('search %j matches only itself', async (search) => {
  expect((await list({ search })).total).toBe(0)
})

test('rejects invalid queries', async () => {
  const queries = [
    ...notQueryIntegers.flatMap((page) => [{ page }, { limit: page }]),
    { limit: 101 },
    { search: 'x'.repeat(201) },
    ...['broken', 'Failing', 'failing,', ',', "'", 'failing;stopped', ' working'].map((status) => ({ status })),
    { status: Array.from({ length: 50 }, () => 'failing').join(',') },
    { noSuchField: 1 },
  ]
  for (const query of queries)
    expectRejected(await owner.visitor.send('GET', '/api/1.0/website/webhooks', { query }), query)
})

test('a status finds the webhooks of the app that have it, as many as are counted', async () => {
  const [a = '', b = '', c = ''] = (await list({ limit: 3 })).webhooks.map(({ id }) => id)
  const set = (id: string, row: { stopped_at?: number; failing_since?: number }) =>
    app.db.write(({ db }) => db.updateTable('webhooks').set(row).where('id', '=', id).execute())
  await set(a, { failing_since: app.now() })
  await set(b, { stopped_at: app.now() })
  await set(c, { failing_since: app.now(), stopped_at: app.now() })
  const found = async (status: string, search = '') => {
    const { webhooks, total, counts } = await list({ status, search, limit: 100 })
    expect(counts).toEqual({ total: 12, working: 9, failing: 1, stopped: 2 })
    expect(total).toBe(webhooks.length)
    return webhooks.map(({ id }) => id)
  }
  expect(await found('failing')).toEqual([a])
  expect(await found('stopped')).toEqual([b, c])
  expect(await found('stopped,failing')).toEqual([a, b, c])
  expect(await found('stopped,failing', b)).toEqual([b])
  expect(await found('working')).toHaveLength(9)
  expect(await found('working,failing,stopped')).toHaveLength(12)
  // The foreign webhook works.
  expect(await found('working', 'foreign')).toEqual([])
})
