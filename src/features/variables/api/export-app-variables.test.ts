import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectQueriesRejected } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { formulasIn } from '#testing/spreadsheet.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  const add = (variableName: string, variableData: string, authenticated = true) =>
    owner.visitor.call('POST /modify_app_var', { body: { variableName, variableData, authenticated } })
  await add('plain', 'text', false)
  await add('x;=HYPERLINK(1)', '=1+1\n"quoted"')
})
afterAll(() => app.close())

const exported = async (query: object) => (await owner.visitor.call('GET /export_variables', { query })).body

test('CSV contains every variable, and no cell is a formula (R-INP-03)', async () => {
  const { content, filename } = await exported({})
  expect(content).toContain('Variable Name,Variable Data,Only when signed in\r\nplain,text,no\r\n')
  expect(filename).toMatch(/^variables-.*\.csv$/)
  expect(formulasIn(content)).toEqual([])
})

test('JSON contains them unchanged; a search narrows it', async () => {
  const { content } = await exported({ format: 'json' })
  expect(JSON.parse(content)).toEqual([
    { variableName: 'plain', variableData: 'text', authenticated: false },
    { variableName: 'x;=HYPERLINK(1)', variableData: '=1+1\n"quoted"', authenticated: true },
  ])
  expect(JSON.parse((await exported({ format: 'json', search: 'plain' })).content)).toHaveLength(1)
  expect(JSON.parse((await exported({ format: 'json', search: 'nothing' })).content)).toEqual([])
})

test('columns stand in the order of the file, and JSON has the fields of the chosen ones', async () => {
  expect((await exported({ search: 'plain', columns: 'access,name' })).content).toBe(
    'Variable Name,Only when signed in\r\nplain,no\r\n',
  )
  const json = (await exported({ search: 'plain', columns: 'access,name', format: 'json' })).content
  expect(JSON.parse(json)).toEqual([{ variableName: 'plain', authenticated: false }])
})

test('selected variables alone; deleted ones and those of another app are left out', async () => {
  const variableNames = ['x;=HYPERLINK(1)', 'missing']
  const { content, filename } = (await owner.visitor.call('POST /export_variables', { body: { variableNames } })).body
  expect(content).toMatch(/^Variable Name,Variable Data,Only when signed in\r\n"?x/)
  expect(content).not.toContain('plain')
  expect(formulasIn(content)).toEqual([])
  expect(filename).toMatch(/^variables-.*\.csv$/)
  const stranger = await newOwnerWithApp(app)
  const foreign = { variableNames, format: 'json' as const }
  expect(JSON.parse((await stranger.visitor.call('POST /export_variables', { body: foreign })).body.content)).toEqual(
    [],
  )
})

test('rejects invalid queries', async () => {
  const queries = [
    { columns: 'id' },
    { columns: 'name data' },
    { format: 'txt' },
    { search: 'x'.repeat(201) },
    { download: 'x' },
    { noSuchField: 1 },
  ]
  await expectQueriesRejected(owner.visitor, '/export_variables', queries)
})
