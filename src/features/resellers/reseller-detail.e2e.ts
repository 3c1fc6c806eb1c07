import type { Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { openReseller } from '#e2e/reseller-page.ts'
import { newLicenses } from '#testing/people/people.ts'
import { newReseller, newSellingReseller } from '#testing/people/resellers.ts'

/** The page where the owner configures one reseller. */

const dialog = (page: Page) => page.getByRole('dialog')
const card = (page: Page, appName = 'Prism Studio') =>
  page
    .getByRole('list', { name: 'Assigned apps' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: appName }) })
const allowed = (page: Page) => card(page).getByRole('list', { name: 'Allowed plans' }).getByRole('listitem')
const appOf = async ({ visitor }: SignedInOwner, id: string, appName = 'Prism Studio') => {
  const { body } = await visitor.call('GET /resellers/{id}', { params: { id } })
  return body.reseller.assignedApps.find((each) => each.appName === appName)
}
/** The field is focused as soon as a plan is dropped or added. */
const typeCost = async (page: Page, plan: string, cost: string) => {
  await expect(card(page).getByRole('spinbutton', { name: `Cost of ${plan}` })).toBeFocused()
  await page.keyboard.type(cost)
  await page.keyboard.press('Enter')
}

test('an app is assigned, shows "N/3 configured" until it is complete, and is removed again', async ({
  app,
  page,
  owner,
}) => {
  const { id, username } = await newReseller(app, owner)
  await openReseller(page, username)
  await expect(page.getByText('No apps assigned yet.')).toBeVisible()
  await expect(page.getByText('The setup link has not been used yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Assign app' }).click()
  await dialog(page).getByRole('button', { name: 'Assign app' }).click()
  await expect(dialog(page).getByText('Please select an app')).toBeVisible()
  await dialog(page).getByRole('combobox', { name: 'App' }).selectOption('Prism Studio')
  await dialog(page).getByRole('button', { name: 'Assign app' }).click()
  await expectToast(page, 'App assigned successfully!')

  await expect(card(page)).toContainText('0/3 configured')
  await expect(card(page)).toContainText(
    'When no subscription levels are selected, the reseller may use all levels by default.',
  )
  await card(page).getByRole('spinbutton', { name: 'Credits' }).fill('50')
  await expect(card(page)).toContainText('1/3 configured')
  await card(page).getByRole('button', { name: 'Add 30 days to Prism Studio' }).click()
  const cost = card(page).getByRole('spinbutton', { name: 'Cost of 30 days' })
  await expect(cost).toBeFocused()
  await expect(card(page)).toContainText('1/3 configured')
  await expectNoAxeViolations(page)
  await cost.fill('4')
  await cost.press('Enter')
  await expect(card(page)).toContainText('2/3 configured')
  await card(page).getByRole('checkbox', { name: 'Level 1: Basic' }).check()
  await expect(card(page)).toContainText('3/3 configured')
  await expect
    .poll(() => appOf(owner, id))
    .toMatchObject({ credits: 50, allowedPlans: ['30'], planCosts: { '30': 4 }, allowedSubscriptions: [1] })

  await card(page).getByRole('button', { name: 'Remove app' }).click()
  await expect(dialog(page)).toContainText('Unspent credits: 50')
  await dialog(page)
    .getByRole('checkbox', { name: /Also delete its licenses and users/ })
    .check()
  await dialog(page).getByRole('textbox', { name: 'App name' }).fill('Prism Studio')
  await dialog(page).getByRole('button', { name: 'Remove app' }).click()
  await expectToast(page, 'App removed successfully (licenses and users also removed)')
  await expect(page.getByText('No apps assigned yet.')).toBeVisible()
})

