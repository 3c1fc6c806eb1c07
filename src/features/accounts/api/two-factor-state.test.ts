import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRejected } from '#testing/faults/hostile-input.ts'
import { newOwner } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { turnOnTwoFactor } from '#testing/people/two-factor.ts'

let app: TestApp

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())

test('it cannot be had until an administrator allows it', async () => {
  const owner = await newOwner(app)
  const state = async () => (await owner.visitor.call('GET /profile/two-factor')).body
  expect(await state()).toMatchObject({ available: false, enabled: false, recoveryCodesLeft: 0 })
  await setPlatform(app, 'security', { enable2FA: true })
  expect(await state()).toMatchObject({ available: true, enabled: false, recoveryCodesLeft: 0 })
  await turnOnTwoFactor(app, owner)
  expect(await state()).toMatchObject({ available: true, enabled: true, recoveryCodesLeft: 10 })
  await setPlatform(app, 'security', { enable2FA: false })
  expect(await state()).toMatchObject({ available: false, enabled: true })
})

test('a stranger is rejected', async () => {
  expectRejected(await app.visitor().call('GET /profile/two-factor'), 'two-factor', 401)
})
