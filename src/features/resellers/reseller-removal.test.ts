import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountContext } from '#server/audit/audit.ts'
import { endingAfter } from '#testing/faults/ending-after.ts'
import { assign, newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { deleteReseller, unassignApp } from './reseller-removal.actions.ts'

/** Removals that end after their first transaction, before anything that was sold is deleted. */

let app: TestApp

beforeAll(async () => void (app = await startTestApp()))
afterAll(() => app.close())

const contextOf = ({ owner }: SellingReseller): AccountContext => ({
  actor: { type: 'owner', id: owner.id, username: owner.username, sessionHash: '', verifiedAt: 0, selectedAppId: null },
  now: app.now(),
  caller: { ip: '', requestId: 'ended' },
})

async function newReseller(licenses: number): Promise<SellingReseller> {
  const reseller = await newSellingReseller(app, { credits: 100 })
  expect((await reseller.sell({ amount: licenses })).status).toBe(200)
  return reseller
}

const removeApp = ({ owner, id, appName }: SellingReseller, query: { deleteLicenses?: boolean } = {}) =>
  owner.visitor.call('DELETE /resellers/{id}/apps/{app}', { params: { id, app: appName }, query })

const unassign = (reseller: SellingReseller, last: number) =>
  unassignApp(endingAfter(app.db, last), contextOf(reseller), { ...reseller, withData: true })

const licensesOf = async ({ owner }: SellingReseller) => (await owner.visitor.call('GET /licenses')).body.counts.total

async function eventsOf({ owner, username }: SellingReseller) {
  const rows = await app.db.read
    .selectFrom('audit')
    .select(['act', 'app_id', 'details'])
    .where('target', '=', username)
    .orderBy('id')
    .execute()
  return rows
    .filter(({ act }) => /ban|remove-app|delete/.test(act))
    .map(({ act, app_id: appId, details }) => [act, appId === owner.appId, JSON.parse(details ?? '{}')])
}

test('removing an app with its licenses is completed by calling again', async () => {
  const reseller = await newReseller(5)
  await expect(unassign(reseller, 1)).rejects.toThrow('the server has ended')
  expect([await licensesOf(reseller), (await reseller.sell()).status]).toEqual([5, 404])
  const withoutData = await removeApp(reseller)
  expect([withoutData.status, withoutData.body.code, await licensesOf(reseller)]).toEqual([404, 'CREDITS_CLOSED', 5])
  const again = await removeApp(reseller, { deleteLicenses: true })
  expect(again.body).toMatchObject({ code: 'APP_REMOVE_DATA_OK', deletedLicenses: 5 })
  expect(await licensesOf(reseller)).toBe(0)
  const nothingLeft = await removeApp(reseller, { deleteLicenses: true })
  expect([nothingLeft.status, nothingLeft.body.code]).toEqual([404, 'CREDITS_CLOSED'])
  expect(await eventsOf(reseller)).toEqual([['reseller.remove-app', true, { left: 75, withData: true }]])
})

test("nobody completes the removal of another owner's reseller, or in another owner's app", async () => {
  const reseller = await newReseller(1)
  const stranger = await newReseller(1)
  await expect(unassign(reseller, 1)).rejects.toThrow('the server has ended')
  const query = { deleteLicenses: true }
  for (const id of [reseller.id, stranger.id]) {
    const app = id === reseller.id ? stranger.appName : reseller.appName
    const answer = await stranger.owner.visitor.call('DELETE /resellers/{id}/apps/{app}', {
      params: { id, app },
      query,
    })
    expect([answer.status, await licensesOf(reseller), await licensesOf(stranger)]).toEqual([404, 1, 1])
  }
})

test('a deletion that ends leaves an event of each change, and is completed by calling again', async () => {
  const reseller = await newReseller(5)
  const { id, owner } = reseller
  const choice = { id, withData: true }
  await expect(deleteReseller(endingAfter(app.db, 1), contextOf(reseller), choice)).rejects.toThrow('has ended')
  const first = [
    ['reseller.ban', false, { changes: { banned: [false, true] } }],
    ['reseller.remove-app', true, { left: 75, withData: true }],
  ]
  expect(await eventsOf(reseller)).toEqual(first)
  expect(await licensesOf(reseller)).toBe(5)
  const { body } = await owner.visitor.call('DELETE /resellers/{id}', {
    params: { id },
    body: { deleteLicenses: true },
  })
  expect(body).toMatchObject({ deletedLicenses: 5 })
  expect(await licensesOf(reseller)).toBe(0)
  const last = ['reseller.delete', false, { withData: true, deletedLicenses: 5, deletedUsers: 0 }]
  expect(await eventsOf(reseller)).toEqual([...first, last])
})

test('two deletions at once leave one event', async () => {
  const reseller = await newReseller(2)
  const { id, owner } = reseller
  const remove = () => owner.visitor.call('DELETE /resellers/{id}', { params: { id }, body: { deleteLicenses: true } })
  const answers = await Promise.all([remove(), remove()])
  expect(answers.some(({ status }) => status === 200)).toBe(true)
  const acts = (await eventsOf(reseller)).map(([act]) => act)
  expect(acts).toEqual(['reseller.ban', 'reseller.remove-app', 'reseller.delete'])
})

test('after a deletion that ended, the reseller can sell again', async () => {
  const reseller = await newReseller(1)
  const { id, owner, appName, username } = reseller
  const choice = { id, withData: false }
  await expect(deleteReseller(endingAfter(app.db, 1), contextOf(reseller), choice)).rejects.toThrow('has ended')
  await owner.visitor.call('POST /resellers/{id}/ban', { params: { id }, body: { banned: false } })
  await assign(owner, { id, appName, credits: 10, planCosts: { '30': 5 } })
  const body = { username, password: 'Correct7Horse' }
  expect((await reseller.visitor.call('POST /login', { body })).status).toBe(200)
  expect((await reseller.sell()).status).toBe(200)
})
