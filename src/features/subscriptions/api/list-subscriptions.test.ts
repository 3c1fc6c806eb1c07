import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectQueriesRejected } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  await owner.visitor.call('POST /create_subscription', { body: { level: 9, name: 'Nine', active: false } })
  await owner.visitor.call('POST /create_subscription', { body: { level: 3, name: 'Three' } })
  const other = await newOwnerWithApp(app)
  await newLicenses(other, 2)
})
afterAll(() => app.close())

describe.each(['/subscriptions', '/manage_subscriptions'] as const)('GET %s', (path) => {
  test('lists the levels of the app, lowest first, each with its number of users', async () => {
    const program = await Program.of(app, owner)
    const [basic = ''] = await newLicenses(owner, 1)
    const [three = ''] = await newLicenses(owner, 1, { subscription: 3 })
    const before = (await owner.visitor.call(`GET ${path}`)).body.subscriptions.map(({ userCount }) => userCount)
    for (const key of [basic, three]) {
      await program.init()
      expect((await program.license(key)).body).toMatchObject({ success: true })
    }
    const { body } = await owner.visitor.call(`GET ${path}`)
    expect(body.subscriptions).toEqual([
      { level: 1, name: 'Basic', active: true, userCount: (before[0] ?? 0) + 1 },
      { level: 3, name: 'Three', active: true, userCount: (before[1] ?? 0) + 1 },
      { level: 9, name: 'Nine', active: false, userCount: 0 },
    ])
  })

  test('rejects unknown query fields', async () => {
    await expectQueriesRejected(owner.visitor, path, [{ page: 1 }, { noSuchField: 1 }, { appName: 'x'.repeat(51) }])
  })
})