test('plans are dragged, added by keyboard, and made for this reseller', async ({ app, page, owner }) => {
  await test.step('a plan is dragged to the allowed ones once, and added and removed by keyboard with correct focus', async () => {
    const { id, username } = await newSellingReseller(app, { planCosts: { '7': 2 } }, owner)
    await openReseller(page, username)
    const plans = card(page).getByRole('list', { name: 'Plans', exact: true })
    const zone = card(page).getByRole('group', { name: 'Drop plans here' })
    await plans.getByText('90 days').dragTo(zone)
    await typeCost(page, '90 days', '9')
    await expect(allowed(page)).toHaveText([/7 days/, /90 days/])
    await expect.poll(async () => (await appOf(owner, id))?.allowedPlans).toEqual(['7', '90'])
    // Dragging it again has no effect.
    await plans.getByText('90 days').dragTo(zone)
    await expect(allowed(page)).toHaveCount(2)

    const add = card(page).getByRole('button', { name: 'Add 1 day to Prism Studio' })
    await add.focus()
    await page.keyboard.press('Enter')
    await typeCost(page, '1 day', '1')
    await expect(allowed(page)).toHaveText([/1 day/, /7 days/, /90 days/])
    await expect(add).toBeFocused()
    await expect(add).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Enter')
    await expect(allowed(page)).toHaveCount(3)
    await card(page).getByRole('button', { name: 'Remove 7 days' }).press('Enter')
    await expect(allowed(page)).toHaveText([/1 day/, /90 days/])
    await expect(card(page).getByRole('button', { name: 'Add 7 days to Prism Studio' })).toBeFocused()
    await expect.poll(() => appOf(owner, id)).toMatchObject({ allowedPlans: ['1', '90'] })
  })

  await test.step('a custom plan is created in any unit, dragged, and is there after a reload', async () => {
    const { id, username } = await newSellingReseller(app, { planCosts: { '7': 2 } }, owner)
    await openReseller(page, username)
    await card(page).getByRole('button', { name: 'Custom plan' }).click()
    await dialog(page).getByRole('button', { name: 'Create plan' }).click()
    await expect(dialog(page).getByText('Please enter a valid duration')).toBeVisible()
    await dialog(page).getByRole('spinbutton', { name: 'Duration' }).fill('25')
    await dialog(page).getByRole('combobox', { name: 'Unit' }).selectOption('Hours')
    await expect(dialog(page)).toContainText('= 2 days')
    await expectNoAxeViolations(page)
    await dialog(page).getByRole('button', { name: 'Create plan' }).click()
    await expectToast(page, 'Custom plan created! Now you can drag it to your allowed plans.')
    await card(page)
      .getByRole('list', { name: 'Plans', exact: true })
      .getByText('2 days')
      .dragTo(card(page).getByRole('group', { name: 'Drop plans here' }))
    await typeCost(page, '2 days', '1')
    await expect.poll(async () => (await appOf(owner, id))?.allowedPlans).toEqual(['2', '7'])
    await page.reload()
    await expect(allowed(page)).toHaveText([/2 days/, /7 days/])
  })
})

test('a plan sells once its cost is saved: emptying the field saves nothing, and 0 means free', async ({
  app,
  page,
  owner,
}) => {
  const { id, username } = await newSellingReseller(app, { planCosts: { '7': 2, '30': 0 } }, owner)
  const costs = async () => (await appOf(owner, id))?.planCosts
  await openReseller(page, username)
  const sevenDays = card(page).getByRole('spinbutton', { name: 'Cost of 7 days' })
  const saved = page.waitForRequest((request) => request.method() === 'PUT')
  await sevenDays.fill('9')
  await sevenDays.fill('')
  const credits = card(page).getByRole('spinbutton', { name: 'Credits' })
  await credits.fill('')
  await credits.blur()
  await expect(credits).toHaveValue('100')
  await expect(sevenDays).toHaveValue('2')
  await expect(card(page)).toContainText('Free:')
  await credits.fill('90')
  expect((await saved).postDataJSON()).toEqual({ credits: 90, before: { credits: 100 } })

  // Removed and added again, the plan does not keep its old cost: without one, it isn't added.
  const add = card(page).getByRole('button', { name: 'Add 30 days to Prism Studio' })
  const cost = card(page).getByRole('spinbutton', { name: 'Cost of 30 days' })
  await card(page).getByRole('button', { name: 'Remove 30 days' }).click()
  await add.click()
  await expect(cost).toHaveValue('')
  await cost.press('Enter')
  await expect(card(page).getByText('Enter a whole number of credits')).toBeVisible()
  await cost.press('Escape')
  await expect(cost).toBeHidden()
  await expect(add).toBeFocused()
  await expect.poll(async () => (await appOf(owner, id))?.allowedPlans).toEqual(['7'])

  await add.click()
  await cost.fill('0')
  await expect(card(page).getByText('Free: the reseller pays no credits for it')).toBeVisible()
  await cost.press('Enter')
  await expect.poll(async () => (await appOf(owner, id))?.allowedPlans).toEqual(['7', '30'])
  expect(await costs()).toEqual({ '7': 2, '30': 0 })
})

