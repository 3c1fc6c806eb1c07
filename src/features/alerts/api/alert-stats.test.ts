import { afterAll, beforeAll, expect, test } from 'vitest'
import { newAlert } from '#testing/busy-app.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const day = 86_400

test('counts alerts of the last days by severity and by status, without older ones and those of other apps', async () => {
  const owner = await newOwnerWithApp(app)
  await newAlert(app, await newOwnerWithApp(app), { severity: 'HIGH' })
  await newAlert(app, owner, { severity: 'CRITICAL' })
  await newAlert(app, owner, { severity: 'HIGH', status: 'reviewed' })
  await newAlert(app, owner, { severity: 'HIGH', created_at: app.now() - 29 * day })
  await newAlert(app, owner, { severity: 'LOW', status: 'dismissed', created_at: app.now() - 31 * day })
  const stats = async (days?: number) => {
    const { total, bySeverity, byStatus } = (await owner.visitor.call('GET /alerts/stats', { query: { days } })).body
    return { total, bySeverity, byStatus }
  }
  const ofMonth = {
    total: 3,
    bySeverity: { CRITICAL: 1, HIGH: 2, MEDIUM: 0, LOW: 0 },
    byStatus: { new: 2, reviewed: 1, dismissed: 0 },
  }
  expect(await stats()).toEqual(ofMonth)
  expect(await stats(30)).toEqual(ofMonth)
  const { byType } = (await owner.visitor.call('GET /alerts/stats', { query: { days: 365 } })).body
  expect(Object.values(byType).reduce((sum, count) => sum + count, 0)).toBe((await stats(365)).total)
  expect((await stats(1)).total).toBe(2)
  expect((await stats(365)).byStatus.dismissed).toBe(1)
})

test.each(['0', '-1', 'x', '1.5', '99999'])('rejects %s days', async (days) => {
  const owner = await newOwnerWithApp(app)
  const { status } = await owner.visitor.send('GET', '/api/1.0/website/alerts/stats', { query: { days } })
  expect(status).toBe(400)
})
