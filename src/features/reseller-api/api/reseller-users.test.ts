import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSellingReseller } from '#testing/resellers.ts'
import { Program } from '#testing/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('who redeemed an own license is listed, and the machine can be unbound', async () => {
  const { visitor, appName, owner, sell } = await newSellingReseller(app)
  const { licenses } = (await sell()).body as unknown as { licenses: string[] }
  const [key = ''] = licenses
  const program = await Program.of(app, owner)
  await program.init()
  await program.license(key)
  const users = async () => (await visitor.call('GET /reseller/users', { query: { appName } })).body.users
  expect(await users()).toMatchObject([{ username: key, status: 'Active', hasActiveSubscription: true }])
  const input = { params: { u: key }, body: { appName } }
  const { body } = await visitor.call('POST /reseller/users/{u}/reset-hwid', input)
  expect(body.message).toBe('HWID reset successfully')
  expect(await users()).toMatchObject([{ hwid: '' }])
})
