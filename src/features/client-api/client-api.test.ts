import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

test('a program activates a license, runs, and is rejected as soon as the owner bans it', async () => {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  expect((await program.init()).status).toBe(200)
  const activated = await program.license(key)
  expect(activated.body).toMatchObject({
    success: true,
    user: { username: key, subscriptions: [{ level: 1, name: 'Basic' }] },
  })
  expect((await program.heartbeat()).body.success).toBe(true)

  const ban = await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
  expect(ban.body.message).toBe('License banned successfully')
  expect((await program.heartbeat()).body).toMatchObject({ success: false, code: 'LICENSE_BANNED' })
  await program.init()
  expect((await program.license(key)).body).toMatchObject({ success: false, code: 'LICENSE_BANNED' })

  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
  expect((await program.license(key)).body.success).toBe(true)
})

test('of 50 programs that redeem one license at once, exactly one succeeds (R-LIC-01)', async () => {
  const [key = ''] = await newLicenses(owner, 1)
  await owner.visitor.call('POST /update_app', { body: { settings: { hwidLock: false } } })
  const programs = await Promise.all(Array.from({ length: 50 }, () => Program.of(app, owner)))
  for (const program of programs) await program.init()
  const answers = await Promise.all(
    programs.map((program, n) => program.register(`racer${n}`, 'Password-of-racer', key)),
  )
  expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
})
