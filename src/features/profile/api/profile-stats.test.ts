import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwner, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())

test('counts what is in all apps of the owner, and nothing of anybody else', async () => {
  const owner = await newOwnerWithApp(app)
  const other = await newOwnerWithApp(app)
  await newLicenses(other, 5)
  const [key = ''] = await newLicenses(owner, 3)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).body).toMatchObject({ success: true })
  const second = await owner.visitor.call('POST /create_app', { body: { appName: 'Second' } })
  await owner.visitor.call('POST /create_subscription', { body: { name: 'Basic' } })
  await newLicenses(owner, 4)

  const { body } = await owner.visitor.call('GET /profile/stats')
  expect(body).toMatchObject({ success: true, totalApps: 2, totalLicenses: 7, totalUsers: 1 })
  expect(Math.abs(body.accountCreated - app.now())).toBeLessThan(60)

  await owner.visitor.call('POST /delete_app', { body: { appId: second.body.appId } })
  const { body: after } = await owner.visitor.call('GET /profile/stats')
  expect(after).toMatchObject({ totalApps: 1, totalLicenses: 3, totalUsers: 1 })
})

test('of an owner without apps all is 0', async () => {
  const { visitor } = await newOwner(app)
  expect((await visitor.call('GET /profile/stats')).body).toMatchObject({
    totalApps: 0,
    totalLicenses: 0,
    totalUsers: 0,
  })
})

test('a stranger is rejected', async () => {
  expectRejected(await app.visitor().call('GET /profile/stats'), 'stats', 401)
})
