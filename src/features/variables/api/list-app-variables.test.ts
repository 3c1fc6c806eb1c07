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

test('one is found by its exact name among many similar ones, and none of another app', async () => {
  const similar = Array.from({ length: 100 }, (_, n) => `a_name_01_${n}`)
  for (const variableName of [...similar, '100%', 'Name_01']) {
    await owner.visitor.call('POST /modify_app_var', { body: { variableName, variableData: 'name_01' } })
  }
  const found = async (query: object) => {
    const { vars, total, all } = await list(query)
    expect([total, all]).toEqual([vars.length, 125])
    return vars.map(({ variableName }) => variableName)
  }
  expect(await found({ name: 'name_01' })).toEqual(['name_01'])
  expect(await found({ name: '100%', limit: 1 })).toEqual(['100%'])
  for (const name of ['NAME_01', 'name_0_', 'name_0', 'name_01 ', '%', 'foreign', ...strangeTexts.filter(Boolean)]) {
    expect(await found({ name: name.slice(0, 100) }), name).toEqual([])
  }
  expect(await found({ name: 'name_01', search: 'name_02' })).toEqual([])
})

test('rejects invalid queries', async () => {
  const queries = [
    ...notQueryIntegers.flatMap((page) => [{ page }, { limit: page }]),
    { limit: 101 },
    { page: 10_000_001 },
    { search: 'x'.repeat(201) },
    { name: 'x'.repeat(101) },
    { noSuchField: 1 },
  ]
  for (const query of queries) {
    expectRejected(await owner.visitor.send('POST', '/api/1.0/website/getAllAppVar', { query, body: {} }), query)
  }
})
