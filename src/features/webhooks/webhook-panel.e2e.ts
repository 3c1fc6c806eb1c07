import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { startReceiver } from '#testing/servers/webhook-receiver.ts'

const panel = (page: Page) => page.locator('[data-side-panel]')
const title = (page: Page) => panel(page).getByRole('heading', { level: 2 }).first()
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const press = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true }).click()
const menu = async (page: Page, name: string) => {
  await press(page, 'More actions')
  await page.getByRole('menuitem', { name, exact: true }).click()
}
const add = async ({ visitor }: Pick<SignedInOwner, 'visitor'>, name: string, url = 'https://example.com/hook') =>
  (await visitor.call('POST /create_webhook', { body: { name, url, events: ['license.created'] } })).body.webhookId

test('a row opens the panel with its state, events, and last deliveries; j and k walk, and its actions are there', async ({
  app,
  page,
  owner,
}) => {
  const receiver = await startReceiver(app)
  await add(owner, 'Older')
  const id = await add(owner, 'Order bot', receiver.url)
  await newLicenses(owner, 1)
  await expect.poll(() => receiver.received.length).toBe(1)
  await app.jobsDone()
  await page.goto('/webhooks?sort=-name')
  await row(page, 'Order bot').getByRole('cell').nth(2).click()
  await expect(page).toHaveURL(new RegExp(`panel=webhook(:|%3A)${id}`))
  await expect(title(page)).toContainText('Order bot')
  await expect(panel(page)).toContainText('Working')
  await expect(panel(page)).toContainText(receiver.url)
  const deliveries = panel(page).getByRole('region', { name: 'Deliveries' })
  await expect(deliveries).toContainText('License created')
  await expect(deliveries).toContainText('responded with status 204')
  await expect(panel(page)).not.toContainText('Not in the last 30 days')
  await expectNoAxeViolations(page)

  await page.keyboard.press('j')
  await expect(title(page)).toContainText('Older')
  await expect(panel(page)).toContainText('Not in the last 30 days')
  await page.keyboard.press('k')
  await expect(title(page)).toContainText('Order bot')

  await page.keyboard.press('e')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop bot')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Webhook updated successfully')
  await expect(title(page)).toContainText('Shop bot')
  await panel(page).getByRole('tab', { name: 'History' }).click()
  const history = panel(page).getByRole('list', { name: 'History' }).getByRole('listitem')
  await expect(history.first().getByRole('row').filter({ hasText: 'Name' })).toContainText('Order bot')
  await expect(history.last()).toContainText('Webhook created')
  await expectNoAxeViolations(page)
  await history.first().getByRole('link').click()
  await expect(title(page)).toContainText('Webhook changed')
  await panel(page).getByRole('link', { name: id }).click()
  await expect(title(page)).toContainText('Shop bot')
  await panel(page).getByRole('tab', { name: 'Details' }).click()

  receiver.answer = (response) => void response.writeHead(500).end()
  await press(page, 'Test')
  await expectToast(page, 'Failed to test webhook: responded with status 500')
  await expect(dialog).toContainText('responded with status 500')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await press(page, 'Show all')
  await expect(dialog.getByRole('button', { name: 'Redeliver' })).not.toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await menu(page, 'Delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Webhook deleted successfully')
  await expect(panel(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'Shop bot')).toBeVisible()
  await receiver.close()
})

test('the panel of a stopped webhook says why, resumes it, and follows what others change', async ({
  app,
  page,
  owner,
}) => {
  const receiver = await startReceiver(app)
  receiver.answer = (response) => void response.writeHead(410).end()
  const id = await add(owner, 'Order bot', receiver.url)
  await newLicenses(owner, 1)
  await expect.poll(() => receiver.received.length).toBe(1)
  await app.jobsDone()
  await page.goto(`/licenses?panel=webhook:${id}`)
  await expect(panel(page)).toContainText('Stopped')
  await expect(panel(page).locator('dl')).toContainText('responded with status 410')
  await expectNoAxeViolations(page)
  await press(page, 'Resume deliveries')
  await expectToast(page, 'Webhook updated successfully')
  await expect(panel(page)).toContainText('Working')
  await expect(panel(page).getByRole('button', { name: 'Resume deliveries' })).toHaveCount(0)
  await owner.visitor.call('POST /update_webhook', { body: { webhookId: id, name: 'Renamed elsewhere' } })
  await expect(title(page)).toContainText('Renamed elsewhere')
  await receiver.close()
})

test('a link opens a webhook over any page; those of others and deleted ones look like missing ones', async ({
  app,
  page,
  owner,
}) => {
  const id = await add(owner, 'Order bot')
  await page.goto(`/overview?panel=webhook:${id}`)
  await expect(title(page)).toContainText('Order bot')
  const stranger = await newOwnerWithApp(app)
  await page.goto(`/webhooks?panel=webhook:${await add(stranger, 'Foreign')}`)
  await expect(panel(page)).toContainText('Webhook not found')
  await expect(panel(page)).not.toContainText('Foreign')
  await page.goto(`/webhooks?panel=webhook:${id}`)
  await expect(title(page)).toContainText('Order bot')
  await owner.visitor.call('POST /delete_webhook', { body: { webhookId: id } })
  await expect(panel(page)).toContainText('Webhook not found')
})

test.describe('on phones', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('a tap on the card of a webhook opens the panel over the page', async ({ page, owner }) => {
    await add(owner, 'Order bot')
    await page.goto('/webhooks')
    await page.getByRole('listitem').filter({ hasText: 'Order bot' }).getByText('Order bot').tap()
    await expect(page.getByRole('dialog')).toContainText('License created')
    await page.getByRole('button', { name: 'Close' }).tap()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})
