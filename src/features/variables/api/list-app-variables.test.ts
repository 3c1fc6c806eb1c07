import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected, notQueryIntegers, strangeTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
const names = Array.from({ length: 23 }, (_, n) => `name_${String(n).padStart(2, '0')}`)

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  const stranger = await newOwnerWithApp(app)
  const add = (who: OwnedApp, variableName: string, variableData: string) =>
    who.visitor.call('POST /modify_app_var', { body: { variableName, variableData } })
  for (const name of names.toReversed()) await add(owner, name, `Data of ${name} 100%`)
  await add(stranger, 'foreign', 'x')
})
afterAll(() => app.close())

const list = async (query: object = {}) => (await owner.visitor.call('POST /getAllAppVar', { query, body: {} })).body

test('the list is complete and sorted by name', async () => {
  const body = await list()
  expect(body).toMatchObject({ total: 23, totalPages: 1, all: 23 })
  expect(body.vars.map(({ variableName }) => variableName)).toEqual(names)
})

test.each([1, 7, 22, 23, 100])('pages of %i contain every variable once, in one order', async (limit) => {
  const pages: string[] = []
  for (let page = 1; page <= Math.ceil(23 / limit); page++) {
    const body = await list({ limit, page })
    expect(body).toMatchObject({ total: 23, totalPages: Math.ceil(23 / limit) })
    pages.push(...body.vars.map(({ variableName }) => variableName))
  }
  expect(pages).toEqual(names)
  expect((await list({ page: 99 })).vars).toEqual([])
})

test.each([
  ['NAME_1', 10],
  [' data of name_07 ', 1],
  ['100%', 23],
  ['_', 23],
  ['foreign', 0],
])('search %j finds %i, in names and data', async (search, found) => {
  expect(await list({ search })).toMatchObject({ total: found, all: 23 })
})

test.each(strangeTexts)('search %j has no special meaning', async (search) => {
  expect((await list({ search })).total).toBe(0)
})

test('rejects invalid queries', async () => {
  const queries = [
    ...notQueryIntegers.flatMap((page) => [{ page }, { limit: page }]),
    { limit: 101 },
    { page: 10_000_001 },
    { search: 'x'.repeat(201) },
    { noSuchField: 1 },
  ]
  for (const query of queries) {
    expectRejected(await owner.visitor.send('POST', '/api/1.0/website/getAllAppVar', { query, body: {} }), query)
  }
})
