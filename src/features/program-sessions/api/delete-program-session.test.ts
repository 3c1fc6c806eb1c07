import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import type { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let program: Program
let sessionId: string

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  const username = await newSubscriber(owner)
  program = await signedIn(app, owner, username)
  sessionId = await sessionOf(username)
})

async function sessionOf(username: string): Promise<string> {
  const { body } = await owner.visitor.call('GET /sessions', { query: { search: username } })
  return body.sessions[0]?.session_id as string
}

const remove = (id = sessionId) => owner.visitor.call('POST /delete_session', { body: { sessionId: id } })

test('rejects an invalid session ID and changes nothing', async () => {
  const hostile = { sessionId: [...notTexts, '', 'x'.repeat(101), undefined] }
  await expectAllRejected(app, owner.visitor, '/delete_session', hostileBodies({ sessionId }, hostile))
})

test('a deleted session rejects its program on the next call, others continue, and the audit records it', async () => {
  const other = await signedIn(app, owner, await newSubscriber(owner))
  expect((await program.heartbeat()).body.success).toBe(true)
  expect((await remove()).body).toMatchObject({
    success: true,
    code: 'SESSION_DELETE_OK',
    message: 'Session deleted successfully',
  })
  const { status, body } = await program.heartbeat()
  expect({ status, code: body.code }).toEqual({ status: 401, code: 'SESSION_ENDED' })
  expect((await other.heartbeat()).body.success).toBe(true)
  const { body: left } = await owner.visitor.call('GET /sessions', { query: { search: sessionId } })
  expect(left.total).toBe(0)
  const audit = await app.db.read.selectFrom('audit').selectAll().where('act', '=', 'session.delete').execute()
  expect(audit).toMatchObject([{ target: sessionId }])
})

test('one of many simultaneous deletions of a session succeeds', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => remove()))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(404)])
})
