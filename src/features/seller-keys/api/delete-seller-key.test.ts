import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAllRejected, hostileBodies, notTexts } from '#testing/faults/hostile-input.ts'
import { newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { newSeller, type Seller } from '#testing/people/sellers.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

const remove = ({ key }: Seller) => owner.visitor.call('POST /delete_seller_key', { body: { sellerKey: key } })

test('a deleted key is rejected on its next call like one that never was, and others stay', async () => {
  const [gone, kept] = [await newSeller(app, owner), await newSeller(app, owner)]
  expect((await gone.send('GET', '/stats')).status).toBe(200)
  expect((await remove(gone)).body).toMatchObject({
    success: true,
    code: 'SELLER_KEY_DELETE_OK',
    message: 'Seller key deleted successfully',
  })
  const { status, body } = await gone.send('GET', '/stats')
  expect({ status, code: body.code }).toEqual({ status: 401, code: 'SELLER_KEY_INVALID' })
  expect((await kept.send('GET', '/stats')).status).toBe(200)
})

test('of many who delete one key at once, one does', async () => {
  const seller = await newSeller(app, owner)
  const answers = await Promise.all(Array.from({ length: 8 }, () => remove(seller)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(404)])
})

test('rejects what is no key, and changes nothing', async () => {
  const { key } = await newSeller(app, owner)
  const bodies = hostileBodies({ sellerKey: key }, { sellerKey: [...notTexts, '', undefined] })
  await expectAllRejected(app, owner.visitor, '/delete_seller_key', bodies)
})
