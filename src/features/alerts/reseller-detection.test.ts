import { afterAll, beforeAll, expect, test } from 'vitest'
import { activityLog } from '#features/logs/logs.actions.ts'
import { Program } from '#testing/people/program.ts'
import { newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import type { AlertType } from './alerts.rules.ts'
import { detect } from './detection.ts'

const day = 86_400

/** The detectors are tested with real calls of resellers. */
let app: TestApp
let reseller: SellingReseller

beforeAll(async () => {
  app = await startTestApp()
  reseller = await newSellingReseller(app, { credits: 10_000 })
})
afterAll(() => app.close())

async function sold(amount: number): Promise<string[]> {
  const { status, body } = await reseller.sell({ amount })
  expect(status, body.message).toBe(200)
  return (body as unknown as { licenses: string[] }).licenses
}
const raised = async (type: AlertType) => {
  await detect(app.services, reseller.owner.appId)
  const { body } = await reseller.owner.visitor.call('GET /alerts', { query: { limit: 50 } })
  return body.data.filter((alert) => alert.type === type)
}

/** The fields that identify the reseller in an alert. */
const named = () => ({ key: reseller.username, reseller: reseller.username })

let redeemed: string[] = []

test('licenses redeemed at one address, banned by the owner, and machines reset for all of them', async () => {
  redeemed = await sold(10)
  for (const [at, key] of redeemed.entries()) {
    const program = await Program.of(app, reseller.owner)
    program.hwid = `machine-of-customer-${at}`
    await program.init()
    expect((await program.license(key)).status).toBe(200)
  }
  expect(await raised('RESELLER_SAME_IP_LICENSES')).toMatchObject([
    { details: { ...named(), userCount: 10, users: expect.arrayContaining(redeemed), ip: '127.0.0.1' } },
  ])

  expect(await raised('RESELLER_MASS_RESET_HWID')).toEqual([])
  const { appName, visitor, owner } = reseller
  for (const username of redeemed) {
    const body = { appName }
    const { status } = await visitor.call('POST /reseller/users/{u}/reset-hwid', { params: { u: username }, body })
    expect(status).toBe(200)
  }
  expect(await raised('RESELLER_MASS_RESET_HWID')).toMatchObject([
    { details: { ...named(), userCount: 10, users: redeemed, licenses: [] } },
  ])

  expect(await raised('RESELLER_CHARGEBACK_PATTERN')).toEqual([])
  for (const licenseKey of redeemed.slice(0, 5)) {
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
  }
  expect(await raised('RESELLER_CHARGEBACK_PATTERN')).toMatchObject([{ details: { ...named(), userCount: 5 } }])
})

test.each([
  ['30 days', 30 * day, 45 * day],
  ['an hour', 3600, 3 * day],
])(
  'licenses that are banned long after they were used raise an alert, in a window of %s',
  async (_, windowSeconds, ago) => {
    const { owner, sell } = await newSellingReseller(app)
    const { licenses } = (await sell({ amount: 5 })).body as unknown as { licenses: string[] }
    for (const key of licenses) {
      const program = await Program.of(app, owner)
      await program.init()
      await program.license(key)
    }
    // Their entries raise alerts as well: before those that are looked for.
    await activityLog(app.services).flush()
    const found = async () =>
      (await detect(app.services, owner.appId)) &&
      (await owner.visitor.call('GET /alerts')).body.data.map(({ type, details }) => [type, details.measured])
    await app.db.write(({ db }) =>
      db
        .updateTable('licenses')
        .set({ used_at: app.now() - ago })
        .where('app_id', '=', owner.appId)
        .execute(),
    )
    const body = { type: 'RESELLER_CHARGEBACK_PATTERN' as const, windowSeconds }
    expect((await owner.visitor.call('POST /alerts/thresholds', { body })).status).toBe(200)
    await detect(app.services, owner.appId)
    await owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses } })
    expect(await found()).toContainEqual([body.type, 5])
    expect(await found()).toBe(0)
  },
)

test('licenses deleted for their credits', async () => {
  const { appName, visitor } = reseller
  const keys = await sold(10)
  const remove = (id: string) => visitor.call('DELETE /reseller/licenses/{id}', { params: { id }, body: { appName } })
  for (const key of keys.slice(0, 9)) expect((await remove(key)).status).toBe(200)
  expect(await raised('RESELLER_CREDIT_ABUSE')).toEqual([])
  expect((await remove(keys[9] ?? '')).status).toBe(200)
  // Nobody ever redeemed these licenses, so no user is accused.
  expect(await raised('RESELLER_CREDIT_ABUSE')).toMatchObject([
    { details: { ...named(), userCount: 0, users: [], licenses: keys } },
  ])
})

test('more licenses within an hour than anybody sells', async () => {
  expect(await raised('RESELLER_LICENSE_PATTERN')).toEqual([])
  await sold(100)
  expect(await raised('RESELLER_LICENSE_PATTERN')).toMatchObject([{ details: { ...named(), userCount: 0 } }])
})

test('what resellers did in the minute before a restart is found after it', async () => {
  const found = async ({ owner }: SellingReseller) => {
    const alerts = app.db.read.selectFrom('alerts').select('type').where('app_id', '=', owner.appId)
    return (await alerts.execute()).map(({ type }) => type)
  }
  const other = await newSellingReseller(app, { credits: 10_000 })
  app.advance(300)
  await app.jobsDone()
  expect((await other.sell({ amount: 100 })).status).toBe(200)
  await app.stop()
  await app.start()
  app.advance(60)
  await app.jobsDone()
  expect(await found(other)).toContain('RESELLER_LICENSE_PATTERN')
})
