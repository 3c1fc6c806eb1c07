import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwner, newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('gives every app of the owner, oldest first, and nobody else’s', async () => {
  const owner = await newOwner(app)
  await newOwnerWithApp(app, 'Somebody else’s'.replaceAll(/[^A-Za-z ]/g, ''))
  expect((await owner.visitor.call('GET /apps')).body.apps).toEqual([])
  for (const appName of ['Zebra', 'Apple', 'Mango']) {
    await owner.visitor.call('POST /create_app', { body: { appName } })
    app.advance(2)
  }
  const { body } = await owner.visitor.call('GET /apps')
  expect(body.success).toBe(true)
  expect(body.apps.map(({ appName }) => appName)).toEqual(['Zebra', 'Apple', 'Mango'])
})

test('counts active program sessions as their list does, and says when a program last started', async () => {
  const owner = await newOwnerWithApp(app)
  const find = async () => (await owner.visitor.call('GET /apps')).body.apps.find(({ appId }) => appId === owner.appId)
  expect(await find()).toMatchObject({ activeSessions: 0, lastInitAt: null })
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  expect(await find()).toMatchObject({ activeSessions: 1, lastInitAt: expect.closeTo(app.now(), -2) })
  await program.license(key)
  await (await Program.of(app, owner)).init()
  expect(await find()).toMatchObject({ activeSessions: 2 })
  await program.logout()
  expect(await find()).toMatchObject({ activeSessions: 1 })
})

test('the last start of a program is not in the future after the clock was set back', async () => {
  const owner = await newOwnerWithApp(app)
  const lastInitAt = async () => (await owner.visitor.call('GET /apps')).body.apps[0]?.lastInitAt ?? 0
  await (await Program.of(app, owner)).init()
  app.jumpClock(-3600)
  app.now()
  app.advance(601)
  expect(await lastInitAt()).toBeGreaterThan(app.now())
  await (await Program.of(app, owner)).init()
  expect(await lastInitAt()).toBeLessThanOrEqual(app.now())
})

test('a session without a heartbeat for over 10 minutes is not counted, wherever the app is read; an expired one neither', async () => {
  const owner = await newOwnerWithApp(app)
  await (await Program.of(app, owner)).init()
  const { appId } = owner
  const counts = async () => {
    const [inList] = (await owner.visitor.call('GET /apps')).body.apps
    const { body: selected } = await owner.visitor.call('POST /select_app', { body: { appId } })
    const { body: updated } = await owner.visitor.call('POST /update_app', { body: { appId, version: '2' } })
    const { body: active } = await owner.visitor.call('GET /active_app')
    return [inList, selected.app, updated.app, active.app].map((each) => each?.activeSessions)
  }
  app.advance(590)
  expect(await counts()).toEqual([1, 1, 1, 1])
  app.advance(20)
  expect(await counts()).toEqual([0, 0, 0, 0])
  app.advance(3000)
  expect(await counts()).toEqual([0, 0, 0, 0])
})

test('private keys and other columns of the database are never told', async () => {
  const { visitor } = await newOwnerWithApp(app)
  const { body } = await visitor.call('GET /apps')
  expect(Object.keys(body.apps[0] ?? {}).toSorted()).toEqual(
    [
      'activeSessions',
      'appId',
      'appName',
      'creationDate',
      'description',
      'lastInitAt',
      'settings',
      'version',
    ].toSorted(),
  )
  expect(JSON.stringify(body)).not.toMatch(/sealed|private|pepper|owner_id/)
})

test('strangers are rejected', async () => expectRejected(await app.visitor().call('GET /apps'), 'stranger', 401))
