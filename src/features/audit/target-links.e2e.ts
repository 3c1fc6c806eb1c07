import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'

/** What names of files, seller keys, variables, and levels in the audit lead to. */

const panel = (page: Page) => page.locator('[data-side-panel]')
const title = (page: Page) => panel(page).getByRole('heading', { level: 2 }).first()
const entry = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('a file in the audit leads to itself, whatever it is called now, and never to another one of its name', async ({
  page,
  owner: { visitor },
}) => {
  const upload = async (name: string) =>
    (await visitor.call('POST /downloads/upload', { body: { name }, file: new File(['bytes'], `${name}.zip`) })).body
      .download.downloadId
  const first = await upload('Alpha')
  await visitor.call('PUT /downloads/file/{name}', { params: { name: first }, body: { name: 'Beta' } })
  const second = await upload('Alpha')
  await page.goto('/audit')
  const uploads = entry(page, 'File uploaded')
  await expect(uploads).toHaveCount(2)
  await uploads.last().getByRole('link', { name: 'Alpha' }).click()
  await expect(title(page)).toContainText('Beta')
  await uploads.first().getByRole('link', { name: 'Alpha' }).click()
  await expect(title(page)).toContainText('Alpha')
  await expect(page).toHaveURL(new RegExp(`panel=file(:|%3A)${second}`))
  await expectNoAxeViolations(page)

  await visitor.call('DELETE /downloads/file/{name}', { params: { name: second }, body: {} })
  await visitor.call('PUT /downloads/file/{name}', { params: { name: first }, body: { name: 'Alpha' } })
  await page.goto('/audit')
  await expect(entry(page, 'File deleted')).toContainText('Alpha')
  await expect(entry(page, 'File deleted').getByRole('link', { name: 'Alpha' })).toHaveCount(0)
  await entry(page, 'File uploaded').first().getByRole('link', { name: 'Alpha' }).click()
  await expect(panel(page)).toContainText('Download not found')
})

test('a seller key in the audit leads to itself, also after a rotation and from a list of several', async ({
  app,
  page,
  owner: { visitor },
}) => {
  const create = async (keyName: string) =>
    (await visitor.call('POST /create_seller_key', { body: { keyName, permissions: [] } })).body.details.sellerKey
  const shop = await create('Shop')
  await create('Bot')
  await visitor.call('POST /rotate_seller_key', { body: { sellerKey: shop, overlapHours: 0 } })
  await page.goto('/audit')
  await entry(page, 'Seller key created').getByRole('link', { name: shop }).click()
  await expect(title(page)).toContainText('Shop')
  await page.getByRole('button', { name: 'Close' }).click()

  const sellerKeys = [shop, await create('Third')]
  await visitor.call('POST /seller_keys/bulk', { body: { action: 'pause', sellerKeys } })
  const { entries } = (await visitor.call('GET /audit', { query: { act: 'seller-key.bulk-pause' } })).body
  await page.goto(`/audit?panel=audit:${entries[0]?.id}`)
  await panel(page).getByRole('region', { name: 'Targets' }).getByRole('link').last().click()
  await expect(title(page)).toContainText(/Shop|Third/)

  const stranger = await newOwnerWithApp(app)
  const theirs = await stranger.visitor.call('POST /create_seller_key', { body: { keyName: 'X', permissions: [] } })
  await page.goto(`/audit?panel=seller-key:${theirs.body.details.sellerKey.split('…')[0]}`)
  await expect(panel(page)).toContainText('Seller key not found')
})

test('a variable and a level in the audit lead nowhere, because later ones may have their names', async ({
  page,
  owner: { visitor },
}) => {
  for (const deleteVariable of [false, true, false]) {
    await visitor.call('POST /modify_app_var', { body: { variableName: 'api_key', variableData: 'x', deleteVariable } })
  }
  await visitor.call('POST /create_subscription', { body: { level: 7, name: 'Gold' } })
  await page.goto('/audit')
  await expect(entry(page, 'Variable created')).toHaveCount(2)
  for (const name of ['Variable created', 'Subscription created']) {
    await expect(entry(page, name).first()).toContainText(/api_key|7/)
    await expect(entry(page, name).getByRole('link', { name: /^(api_key|7)$/ })).toHaveCount(0)
  }
})
