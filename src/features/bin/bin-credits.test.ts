import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databaseDigest } from '#testing/database-digest.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
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

const itemsOf = async () => (await owner.visitor.call('GET /bin', { query: { limit: 100 } })).body.items
const restore = (body: { ids?: number[]; undoId?: string }) => owner.visitor.call('POST /bin/restore', { body })
const restoreAll = async () => restore({ ids: (await itemsOf()).map(({ id }) => id) })

async function deleteLicense(licenseKey: string, more: object = {}) {
  const { status, body } = await owner.visitor.call('POST /delete_license', { body: { licenseKey, ...more } })
  expect(status).toBe(200)
  return body.undoId as string
}

/** Redeems a license; the user has the key as name. */
async function redeem(key: string): Promise<void> {
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).body).toMatchObject({ success: true })
}

describe('credits of a reseller', () => {
  let reseller: SellingReseller

  const sums = async () => {
    const rows = await app.db.read
      .selectFrom('credit_accounts')
      .select(['kind', 'balance'])
      .where('app_id', '=', reseller.owner.appId)
      .where('reseller_id', '=', reseller.id)
      .execute()
    return Object.fromEntries(rows.map(({ kind, balance }) => [kind, Number(balance)]))
  }
  const sold = async (): Promise<string> =>
    ((await reseller.sell({ amount: 1 })).body as unknown as { licenses: string[] }).licenses[0] as string

  beforeEach(async () => {
    reseller = await newSellingReseller(app, { credits: 12 }, owner)
  })

  test('a refund is paid back, again and again, and no credit is lost or doubled', async () => {
    const key = await sold()
    const paid = await sums()
    for (let round = 0; round < 3; round++) {
      await deleteLicense(key)
      expect(await reseller.credits()).toBe(12)
      expect((await restoreAll()).body).toMatchObject({ restored: 1 })
      expect(await sums()).toEqual(paid)
    }
  })

  test('is rejected when the reseller has spent them, and changes nothing', async () => {
    const key = await sold()
    await deleteLicense(key)
    await sold()
    await sold()
    const before = await databaseDigest(app.db, [])
    const { status, body } = await restoreAll()
    expect([status, body]).toEqual([
      409,
      expect.objectContaining({ code: 'CREDITS_MISSING', values: { cost: 5, balance: 2 } }),
    ])
    expect(await databaseDigest(app.db, [])).toBe(before)
  })

  test('pays for as many as the balance covers', async () => {
    const keys = [await sold(), await sold()]
    await owner.visitor.call('POST /licenses/bulk', { body: { action: 'delete', licenses: keys } })
    await sold()
    expect((await restoreAll()).body).toMatchObject({ restored: 1, failed: 1, failures: [{ code: 'CREDITS_MISSING' }] })
    expect(await sums()).toEqual({ source: -12, balance: 2, spent: 10 })
  })

  test('pays for one of two licenses with one key, and for others with the rest', async () => {
    await deleteLicense(await sold())
    for (let made = 0; made < 2; made++) {
      const key = await sold()
      await app.db.write(({ db }) =>
        db.updateTable('licenses').set({ license: 'SAME-KEY' }).where('license', '=', key).execute(),
      )
      await deleteLicense('SAME-KEY')
    }
    expect((await restoreAll()).body).toMatchObject({ restored: 2, failed: 1, failures: [{ code: 'LICENSE_TAKEN' }] })
    expect(await sums()).toEqual({ source: -12, balance: 2, spent: 10 })
  })

  test('without a refund, the payment returns from its source', async () => {
    const key = await sold()
    const paid = await sums()
    await deleteLicense(key, { refundCredits: false })
    expect(await sums()).toEqual({ source: -7, balance: 7, spent: 0 })
    expect((await restoreAll()).body).toMatchObject({ restored: 1 })
    expect(await sums()).toEqual(paid)
    await deleteLicense(key)
    expect(await reseller.credits()).toBe(12)
  })

  test("a reseller's own deletion lies in the owner's bin; a removed app has no credits to pay with", async () => {
    const key = await sold()
    const { body: list } = await reseller.visitor.call('GET /reseller/licenses', { query: { appName: owner.appName } })
    const params = { id: list.licenses[0]?.license ?? '' }
    const query = { appName: owner.appName }
    const deleted = await reseller.visitor.send('DELETE', '/api/1.0/website/reseller/licenses/{id}', { params, query })
    expect(deleted.status).toBe(200)
    expect(await itemsOf()).toMatchObject([{ name: key, deletedBy: { type: 'reseller', name: reseller.username } }])
    const removed = { params: { id: reseller.id, appName: owner.appName } }
    expect((await owner.visitor.send('DELETE', '/api/1.0/website/resellers/{id}/apps/{appName}', removed)).status).toBe(
      200,
    )
    expect((await restoreAll()).body).toMatchObject({ code: 'CREDITS_CLOSED' })
  })

  test('counts restored customers again', async () => {
    const key = await sold()
    await redeem(key)
    const customers = async () =>
      (await reseller.visitor.call('GET /reseller/users', { query: { appName: owner.appName } })).body.total
    expect(await customers()).toBe(1)
    for (const more of [{ deleteUsers: true }, { deleteUsers: false }]) {
      const undoId = await deleteLicense(key, more)
      expect(await customers()).toBe(0)
      await restore({ undoId })
      expect(await customers()).toBe(1)
    }
    await owner.visitor.call('POST /delete_user', { body: { username: key } })
    expect(await customers()).toBe(0)
    await restoreAll()
    expect(await customers()).toBe(1)
  })
})
