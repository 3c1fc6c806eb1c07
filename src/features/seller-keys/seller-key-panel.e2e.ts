import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'
import type { Scope } from './seller-keys.rules.ts'

const panel = (page: Page) => page.locator('[data-side-panel]')
const title = (page: Page) => panel(page).getByRole('heading', { level: 2 }).first()
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const press = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true }).click()

interface KeyOptions {
  permissions?: Scope[]
  whitelistedIPs?: string[]
}

/** The key, and the ID of its row. */
async function newKey({ visitor }: Pick<SignedInOwner, 'visitor'>, keyName: string, options: KeyOptions = {}) {
  const body = { keyName, permissions: [], ...options }
  const { sellerKey: key, details } = (await visitor.call('POST /create_seller_key', { body })).body
  return { key, id: details.sellerKey.split('…')[0] ?? '' }
}

test('a row opens the panel with the permissions in words, the addresses, and the last use; j and k walk, and its actions are there', async ({
  app,
  page,
  owner,
}) => {
  const permissions: Scope[] = ['licenses:read', 'licenses:write', 'stats:read']
  const { key, id } = await newKey(owner, 'A shop', { permissions, whitelistedIPs: ['127.0.0.1', '10.0.0.0/8'] })
  await newKey(owner, 'B bot')
  await page.goto('/sellerapi?sort=name')
  await row(page, 'A shop').getByRole('cell').nth(3).click()
  await expect(page).toHaveURL(new RegExp(`panel=seller-key(:|%3A)${id}`))
  await expect(title(page)).toContainText('A shop')
  await expect(panel(page)).toContainText('10.0.0.0/8')
  const allowed = panel(page).getByRole('region', { name: 'Permissions' })
  await expect(allowed.getByRole('listitem').filter({ hasText: 'Licenses' })).toContainText('read, change')
  await expect(allowed.getByRole('listitem').filter({ hasText: 'Statistics' })).toContainText('read')
  await expect(allowed.getByRole('listitem')).toHaveCount(2)
  await expect(panel(page).locator('dl')).toContainText('Never')
  await expectNoAxeViolations(page)
  const asShop = await fetch(`${app.url}/api/1.0/seller/stats`, { headers: { authorization: `Bearer ${key}` } })
  expect(asShop.status).toBe(200)

  await page.keyboard.press('j')
  await expect(title(page)).toContainText('B bot')
  await expect(panel(page)).toContainText('Everything that the seller API can do, also deleting.')
  await expect(panel(page)).toContainText('Any IP')
  await page.keyboard.press('k')
  await expect(title(page)).toContainText('A shop')

  const dialog = page.getByRole('dialog')
  await press(page, 'Pause')
  await expect(panel(page)).toContainText('Paused')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(panel(page)).toContainText('Active')
  await page.keyboard.press('e')
  await dialog.getByRole('textbox', { name: 'Key name' }).fill('A web shop')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Seller key updated successfully')
  await expect(title(page)).toContainText('A web shop')
  await panel(page).getByRole('tab', { name: 'History' }).click()
  const history = panel(page).getByRole('list', { name: 'History' }).getByRole('listitem')
  await expect(history.first().getByRole('row').filter({ hasText: 'Name' })).toContainText('A shop')
  const change = { sellerKey: id, permissions: ['licenses:read'] as Scope[] }
  await owner.visitor.call('POST /update_seller_key', { body: change })
  await expect(history.first().getByRole('row').filter({ hasText: 'licenses:write' })).toContainText(
    'licenses:read, licenses:write, stats:read',
  )
  await panel(page).getByRole('tab', { name: 'Details' }).click()

  await press(page, 'Rotate')
  await dialog.getByRole('button', { name: 'Rotate' }).click()
  const rotated = await dialog.getByRole('textbox', { name: 'Seller key' }).inputValue()
  expect(rotated).not.toBe(key)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(panel(page)).toContainText(rotated.slice(-4))
  await expect(panel(page).locator('dl')).toContainText('Old key')
  await expect(panel(page).locator('dl')).not.toContainText('Never')

  await press(page, 'More actions')
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Seller key deleted successfully')
  await expect(panel(page)).toHaveCount(0)
})

test('a link opens a seller key over any page, which follows what others change; those of others look like missing ones', async ({
  app,
  page,
  owner,
}) => {
  const { id } = await newKey(owner, 'Shop')
  await page.goto(`/overview?panel=seller-key:${id}`)
  await expect(title(page)).toContainText('Shop')
  await owner.visitor.call('POST /update_seller_key', { body: { sellerKey: id, keyName: 'Renamed elsewhere' } })
  await expect(title(page)).toContainText('Renamed elsewhere')
  await owner.visitor.call('POST /delete_seller_key', { body: { sellerKey: id } })
  await expect(panel(page)).toContainText('Seller key not found')
  const stranger = await newOwnerWithApp(app)
  await page.goto(`/sellerapi?panel=seller-key:${(await newKey(stranger, 'Foreign')).id}`)
  await expect(panel(page)).toContainText('Seller key not found')
  await expect(panel(page)).not.toContainText('Foreign')
})

test.describe('on phones', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('a tap on the card of a seller key opens the panel over the page', async ({ page, owner }) => {
    await newKey(owner, 'Shop')
    await page.goto('/sellerapi')
    await page.getByRole('listitem').filter({ hasText: 'Shop' }).getByText('Shop').tap()
    await expect(page.getByRole('dialog')).toContainText('Full access')
    await page.getByRole('button', { name: 'Close' }).tap()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})
