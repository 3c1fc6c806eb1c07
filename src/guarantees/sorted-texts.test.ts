import { afterAll, beforeAll, expect, test } from 'vitest'
import { newFailedJob } from '#testing/failed-jobs.ts'
import { newAdmin, newOwner, newOwnerWithApp, type Owner, type OwnedApp } from '#testing/people/people.ts'
import { englishPostgresUrl } from '#testing/servers/postgres.ts'
import { startTestApp, type TestApp, testEngine } from '#testing/start-test-app.ts'

/** Lists that are sorted by a text are in the same order on both engines, whatever the locale of PostgreSQL's database. */

let app: TestApp
let owner: OwnedApp
let admin: Owner

const texts = [
  'zeta',
  'Zoe',
  '_x',
  'Äpfel',
  'äpfel',
  'apfel',
  'Banane',
  'éclair',
  'İ',
  'ΩMEGA',
  'ωmega',
  '2nd',
  '-a',
  '😀',
]
const names = ['zeta_1', 'Zeta1', 'a_b', 'AbC', 'ab_d', 'B2b', '2nd_one', 'b_two', 'A1b']
const emailOf = (name: string) => `${name.replace('_', '-')}@example.com`

beforeAll(async () => {
  const postgres = testEngine === 'postgres' ? { url: await englishPostgresUrl() } : {}
  app = await startTestApp({ postgres })
  owner = await newOwnerWithApp(app)
  admin = await newAdmin(app, 'An_admin')
  const { visitor } = owner
  for (const name of texts) {
    await visitor.call('POST /create_webhook', { body: { name, url: `https://example.com/${encodeURI(name)}` } })
    await visitor.call('POST /create_seller_key', { body: { keyName: name, permissions: ['licenses:read'] } })
    await newFailedJob(app, { error: name })
  }
  for (const name of names) {
    await visitor.call('POST /resellers/create', { body: { username: name } })
    const email = emailOf(name)
    await app.db.write(({ db }) => db.updateTable('resellers').set({ email }).where('username', '=', name).execute())
    await newOwner(app, `of_${name}`)
  }
})
afterAll(() => app.close())

const lowered = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
const byCharacters = (one: string, other: string) =>
  Buffer.compare(Buffer.from(lowered(one)), Buffer.from(lowered(other)))

type Page = { sort: string; limit: number; page: number }

const lists: Record<string, { wanted: string[]; read: (query: Page) => Promise<string[]> }> = {
  'webhooks by name': {
    wanted: texts,
    read: async (query) =>
      (await owner.visitor.call('GET /webhooks', { query: { ...query, sort: of(query, 'name') } })).body.webhooks.map(
        ({ name }) => name,
      ),
  },
  'seller keys by name': {
    wanted: texts,
    read: async (query) =>
      (
        await owner.visitor.call('GET /seller_keys', { query: { ...query, sort: of(query, 'name') } })
      ).body.sellerKeys.map(({ keyName }) => keyName),
  },
  'failed jobs by error': {
    wanted: texts,
    read: async (query) =>
      (await admin.visitor.call('GET /admin/jobs', { query: { ...query, sort: of(query, 'error') } })).body.jobs.map(
        ({ error }) => error,
      ),
  },
  'resellers by name': {
    wanted: names,
    read: async (query) =>
      (
        await owner.visitor.call('GET /resellers', { query: { ...query, sort: of(query, 'username') } })
      ).body.resellers.map(({ username }) => username),
  },
  'resellers by email': {
    wanted: names.map(emailOf),
    read: async (query) =>
      (
        await owner.visitor.call('GET /resellers', { query: { ...query, sort: of(query, 'email') } })
      ).body.resellers.map(({ email }) => email ?? ''),
  },
  owners: {
    wanted: [...names.map((name) => `of_${name}`), 'An_admin'],
    read: async (query) =>
      (
        await admin.visitor.call('GET /admin/owners', { query: { ...query, sort: of(query, 'owner') } })
      ).body.owners.map(({ username }) => username),
  },
}

const of = <C extends string>({ sort }: Page, column: C): C | `-${C}` => (sort === 'down' ? `-${column}` : column)

test.each(Object.keys(lists))('%s, both ways, in pages without gaps', async (list) => {
  const { wanted, read } = lists[list] as (typeof lists)[string]
  for (const sort of ['up', 'down']) {
    const found: string[] = []
    for (let page = 1; page <= Math.ceil((wanted.length + 1) / 4); page++)
      found.push(...(await read({ sort, limit: 4, page })))
    const shown = found.filter((each) => wanted.includes(each))
    const sorted = wanted.toSorted(byCharacters)
    // What differs only in the case of A to Z may be in either order.
    expect(shown.map(lowered), sort).toEqual((sort === 'up' ? sorted : sorted.toReversed()).map(lowered))
  }
})
