import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { expectAllRejected, hostileBodies, notLists } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let stranger: OwnedApp

const add = (who: OwnedApp, name: string) =>
  who.visitor.call('POST /modify_app_var', { body: { variableName: name, variableData: `data of ${name}` } })

beforeAll(async () => {
  app = await startTestApp()
  stranger = await newOwnerWithApp(app)
  await add(stranger, 'red')
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
  for (const name of ['red', 'green', 'blue']) await add(owner, name)
})

const remove = async (body: Calls['POST /variables/bulk-delete']['body']) =>
  (await owner.visitor.call('POST /variables/bulk-delete', { body })).body
const names = async (who = owner) =>
  (await who.visitor.call('POST /getAllAppVar', { body: {} })).body.vars.map(({ variableName }) => variableName)

test('rejects an invalid selection and changes nothing', async () => {
  const hostile = {
    variableNames: [
      ...notLists.filter((value) => JSON.stringify(value) !== '[""]'),
      [],
      Array(1001).fill('x'),
      undefined,
    ],
    filter: [null, 5, 'x', [], { search: 5 }, { search: 'x'.repeat(201) }, { noSuchField: 1 }, {}],
    expectedCount: [null, -1, 1.5, 'x', [], {}, 1e13],
  }
  const bodies = hostileBodies({ variableNames: ['red'] }, hostile)
  await expectAllRejected(app, owner.visitor, '/variables/bulk-delete', bodies)
  expect(await remove({})).toMatchObject({ code: 'NO_VARIABLES_SELECTED', message: 'No variables selected' })
})

test('deletes the listed variables, only in this app', async () => {
  expect(await remove({ variableNames: ['red', 'green', 'green', 'never'] })).toMatchObject({
    code: 'VARIABLES_DELETE_OK',
    message: 'Deleted 2 variables successfully',
    deleted: 2,
  })
  expect(await names()).toEqual(['blue'])
  expect(await names(stranger)).toEqual(['red'])
})

test('deletes all that match a search, or all of the app', async () => {
  expect(await remove({ filter: { search: 'OF GREE' } })).toMatchObject({ code: 'VARIABLES_DELETE_OK', deleted: 1 })
  expect(await remove({ filter: {} })).toMatchObject({
    code: 'VARIABLES_DELETE_ALL_OK',
    message: 'All variables deleted successfully',
    deleted: 2,
  })
  expect(await names()).toEqual([])
})

test('deletes nothing if another number matches than was seen', async () => {
  const filter = { search: 'of' }
  expect(await remove({ filter, expectedCount: 2 })).toMatchObject({ code: 'SELECTION_CHANGED', values: { count: 3 } })
  expect(await remove({ filter, expectedCount: 4 })).toMatchObject({ code: 'SELECTION_CHANGED', values: { count: 3 } })
  expect(await names()).toEqual(['blue', 'green', 'red'])
  expect(await remove({ filter, expectedCount: 3 })).toMatchObject({ deleted: 3, undoId: expect.any(String) as string })
  expect(await names()).toEqual([])
})
