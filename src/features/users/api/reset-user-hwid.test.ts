import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSubscriber, signedIn, userOf, userPassword } from '#testing/people/end-users.ts'
import { expectAllRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

test('unbinds the machine: the next one that signs in is bound, and the first is rejected then', async () => {
  const username = await newSubscriber(owner)
  const first = await signedIn(app, owner, username)
  const second = await Program.of(app, owner)
  second.hwid = 'another-machine-of-the-test'
  await second.init()
  expect((await second.login(username, userPassword)).body.code).toBe('HWID_MISMATCH')

  const reset = await owner.visitor.call('POST /reset_user_hwid', { body: { username } })
  expect(reset.body).toMatchObject({ success: true, code: 'USER_HWID_RESET_OK', message: 'HWID reset successfully' })
  expect(await userOf(owner, username)).toMatchObject({ hwid: '' })
  expect((await second.login(username, userPassword)).body.success).toBe(true)
  await first.init()
  expect((await first.login(username, userPassword)).body.code).toBe('HWID_MISMATCH')
})

test('changes nobody else, and a user without a machine stays so', async () => {
  const [bound, unbound] = [await newSubscriber(owner), await newSubscriber(owner)]
  await signedIn(app, owner, bound)
  const hwid = (await userOf(owner, bound))?.hwid
  expect((await owner.visitor.call('POST /reset_user_hwid', { body: { username: unbound } })).status).toBe(200)
  expect(await userOf(owner, unbound)).toMatchObject({ hwid: '' })
  expect(hwid).not.toBe('')
  expect(await userOf(owner, bound)).toMatchObject({ hwid })
})

test('hostile bodies are rejected and nothing changes', async () => {
  const username = await newSubscriber(owner)
  await expectAllRejected(app, owner.visitor, '/reset_user_hwid', [
    ...hostileBodies({ username }, { username: [...notTexts, '', 'u'.repeat(201)] }),
    {},
  ])
})
