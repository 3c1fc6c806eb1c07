import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillPlatform, isEmptyPlatform } from './seed.ts'
import { accountCost } from '#server/passwords/passwords.ts'
import { startTestApp, type TestApp } from './start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('demo data fills an empty database: three owners, four apps each, licenses of all three levels', async () => {
  const { db, services } = app
  expect(await isEmptyPlatform(db)).toBe(true)
  const password = 'Demo-only-4711'
  const passwordHash = await services.passwords.hash(password, accountCost)
  const made = await fillPlatform(db, services.masterKey, { passwordHash, now: app.now(), maxLicenses: 40 })
  expect(made).toMatchObject({ owners: ['marina', 'northwind', 'kestrel'], apps: 12, licenses: 480 })
  expect(made.users).toBeGreaterThan(100)
  expect(await isEmptyPlatform(db)).toBe(false)

  const visitor = app.visitor()
  expect((await visitor.call('POST /login', { body: { username: 'marina', password } })).status).toBe(200)
  const { body } = await visitor.call('GET /subscriptions', { query: { appName: 'Prism Studio' } })
  expect(body.subscriptions.map(({ level, name }) => [level, name])).toEqual([
    [1, 'Basic'],
    [2, 'Pro'],
    [3, 'Founder'],
  ])
  const logs = await visitor.call('GET /logs', { query: { appName: 'Prism Studio' } })
  expect(logs.body.total).toBeGreaterThan(50)
  expect(new Set(logs.body.logs.map(({ code }) => code))).toContain('')
  const sessions = await visitor.call('GET /sessions', { query: { appName: 'Prism Studio' } })
  expect(sessions.body.total).toBeGreaterThan(2)
})
