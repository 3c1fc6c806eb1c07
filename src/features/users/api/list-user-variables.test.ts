import { afterAll, beforeAll, expect, test } from 'vitest'
import { newUser } from '#testing/people/end-users.ts'
import { expectQueriesRejected } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const list = (username: string) => owner.visitor.call('GET /user_variables', { query: { username } })

test("lists one user's variables by name, under both names of each field, and nobody else's", async () => {
  const [username, other] = [await newUser(owner), await newUser(owner)]
  for (const [user, name] of [
    [username, 'b'],
    [username, 'a'],
    [other, 'c'],
  ] as const) {
    await owner.visitor.call('POST /user_variables', {
      body: { username: user, variableName: name, variableData: `data of ${name}` },
    })
  }
  expect((await list(username.toUpperCase())).body.variables).toEqual([
    { name: 'a', data: 'data of a', variableName: 'a', variableData: 'data of a' },
    { name: 'b', data: 'data of b', variableName: 'b', variableData: 'data of b' },
  ])
})

test('without any the list is empty', async () => {
  expect((await list(await newUser(owner))).body.variables).toEqual([])
})

test('bad queries are rejected', async () => {
  const username = await newUser(owner)
  await expectQueriesRejected(owner.visitor, '/user_variables', [
    {},
    { username: '' },
    { username: 'u'.repeat(201) },
    { username: 'NUL \0' },
    { username, noSuchField: 1 },
  ])
})
