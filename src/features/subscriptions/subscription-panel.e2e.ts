import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { isFollowing } from '#e2e/followed-list.ts'
import { newSubscriber } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'

/** The panel of a subscription level. */

const panel = (page: Page) => page.locator('[data-side-panel]')
const title = (page: Page) => panel(page).getByRole('heading', { level: 2 }).first()
const inPanel = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => panel(page).getByRole('link', { name, exact: true })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const dialog = (page: Page) => page.getByRole('dialog')
const add = ({ visitor }: SignedInOwner, level: number, name: string) =>
  visitor.call('POST /create_subscription', { body: { level, name, active: true } })
const levels = async ({ visitor }: SignedInOwner) => (await visitor.call('GET /subscriptions')).body.subscriptions

test('a subscription opens from its row and leads to its users and licenses; j and k walk through the list', async ({
  page,
  owner,
}) => {
  await add(owner, 2, 'Pro')
  await add(owner, 3, 'Studio')
  const username = await newSubscriber(owner, { level: 2 })
  await newLicenses(owner, 3)
  await page.goto('/subscriptions?sort=level')
  await row(page, 'Pro').getByRole('cell', { name: 'Pro', exact: true }).click()
  await expect(page).toHaveURL(/panel=subscription(:|%3A)2/)
  await expect(title(page)).toContainText('Pro')
  await expect(panel(page)).toContainText('0 licenses')
  await expect(link(page, '1 user')).toBeVisible()
  await expectNoAxeViolations(page)
  await page.keyboard.press('j')
  await expect(title(page)).toContainText('Studio')
  await expect(panel(page)).toContainText('0 users')
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await expect(title(page)).toContainText('Basic')
  await link(page, '3 licenses').click()
  await expect(page).toHaveURL(/\/licenses\?f\.level=1$/)
  const key = page.locator('tr[data-row]').first()
  await expect(page.locator('tr[data-row]')).toHaveCount(3)

  // Its license leads back to it.
  await key.getByRole('cell').nth(3).click()
  await link(page, 'Basic').click()
  await expect(title(page)).toContainText('Subscription')
  await page.goto('/subscriptions?panel=subscription:2')
  await link(page, '1 user').click()
  await expect(page).toHaveURL(/\/users\?f\.level=2$/)
  await expect(row(page, username)).toBeVisible()
})

test('a subscription is edited, paused, and deleted with Undo in its panel, over any page', async ({
  app,
  page,
  owner,
}) => {
  await newSubscriber(owner, { level: 1 })
  await page.goto('/overview?panel=subscription:1')
  await expect(title(page)).toContainText('Basic')
  await isFollowing(app)
  await owner.visitor.call('POST /update_subscription', { body: { level: 1, name: 'Starter' } })
  await expect(title(page)).toContainText('Starter')
  await page.keyboard.press('e')
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Solo')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Subscription updated successfully')
  await expect(title(page)).toContainText('Solo')

  await inPanel(page, 'Pause').click()
  await expect(page.getByRole('dialog', { name: 'Pause Solo?' })).toContainText('In use by 1 user.')
  await dialog(page).getByLabel('Type “pause” to confirm').fill('pause')
  await dialog(page).getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(panel(page)).toContainText('Programs of its users are rejected until you activate it again.')
  expect(await levels(owner)).toMatchObject([{ name: 'Solo', active: false }])
  await inPanel(page, 'Activate').click()
  await expect(panel(page)).not.toContainText('rejected')
  await expectToast(page, 'Subscription activated successfully')
  await expect.poll(() => levels(owner)).toMatchObject([{ name: 'Solo', active: true }])

  await inPanel(page, 'Delete').click()
  await dialog(page).getByRole('checkbox', { name: 'Force delete' }).check()
  await dialog(page).getByLabel('App name').fill(owner.appName)
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await expectToast(page, 'Subscription deleted successfully')
  await expect(panel(page)).toHaveCount(0)
  await page
    .locator('[data-print=no] > [role=status] > *')
    .filter({ hasText: 'Subscription deleted successfully' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expectToast(page, 'Restored 1 item')
  expect(await levels(owner)).toMatchObject([{ name: 'Solo', userCount: 1 }])
})

test("a deleted level and another owner's look like missing ones in the panel", async ({ app, page, owner }) => {
  await add(owner, 2, 'Pro')
  await owner.visitor.call('POST /delete_subscription', { body: { level: 2 } })
  const { visitor } = await newOwnerWithApp(app)
  await visitor.call('POST /create_subscription', { body: { level: 7, name: 'Theirs', active: true } })
  for (const id of ['2', '7', 'nothing']) {
    await page.goto(`/subscriptions?panel=subscription:${id}`)
    await expect(panel(page)).toContainText('Subscription not found')
    await expect(panel(page)).not.toContainText('Theirs')
    await expect(inPanel(page, 'Delete')).toHaveCount(0)
  }
})

test('a tap on the card of a subscription opens the panel over the page', async ({ page, owner }) => {
  await add(owner, 2, 'a-very-long-name-of-a-subscription-without-spaces')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/subscriptions')
  await page.getByRole('list', { name: 'Subscriptions' }).getByText('Level 2').click()
  await expect(panel(page)).toContainText('0 licenses')
  expect(await panel(page).boundingBox()).toMatchObject({ x: 0, width: 390, height: 844 })
  expect(await panel(page).evaluate((frame) => frame.scrollWidth)).toBe(390)
  await inPanel(page, 'Close').click()
  await expect(panel(page)).toHaveCount(0)
})
