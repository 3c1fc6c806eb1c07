import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { rejectChangedProgram } from '#testing/busy-app.ts'
import { expectAllRejected, hostileBodies, notFlags, notIntegers } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const type = 'LOADER_HASH_MISMATCH'
type Body = Calls['POST /alerts/thresholds']['body']
const set = (body: Omit<Body, 'type'>, who = owner) =>
  who.visitor.call('POST /alerts/thresholds', { body: { type, ...body } })
const current = async (who = owner) =>
  (await who.visitor.call('GET /alerts/thresholds')).body.thresholds.find((each) => each.type === type)
const detected = async (who = owner) => (await who.visitor.call('POST /alerts/run-detection', { body: {} })).body.raised

test('omitted fields stay unchanged, and reset restores the defaults', async () => {
  expect((await set({ threshold: 7 })).body).toMatchObject({ code: 'ALERT_THRESHOLD_OK' })
  expect(await current()).toEqual({ type, enabled: true, threshold: 7, windowSeconds: 86_400 })
  await set({ enabled: false, windowSeconds: 60 })
  expect(await current()).toEqual({ type, enabled: false, threshold: 7, windowSeconds: 60 })
  await set({ reset: true })
  expect(await current()).toEqual({ type, enabled: true, threshold: 3, windowSeconds: 86_400 })
})

test('a new threshold also applies to stored data; other apps keep theirs', async () => {
  const [mine, other] = [await newOwnerWithApp(app), await newOwnerWithApp(app)]
  await set({ threshold: 4 }, mine)
  for (const { appId } of [mine, other]) await rejectChangedProgram(app, appId)
  expect([await detected(mine), await detected(other)]).toEqual([0, 1])
  await set({ threshold: 3, enabled: false }, mine)
  expect(await detected(mine)).toBe(0)
  await set({ enabled: true }, mine)
  expect(await detected(mine)).toBe(1)
})

test('returns a value changed in the meantime instead of overwriting it, also of two calls at once', async () => {
  const someone = await newOwnerWithApp(app)
  await set({ enabled: false, threshold: 9 }, someone)
  // Without `before`, and with what is stored already, there is no conflict.
  expect((await set({ enabled: false, before: { enabled: true } }, someone)).status).toBe(200)
  const seen = { before: { threshold: 9 } }
  const answers = await Promise.all([set({ threshold: 5, ...seen }, someone), set({ threshold: 6, ...seen }, someone)])
  const threshold = (await current(someone))?.threshold
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'FIELD_CHANGED',
    current: { threshold },
  })
})

test('rejects invalid thresholds and windows, and changes nothing', async () => {
  const hostile = {
    type: ['NOTHING', 5, null, '__proto__', undefined],
    enabled: notFlags,
    reset: notFlags,
    threshold: [...notIntegers, 0, 100_001],
    before: [5, { type }, { threshold: 'x' }],
    windowSeconds: [...notIntegers, 0, 59, 30 * 86_400 + 1],
  }
  const bodies = hostileBodies({ type, threshold: 5, windowSeconds: 600 }, hostile)
  await expectAllRejected(app, owner.visitor, '/alerts/thresholds', bodies)
  const two = { body: { type: 'IP_MULTI_KEY' as const, threshold: 1 } }
  expect((await owner.visitor.call('POST /alerts/thresholds', two)).body.code).toBe('ALERT_THRESHOLD_INVALID')
  const moment = { body: { type: 'SIMULTANEOUS_SESSIONS' as const, windowSeconds: 60 } }
  expect((await owner.visitor.call('POST /alerts/thresholds', moment)).body.code).toBe('ALERT_WINDOW_INVALID')
})
