import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'
import { newLicenses, setPlan } from '#testing/people/people.ts'
import type { TestApp } from '#testing/start-test-app.ts'

/** What the plan forbids can't be chosen, and says why in visible text with a link to the plans. */

const widths = [1440, 390]

for (const width of widths)
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 844 } })

    test('the form for licenses offers no more than the plan has room for', async ({ app, page, owner }) => {
      await setPlan(app, owner.id, 'Free')
      await newLicenses(owner, 20)
      await page.goto('/licenses')
      await page.getByRole('button', { name: 'Create licenses' }).click()
      const dialog = page.getByRole('dialog')
      const amounts = dialog.getByRole('group', { name: 'Amounts' }).getByRole('button')
      await expect(amounts).toHaveText(['1'])
      const amount = dialog.getByLabel('Amount', { exact: true })
      await amount.fill('6')
      await expect(dialog.getByText('Your plan has room for 5 more licenses in this app.')).toBeVisible()
      await expect(dialog.getByRole('link', { name: 'Compare plans' })).toBeVisible()
      await dialog.getByLabel('Subscription').selectOption({ label: 'Basic' })
      await dialog.getByRole('button', { name: 'Create 6 licenses' }).click({ force: true })
      await amount.press('Enter')
      await expectNoAxeViolations(page)
      expect((await owner.visitor.call('GET /licenses')).body.total).toBe(20)
      await amount.fill('5')
      await dialog.getByRole('button', { name: 'Create 5 licenses' }).click()
      await dialog.getByRole('button', { name: 'Done' }).click()

      const create = page.getByRole('button', { name: 'Create licenses' }).first()
      await expect(create).toHaveAttribute('aria-disabled', 'true')
      await expect(page.getByText('Your Free plan: 25 of 25 licenses used in this app.')).toBeVisible()
      await create.click({ force: true })
      await expect(page.getByText('The limit of your Free plan is reached')).toBeVisible()
      await expect(dialog).toBeHidden()
    })
  })

test('a page that the plan excludes says so and leads to the plans', async ({ app, page, owner }) => {
  await setPlan(app, owner.id, 'Free')
  await page.goto('/webhooks')
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    await expect(page.getByRole('button', { name: 'Add Webhook' }).first()).toHaveAttribute('aria-disabled', 'true')
    await expect(page.getByRole('main').getByText('The Free plan does not include this.')).toBeVisible()
    await expectNoAxeViolations(page)
  }
  await page.getByRole('main').getByRole('link', { name: 'Compare plans' }).click()
  await expect(page).toHaveURL(/\/profile\?dialog=upgrade$/)
})

test('actions on selected rows that the plan excludes say so in their toolbar', async ({ app, page, owner }) => {
  const [key = ''] = await newLicenses(owner, 1)
  await setPlan(app, owner.id, await planWithoutFeatures(app, owner.id))
  await page.goto('/licenses')
  await page.getByRole('checkbox', { name: `Select ${key}` }).check()
  const bar = page.getByRole('toolbar', { name: 'Actions for selected rows' })
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 })
    await expect(bar.getByRole('button', { name: 'Ban', exact: true })).toHaveAttribute('aria-disabled', 'true')
    await expect(bar.getByText('The Small plan does not include this.')).toBeVisible()
    await expectNoAxeViolations(page)
  }
  await bar.getByRole('link', { name: 'Compare plans' }).click()
  await expect(page).toHaveURL(/\/profile\?dialog=upgrade$/)
})

test('actions on many rows that the plan excludes are off, and those on one row are not', async ({
  app,
  page,
  owner,
}) => {
  await newLicenses(owner, 1)
  for (const keyName of ['One', 'Two'])
    await owner.visitor.call('POST /create_seller_key', { body: { keyName, permissions: [] } })
  await owner.visitor.call('POST /create_webhook', {
    body: { url: 'https://example.com/hook', events: ['user.created'] },
  })
  await setPlan(app, owner.id, await planWithoutFeatures(app, owner.id))
  const reason = 'The Small plan does not include this.'
  const item = (name: string) => page.getByRole('menuitem', { name: new RegExp(`^${name}`) })

  await page.goto('/sellerapi')
  const bar = page.getByRole('toolbar', { name: 'Actions for selected rows' })
  await page.getByRole('checkbox', { name: 'Select One' }).check()
  await expect(bar.getByRole('button', { name: 'Delete' })).not.toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('checkbox', { name: 'Select Two' }).check()
  await expect(bar.getByRole('button', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true')
  await expect(bar.getByText(reason)).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(item('Delete all')).toContainText(reason)

  await page.goto('/licenses')
  await page.getByRole('button', { name: 'More actions' }).click()
  for (const name of ['Delete unused', 'Delete used', 'Delete all']) await expect(item(name)).toContainText(reason)

  await page.goto('/users')
  await page.getByRole('button', { name: 'More actions' }).click()
  for (const name of ['Unban all', 'Reset all HWIDs', 'Delete expired', 'Delete all'])
    await expect(item(name)).toContainText(reason)

  await page.goto('/webhooks')
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await expect(item('Test')).toContainText(reason)
})

/** A plan that is no longer offered. */
async function planWithoutFeatures(app: TestApp, ownerId: string): Promise<string> {
  const name = `small-${ownerId}`
  const limits = { max_apps: 9, max_users_per_app: 9, max_licenses_per_app: 9, max_variables_per_app: 9 }
  const plan = {
    name,
    display_name: 'Small',
    price_cents: 0,
    position: 9,
    active: 0,
    features: '[]',
    max_storage_mb: 1,
  }
  await app.db.write(({ db }) =>
    db
      .insertInto('plans')
      .values({ ...plan, ...limits })
      .execute(),
  )
  return name
}

test('a field that is wrong and focused has the ring of an error', async ({ page, owner }) => {
  expect(owner.appName).toBe('Prism Studio')
  await page.goto('/licenses?dialog=create')
  const dialog = page.getByRole('dialog')
  const mask = dialog.getByLabel('License mask')
  await mask.fill(' ')
  const ring = () => mask.evaluate((field) => getComputedStyle(field).outlineColor)
  const right = await ring()
  await dialog.getByRole('button', { name: /^Create/ }).click()
  await expect(mask).toBeFocused()
  const danger = await dialog.getByText('Please enter a license mask').evaluate((text) => getComputedStyle(text).color)
  expect(danger).not.toBe(right)
  expect(await ring()).toBe(danger)
})
