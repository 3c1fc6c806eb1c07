import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { binKinds } from '#contract/bin.ts'
import { expectQueriesRejected, notListQueries } from '#testing/faults/hostile-input.ts'
import { newSubscriber, subscribe, userPassword } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newSeller, sold } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let keys: string[]

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  keys = await newLicenses(owner, 12, { mask: 'ABC_%-##########' })
  await owner.visitor.call('POST /licenses/bulk', { body: { action: 'delete', licenses: keys } })
  app.advance(5)
  await newSubscriber(owner, { username: 'Marta_100%' })
  await owner.visitor.call('POST /toggle_ban_user', { body: { username: 'Marta_100%', banned: true } })
  await owner.visitor.call('POST /delete_user', { body: { username: 'Marta_100%' } })
  app.advance(5)
  await owner.visitor.call('POST /modify_app_var', { body: { variableName: 'color', variableData: 'green' } })
  await owner.visitor.call('POST /variables/bulk-delete', { body: { filter: {} } })
})
afterAll(() => app.close())

const list = async (query: object = {}) => (await owner.visitor.call('GET /bin', { query })).body

test('rejects invalid queries', async () => {
  await expectQueriesRejected(owner.visitor, '/bin', [
    ...notListQueries,
    { kind: 'level' },
    { kind: 'license,user' },
    { sort: 'name' },
  ])
})

test('shows nothing to another owner', async () => {
  const stranger = await newOwnerWithApp(app)
  const { body } = await stranger.visitor.call('GET /bin')
  expect(body).toMatchObject({ items: [], total: 0, counts: binKinds.map((kind) => ({ kind, count: 0 })) })
})

describe('the list', () => {
  test('comes oldest first on request, each item once, also with a filter', async () => {
    const namesOf = ({ items }: Awaited<ReturnType<typeof list>>) => items.map(({ name }) => name)
    const newest = namesOf(await list({ limit: 100 }))
    const pages = await Promise.all([1, 2, 3].map((page) => list({ sort: 'deleted', limit: 5, page })))
    expect(pages.flatMap(namesOf)).toEqual(newest.toReversed())
    expect(namesOf(await list({ sort: '-deleted', limit: 100 }))).toEqual(newest)
    expect(namesOf(await list({ sort: 'deleted', kind: 'license', search: 'abc', limit: 100 }))).toHaveLength(12)
  })

  test('has one page, newest first, with the number of each kind', async () => {
    const body = await list()
    expect(body).toMatchObject({ total: 14, totalPages: 2, isMore: false })
    expect(body.counts).toEqual([
      { kind: 'license', count: 12 },
      { kind: 'user', count: 1 },
      { kind: 'variable', count: 1 },
      { kind: 'file', count: 0 },
      { kind: 'webhook', count: 0 },
      { kind: 'subscription', count: 0 },
    ])
    expect(body.items).toHaveLength(10)
    const [variable, user] = body.items
    expect(variable).toMatchObject({ kind: 'variable', name: 'color', subscriptions: [], status: null })
    expect(user).toEqual({
      id: expect.any(Number),
      kind: 'user',
      users: null,
      name: 'Marta_100%',
      subscriptions: [{ level: 1, name: 'Basic' }],
      status: 'banned',
      size: null,
      deletedAt: app.now() - 5,
      deletedBy: { type: 'owner', name: owner.username },
      removedAt: app.now() - 5 + 30 * 86_400,
    })
    expect((await list({ page: 2 })).items.map(({ kind }) => kind)).toEqual(Array(4).fill('license'))
  })

  test('narrows to a kind and to names', async () => {
    expect((await list({ kind: 'license' })).total).toBe(12)
    expect((await list({ kind: 'user' })).items.map(({ name }) => name)).toEqual(['Marta_100%'])
    for (const [search, found] of [
      ['marta', 1],
      ['%', 13],
      ['0_', 0],
      [keys[3], 1],
      ['green', 0],
    ] as const)
      expect((await list({ search })).total).toBe(found)
    expect((await list({ search: 'marta', kind: 'license' })).total).toBe(0)
  })

  test('names the seller key that deleted', async () => {
    const of = await newOwnerWithApp(app)
    const seller = await newSeller(app, of)
    await newSubscriber(of, { username: 'ivy' })
    await subscribe(of, 'ivy').catch(() => undefined)
    await sold(seller, 'DELETE', '/users/ivy')
    const { items } = (await of.visitor.call('GET /bin')).body
    expect(items).toMatchObject([{ name: 'ivy', deletedBy: { type: 'seller-key' } }])
  })

  test('contains no password, machine or address', async () => {
    const text = JSON.stringify(await list({ limit: 100 }))
    for (const secret of ['password', 'hwid', 'content', userPassword]) expect(text).not.toContain(secret)
  })
})
