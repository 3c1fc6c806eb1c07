import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { type License, stillMatches } from '../licenses.reads.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const bulk = (owner: OwnedApp, body: Calls['POST /licenses/bulk']['body']) =>
  owner.visitor.call('POST /licenses/bulk', { body })

async function ownerOfFive() {
  const owner = await newOwnerWithApp(app)
  return { owner, keys: await newLicenses(owner, 5) }
}

test.each([{ maxRows: 0 }, { maxRows: 2.5 }, { after: 0 }, { after: 'x' }])(
  'rejects %o and changes nothing',
  async (batch) => {
    const { owner } = await ownerOfFive()
    const wrong = { action: 'delete', filter: {}, expectedCount: 5, ...batch } as Calls['POST /licenses/bulk']['body']
    expect((await bulk(owner, wrong)).status).toBe(400)
    expect((await owner.visitor.call('POST /delete_all_licenses', { body: batch as { maxRows: number } })).status).toBe(
      400,
    )
    expect((await owner.visitor.call('GET /licenses')).body.total).toBe(5)
  },
)

test('walks through a filter whose licenses leave it on the way', async () => {
  const { owner, keys } = await ownerOfFive()
  const bulkAction = { action: 'ban', filter: { status: 'unused' }, expectedCount: 5, maxRows: 2 } as const
  const named: string[] = []
  let after: number | undefined
  for (let call = 0; call < 3; call++) {
    const { body } = await bulk(owner, { ...bulkAction, ...(after && { after }) })
    named.push(...body.results.map(({ name }) => name))
    after = body.next ?? undefined
  }
  expect(after).toBeUndefined()
  expect(named.toSorted()).toEqual(keys.toSorted())
  expect((await owner.visitor.call('GET /licenses')).body.counts).toMatchObject({ banned: 5, unused: 0 })
})

test('deleting all goes in pieces, and leaves what is behind the last', async () => {
  const { owner } = await ownerOfFive()
  const remove = (body: { maxRows: number; after?: number }) =>
    owner.visitor.call('POST /delete_all_licenses', { body })
  const first = await remove({ maxRows: 3 })
  expect(first.body).toMatchObject({ deleted: 3, next: expect.any(Number) })
  expect((await owner.visitor.call('GET /licenses')).body.total).toBe(2)
  expect((await remove({ maxRows: 3, after: first.body.next as number })).body).toMatchObject({
    deleted: 2,
    next: null,
  })
})

test('what left a filter before it was held is no longer meant', () => {
  const now = 1_000_000
  const license = (change: Partial<License>) =>
    ({ level: 1, state: 0, banned: 0, expires_at: null, ...change }) as License
  const unused = license({})
  const used = license({ state: 1, expires_at: now + 60 })
  const banned = license({ state: 2, banned: 1, expires_at: now + 60 })
  const ended = license({ state: 1, expires_at: now })
  const other = license({ level: 2 })
  const all = [unused, used, banned, ended, other]
  expect(stillMatches(all, {}, now)).toEqual(all)
  expect(stillMatches(all, { status: 'unused', level: 1 }, now)).toEqual([unused])
  expect(stillMatches(all, { status: 'used' }, now)).toEqual([used, ended])
  expect(stillMatches(all, { status: 'banned' }, now)).toEqual([banned])
  expect(stillMatches(all, { status: 'expiring' }, now)).toEqual([used])
})
