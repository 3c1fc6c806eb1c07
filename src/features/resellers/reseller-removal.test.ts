import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountContext } from '#server/audit/audit.ts'
import { purgeDeletedApps, startPurging } from '#features/apps/apps.purge.ts'
import { openCredits, setCredits } from '#features/credits/credits.actions.ts'
import { credits } from '#features/credits/credits.feature.ts'
import { deleteLicensesByUse } from '#features/licenses/bulk-licenses.actions.ts'
import { licenses } from '#features/licenses/licenses.feature.ts'
import { beforeWrite } from '#testing/faults/before-write.ts'
import { endingAfter } from '#testing/faults/ending-after.ts'
import { assign, newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { deleteReseller, unassignApp } from './reseller-removal.actions.ts'
import { verifyLedger } from './verify-ledger.ts'

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

test('an app that is assigned while its reseller is being deleted is removed with an event', async () => {
  const reseller = await newReseller(2)
  const { id, owner } = reseller
  await owner.visitor.call('POST /create_app', { body: { appName: 'Second' } })
  const assignSecond = () => assign(owner, { id, appName: 'Second', credits: 10, planCosts: {} })
  await deleteReseller(beforeWrite(app.db, 2, assignSecond), contextOf(reseller), { id, withData: true })
  const accounts = await app.db.reports
    .selectFrom('credit_accounts')
    .select(['kind', 'balance', 'closed'])
    .where('reseller_id', '=', id)
    .where('app_id', '<>', owner.appId)
    .orderBy('kind')
    .execute()
  expect(accounts.map(({ kind, balance, closed }) => [kind, Number(balance), closed])).toEqual([
    ['balance', 0, 1],
    ['source', 0, 1],
    ['spent', 0, 1],
  ])
  expect((await eventsOf(reseller)).slice(1)).toEqual([
    ['reseller.remove-app', true, { left: 90, withData: true }],
    ['reseller.remove-app', false, { left: 10, withData: true }],
    ['reseller.delete', false, { withData: true, deletedLicenses: 2, deletedUsers: 0 }],
  ])
})

/** Deletes an app, during whose removal somebody acts after its credits are gone and before its licenses are. */
async function removedDuring({ owner }: SellingReseller, act: () => Promise<unknown>): Promise<void> {
  await app.db.write(({ db }) =>
    db
      .updateTable('apps')
      .set({ deleted_at: app.now(), name_key: `deleted ${owner.appId}` })
      .where('id', '=', owner.appId)
      .execute(),
  )
  const services = { ...app.services, db: beforeWrite(app.db, 3, act) }
  const stop = await startPurging(services, [credits, licenses])
  await purgeDeletedApps(services)
  await stop()
}
const transfersOf = ({ owner }: SellingReseller) =>
  app.db.reports.selectFrom('credit_transfers').select('kind').where('app_id', '=', owner.appId).execute()

test('licenses that are deleted while their app is being removed leave no transfer', async () => {
  const reseller = await newReseller(2)
  const context = { ...contextOf(reseller), app: { id: reseller.owner.appId, ownerId: reseller.owner.id, name: '' } }
  const choice = { used: undefined, resellerId: reseller.id, withUsers: true, refund: false }
  let during: unknown
  await removedDuring(reseller, async () => {
    const { deleted } = await deleteLicensesByUse(app.db, context, choice)
    during = { deleted, transfers: await transfersOf(reseller) }
  })
  expect(during).toEqual({ deleted: 2, transfers: [] })
  expect(await transfersOf(reseller)).toEqual([])
  expect(await verifyLedger(app.db)).toEqual([])
})

test('credits of a call that ends while its app is being removed are removed as well', async () => {
  const reseller = await newReseller(1)
  const scope = { appId: reseller.owner.appId, resellerId: 'assigned-meanwhile' }
  await removedDuring(reseller, () =>
    app.db.write(async (tx) => {
      await openCredits(tx, scope)
      await setCredits(tx, { ...scope, amount: 5, now: app.now() })
    }),
  )
  expect(await transfersOf(reseller)).toEqual([])
  const accounts = app.db.reports.selectFrom('credit_accounts').select('kind').where('app_id', '=', scope.appId)
  expect(await accounts.execute()).toEqual([])
})