test('edits are saved by themselves, together, and are not lost', async ({ app, page, owner, server }) => {
  await test.step('edits made in one go are saved by one request, with one event in the audit', async () => {
    const { id, username } = await newSellingReseller(app, { planCosts: { '7': 2 } }, owner)
    await openReseller(page, username)
    await card(page).getByRole('spinbutton', { name: 'Cost of 7 days' }).fill('3')
    await card(page).getByRole('checkbox', { name: 'Level 1: Basic' }).check()
    await card(page).getByRole('button', { name: 'Add 30 days to Prism Studio' }).click()
    await typeCost(page, '30 days', '8')
    await expect(card(page).getByRole('button', { name: 'Undo' })).toBeVisible()
    expect(await appOf(owner, id)).toMatchObject({ planCosts: { '7': 3, '30': 8 }, allowedSubscriptions: [1] })
    const { body } = await owner.visitor.call('GET /audit', { query: { act: 'reseller.configure-app' } })
    expect(body.total).toBe(1)
  })

  await test.step('edits stay while the server is away, and are saved on Retry', async () => {
    const { id, username } = await newSellingReseller(app, { credits: 100 }, owner)
    await openReseller(page, username)
    const cost = card(page).getByRole('spinbutton', { name: 'Cost of 30 days' })
    await expect(cost).toHaveValue('5')
    await server.stop()
    await cost.fill('9')
    await expect(card(page).getByText('Failed to update configuration')).toBeVisible()
    await expect(cost).toHaveValue('9')
    await server.start()
    await card(page).getByRole('button', { name: 'Retry' }).click()
    await expect.poll(async () => (await appOf(owner, id))?.planCosts).toEqual({ '7': 2, '30': 9 })
  })

  await test.step('leaving at once loses no input', async () => {
    const { id, username } = await newSellingReseller(app, { credits: 100 }, owner)
    await openReseller(page, username)
    await card(page).getByRole('spinbutton', { name: 'Cost of 7 days' }).fill('3')
    await page.getByRole('link', { name: 'Resellers', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Manage Resellers' })).toBeVisible()
    await expect.poll(async () => (await appOf(owner, id))?.planCosts).toEqual({ '7': 3, '30': 5 })
  })

  await test.step('an edit that could not be saved is reported after the page is left, or asks before', async () => {
    const { id, username } = await newSellingReseller(app, { credits: 100 }, owner)
    await openReseller(page, username)
    const cost = card(page).getByRole('spinbutton', { name: 'Cost of 30 days' })
    const resellers = page.getByRole('link', { name: 'Resellers', exact: true })
    const costs = async () => (await appOf(owner, id))?.planCosts
    await page.route('**/apps/*', (route) =>
      route.request().method() === 'PUT' ? route.abort('connectionfailed') : route.continue(),
    )
    await cost.fill('8')
    await resellers.click()
    await expect(page.getByRole('heading', { level: 1, name: 'Manage Resellers' })).toBeVisible()
    const retry = page.getByRole('button', { name: 'Retry' })
    await expect(retry).toBeVisible()
    expect(await costs()).toEqual({ '7': 2, '30': 5 })
    await page.unroute('**/apps/*')
    await retry.click()
    await expect.poll(costs).toEqual({ '7': 2, '30': 8 })

    await openReseller(page, username)
    await page.route('**/apps/*', (route) =>
      route.request().method() === 'PUT' ? route.abort('connectionfailed') : route.continue(),
    )
    await cost.fill('9')
    await expect(card(page).getByText('Failed to update configuration')).toBeVisible()
    await resellers.click()
    await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toContainText(
      'Your changes are not saved yet.',
    )
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click()
    await expect(cost).toHaveValue('9')
    await page.unroute('**/apps/*')
    await retry.click()
    await expect.poll(costs).toEqual({ '7': 2, '30': 9 })
  })
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } })
  test('a tap adds a plan and another one removes it', async ({ app, page, owner }) => {
    const { id, username } = await newSellingReseller(app, { planCosts: { '7': 2 } }, owner)
    await openReseller(page, username)
    await card(page).getByRole('button', { name: 'Add 365 days to Prism Studio' }).tap()
    await card(page).getByRole('spinbutton', { name: 'Cost of 365 days' }).fill('50')
    await card(page).getByRole('button', { name: 'Add plan' }).tap()
    await expect(allowed(page)).toHaveText([/7 days/, /365 days/])
    await card(page).getByRole('button', { name: 'Remove 7 days' }).tap()
    await expect.poll(async () => (await appOf(owner, id))?.allowedPlans).toEqual(['365'])
  })
})

