import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { alertKinds, alertTypes } from '../alerts.rules.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('every type has its threshold, in the order of the specification', async () => {
  const owner = await newOwnerWithApp(app)
  const { body } = await owner.visitor.call('GET /alerts/thresholds')
  expect(body.thresholds).toEqual(
    alertTypes.map((type) => {
      const { threshold, windowSeconds } = alertKinds[type]
      return { type, enabled: true, threshold, windowSeconds }
    }),
  )
})
