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

test('rejects invalid queries', async () => {
  const queries = [{ format: 'txt' }, { search: 'x'.repeat(201) }, { download: 'x' }, { noSuchField: 1 }]
  await expectQueriesRejected(owner.visitor, '/export_variables', queries)
})