test('a saved change is undone; a value that changed in the meantime is shown instead of overwritten', async ({
  app,
  page,
  owner,
}) => {
  const seller = await newSellingReseller(app, { credits: 100 }, owner)
  const { id, username } = seller
  // A page that follows changes would show the new balance first.
  await page.route('**/website/live?**', (route) => route.abort())
  await openReseller(page, username)
  const credits = card(page).getByRole('spinbutton', { name: 'Credits' })
  await credits.fill('120')
  await expect(card(page).getByRole('button', { name: 'Undo' })).toBeVisible()
  expect((await appOf(owner, id))?.credits).toBe(120)
  await card(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await appOf(owner, id))?.credits).toBe(100)
  await expect(credits).toHaveValue('100')

  // The reseller sells while the owner's page shows the old balance.
  await seller.sell()
  await credits.fill('110')
  await expectToast(page, 'Someone else has changed this in the meantime')
  await expect(credits).toHaveValue('95')
  expect((await appOf(owner, id))?.credits).toBe(95)
})

test('Undo of a saved edit gives no credits back that were spent since', async ({ app, page, owner }) => {
  const seller = await newSellingReseller(app, { credits: 100 }, owner)
  await openReseller(page, seller.username)
  const credits = card(page).getByRole('spinbutton', { name: 'Credits' })
  await credits.fill('50')
  await expect(card(page).getByRole('button', { name: 'Undo' })).toBeVisible()
  await seller.sell()
  await expect(credits).toHaveValue('45')
  await card(page).getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Someone else has changed this in the meantime')
  expect((await appOf(owner, seller.id))?.credits).toBe(45)
})

test('a conflict over the credits keeps the other edits of the save', async ({ app, page, owner }) => {
  const seller = await newSellingReseller(app, { credits: 100 }, owner)
  await page.route('**/website/live?**', (route) => route.abort())
  await openReseller(page, seller.username)
  await seller.sell()
  await card(page).getByRole('spinbutton', { name: 'Cost of 30 days' }).fill('9')
  await card(page).getByRole('spinbutton', { name: 'Credits' }).fill('110')
  await expectToast(page, 'Someone else has changed this in the meantime')
  await expect.poll(async () => (await appOf(owner, seller.id))?.planCosts).toEqual({ '7': 2, '30': 9 })
  expect((await appOf(owner, seller.id))?.credits).toBe(95)
})

