import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwner } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())

test("ends every session of the account except the current one, and no other account's", async () => {
  const { visitor, username, password } = await newOwner(app)
  const other = await newOwner(app)
  const elsewhere = app.visitor()
  await elsewhere.call('POST /login', { body: { username, password } })
  const { body } = await visitor.call('POST /profile/sessions/end-others')
  expect(body).toMatchObject({ code: 'OTHER_SESSIONS_OK', ended: 1 })
  expect((await visitor.call('GET /profile/sessions')).body.sessions).toHaveLength(1)
  expect((await elsewhere.call('GET /check-auth')).status).toBe(401)
  expect((await other.visitor.call('GET /check-auth')).status).toBe(200)
  const { entries } = (await visitor.call('GET /audit')).body
  expect(entries.map(({ act }) => act)).toContain('account.end-other-sessions')
})

test('a caller without a session ends none', async () => {
  expect((await app.visitor().call('POST /profile/sessions/end-others')).status).toBe(401)
})
