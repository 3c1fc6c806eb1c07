import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Calls } from '#contract/calls.ts'
import { newAlert } from '#testing/busy-app.ts'
import { expectAllRejected, hostileBodies, notLists, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  owner = await newOwnerWithApp(app)
})

const bulk = (body: Calls['POST /alerts/bulk']['body'], by = owner) =>
  by.visitor.call('POST /alerts/bulk', { body }).then((answer) => answer.body)
const statuses = async () =>
  Object.fromEntries(
    (await owner.visitor.call('GET /alerts')).body.data.map(({ alertId, status }) => [alertId, status]),
  )
const audited = () =>
  app.db.read.selectFrom('audit').select(['act', 'target']).where('app_id', '=', owner.appId).orderBy('id').execute()

test('reviews, dismisses, and reopens many alerts, each batch with one audit event', async () => {
  const [a, b, c] = [await newAlert(app, owner), await newAlert(app, owner), await newAlert(app, owner)]
  const before = (await audited()).length
  expect(await bulk({ action: 'review', alertIds: [a, b, a] })).toMatchObject({
    code: 'ALERTS_REVIEW_OK',
    message: '2 alerts marked as reviewed',
    done: 2,
    failed: 0,
  })
  expect(await bulk({ action: 'dismiss', alertIds: [c] })).toMatchObject({ message: '1 alert dismissed' })
  expect(await statuses()).toEqual({ [a]: 'reviewed', [b]: 'reviewed', [c]: 'dismissed' })
  const { results, ...report } = await bulk({ action: 'reopen', alertIds: [a, b, c] })
  expect(report).toMatchObject({ code: 'ALERTS_REOPEN_OK', message: '3 alerts reopened', done: 3, failed: 0 })
  expect(results.map(({ alertId }) => alertId).toSorted()).toEqual([a, b, c].toSorted())
  expect(await statuses()).toEqual({ [a]: 'new', [b]: 'new', [c]: 'new' })
  expect((await audited()).slice(before)).toEqual([
    { act: 'alert.bulk-review', target: '2 alerts' },
    { act: 'alert.bulk-dismiss', target: '1 alert' },
    { act: 'alert.bulk-reopen', target: '3 alerts' },
  ])
})

test('an alert that is missing, of another app, or already decided fails alone, and says why', async () => {
  const stranger = await newOwnerWithApp(app)
  const foreign = await newAlert(app, stranger)
  const [fresh, dismissed] = [await newAlert(app, owner), await newAlert(app, owner, { status: 'dismissed' })]
  const { done, failed, results } = await bulk({
    action: 'review',
    alertIds: [foreign, 'alert_none', dismissed, fresh],
  })
  expect({ done, failed }).toEqual({ done: 1, failed: 3 })
  const missing = { ok: false, code: 'ALERT_NOT_FOUND', message: 'Alert not found' }
  const notNew = { ok: false, code: 'ALERT_NOT_NEW', message: 'This alert has already been reviewed or dismissed' }
  expect(results).toEqual([
    { alertId: foreign, ...missing },
    { alertId: 'alert_none', ...missing },
    { alertId: dismissed, ...notNew },
    { alertId: fresh, ok: true, message: '' },
  ])
  expect(await statuses()).toEqual({ [fresh]: 'reviewed', [dismissed]: 'dismissed' })
  expect((await stranger.visitor.call('GET /alerts')).body.data).toMatchObject([{ status: 'new' }])
})

test('of several alerts for one finding only the newest is reopened, and none if there is a new one', async () => {
  const status = 'reviewed'
  const older = await newAlert(app, owner, { status, fingerprint: 'same' })
  app.advance(60)
  const newer = await newAlert(app, owner, { status, fingerprint: 'same' })
  const other = await newAlert(app, owner, { status, fingerprint: 'raised again' })
  const fresh = await newAlert(app, owner, { fingerprint: 'raised again' })
  const { results } = await bulk({ action: 'reopen', alertIds: [older, newer, other, fresh] })
  expect(results.map(({ alertId, code }) => [alertId, code])).toEqual([
    [older, 'ALERT_RAISED_AGAIN'],
    [newer, undefined],
    [other, 'ALERT_RAISED_AGAIN'],
    [fresh, 'ALERT_IS_NEW'],
  ])
  expect(await statuses()).toEqual({ [older]: status, [newer]: 'new', [other]: status, [fresh]: 'new' })
})

test('of several simultaneous calls, one reviews each alert', async () => {
  const alertIds = [await newAlert(app, owner), await newAlert(app, owner)]
  const answers = await Promise.all(
    [0, 1, 2].map((at) => bulk({ action: 'review', alertIds: at === 1 ? alertIds.toReversed() : alertIds })),
  )
  expect(answers.map(({ done }) => done).toSorted()).toEqual([0, 0, 2])
})

test('rejects an invalid selection of alerts and changes nothing', async () => {
  const valid = { action: 'review', alertIds: [await newAlert(app, owner)] }
  const hostile = {
    action: [...notTexts, 'delete', 'new', '', undefined],
    alertIds: [
      // A single unknown ID is a valid list: only that ID fails.
      ...notLists.filter((list) => JSON.stringify(list) !== '["x"]'),
      [],
      Array(1001).fill('alert_none'),
      undefined,
    ],
  }
  await expectAllRejected(app, owner.visitor, '/alerts/bulk', hostileBodies(valid, hostile))
})