test('a conflict over the costs puts no plan on sale without the cost typed for it', async ({ app, page, owner }) => {
  const seller = await newSellingReseller(app, { planCosts: { '7': 2, '30': 1 } }, owner)
  const change = async (body: { allowedPlans?: string[]; planCosts?: Record<string, number> }) => {
    const params = { id: seller.id, app: owner.appName }
    expect((await owner.visitor.call('PUT /resellers/{id}/apps/{app}', { params, body })).status).toBe(200)
  }
  await change({ allowedPlans: ['7'] })
  await page.route('**/website/live?**', (route) => route.abort())
  await openReseller(page, seller.username)
  await change({ planCosts: { '7': 3, '30': 1 } })
  await card(page).getByRole('button', { name: 'Add 30 days to Prism Studio' }).click()
  await typeCost(page, '30 days', '10')
  await expectToast(page, 'Someone else has changed this in the meantime')
  await expect(card(page).getByRole('spinbutton', { name: 'Cost of 7 days' })).toHaveValue('3')
  expect(await appOf(owner, seller.id)).toMatchObject({ allowedPlans: ['7'], planCosts: { '7': 3, '30': 1 } })
})

test('the header and the numbers show the reseller and the sales; another owner’s reseller redirects to the list', async ({
  app,
  page,
  owner,
}) => {
  const seller = await newSellingReseller(app, {}, owner)
  await seller.sell({ amount: 3 })
  // The name alone makes nothing a sale.
  await newLicenses(owner, 1, { notes: seller.username })
  await openReseller(page, seller.username)
  await expect(page.getByText(`${seller.username}@example.com`)).toBeVisible()
  // On a phone, the email stands below a name that is not cut.
  await page.setViewportSize({ width: 390, height: 844 })
  const name = page.getByRole('heading', { level: 1, name: seller.username })
  expect(await name.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
  const [top, below] = await Promise.all(
    [name, page.getByText(`${seller.username}@`)].map((each) => each.boundingBox()),
  )
  expect(below?.y).toBeGreaterThan((top?.y ?? 0) + (top?.height ?? 0))
  await page.setViewportSize({ width: 1440, height: 900 })
  const stats = page.getByRole('list', { name: 'Licenses of this reseller' }).getByRole('listitem')
  await expect(stats).toHaveText([/Total Licenses3/, /Redeemed0/, /Unused3/, /Usage Rate0%/])
  await page.getByRole('button', { name: 'Credits of all apps' }).click()
  await expect(page.getByRole('list', { name: 'Transaction history' })).toContainText('Generated 3 licenses')
  await stats.getByRole('link', { name: '3' }).click()
  await expect(page.locator('tr[data-row]')).toHaveCount(3)
  await expect(page.getByRole('row').filter({ hasText: seller.username })).toHaveCount(3)

  const other = await newSellingReseller(app)
  await page.goto(`/resellers/${other.username}`)
  await expect(page).toHaveURL(/\/manage-resellers$/)
  await expectToast(page, 'Reseller not found')
})

test("an app or a domain that couldn't be assigned, saved or removed shows an error", async ({ app, page, owner }) => {
  const { id, username } = await newSellingReseller(app, {}, owner)
  await owner.visitor.call('POST /create_app', { body: { appName: 'Second app', version: '1.0.0' } })
  const body = { domain: `${username.replaceAll('_', '-')}.example.org` }
  await owner.visitor.call('POST /resellers/{id}/domain', { params: { id }, body })
  await openReseller(page, username)
  const assignApp = async () => {
    await page.getByRole('button', { name: 'Assign app' }).click()
    await dialog(page).getByRole('combobox', { name: 'App' }).selectOption('Second app')
  }
  const removeApp = () => card(page).getByRole('button', { name: 'Remove app' }).click()
  const save = page.getByRole('button', { name: 'Save domain' })
  const deleteDomain = () => page.getByRole('button', { name: 'Delete domain' }).click()
  await page.getByRole('textbox', { name: 'Company name' }).fill('Keys & more')
  await expectFailures(app, page, [
    { says: 'Failed to assign app', open: assignApp, press: 'Assign app' },
    { says: 'Failed to remove app', open: removeApp, press: 'Remove app' },
    { says: 'Failed to save domain configuration', press: save },
    { says: 'Failed to delete domain', open: deleteDomain, press: 'Delete domain' },
  ])
  await removeApp()
  await dialog(page).getByRole('button', { name: 'Remove app' }).click()
  await expectToast(page, /^App removed successfully$/)
})
