import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newSeller, type Seller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
  seller = await newSeller(app, owner)
})
afterAll(() => app.close())

const toggle = (status: 'active' | 'paused') =>
  owner.visitor.call('POST /toggle_seller_key_status', { body: { sellerKey: seller.key, status } })

test('a paused key is rejected on its next call and works again once active (R-SK-05)', async () => {
  expect((await seller.send('GET', '/stats')).status).toBe(200)
  expect((await toggle('paused')).body).toMatchObject({
    code: 'SELLER_KEY_PAUSE_OK',
    message: 'Seller key paused successfully',
    status: 'paused',
  })
  const { status, body } = await seller.send('GET', '/stats')
  expect({ status, code: body.code }).toEqual({ status: 403, code: 'SELLER_KEY_PAUSED' })
  expect((await toggle('active')).body).toMatchObject({
    code: 'SELLER_KEY_ACTIVATE_OK',
    message: 'Seller key activated successfully',
    status: 'active',
  })
  expect((await seller.send('GET', '/stats')).status).toBe(200)
})

test('sets the given status: repeating the call changes nothing', async () => {
  for (const status of ['paused', 'paused', 'active', 'active'] as const) {
    expect((await toggle(status)).body.status).toBe(status)
    const { body } = await owner.visitor.call('GET /seller_keys')
    expect(body.sellerKeys[0]?.status).toBe(status)
  }
})

test('rejects an invalid status or key and changes nothing', async () => {
  const hostile = { sellerKey: [...notTexts, '', undefined], status: [...notTexts, '', 'Active', 'deleted', undefined] }
  const bodies = hostileBodies({ sellerKey: seller.key, status: 'paused' }, hostile)
  await expectAllRejected(app, owner.visitor, '/toggle_seller_key_status', bodies)
})
