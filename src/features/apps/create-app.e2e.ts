import type { Locator, Page } from '@playwright/test'
import { expect, expectToast, test } from '#e2e/fixtures.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

const field = (page: Page, name: string): Locator => page.getByRole('textbox', { name, exact: true })

test('creates an app with its Basic subscription, selects it, and leads to connecting its program', async ({
  page,
  owner,
}) => {
  await page.goto('/create-app')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('App name is required')).toBeVisible()
  await expect(field(page, 'App Name')).toBeFocused()
  await field(page, 'App Name').fill('ab')
  await expect(page.getByText('App name must be at least 3 characters long')).toBeVisible()
  await field(page, 'App Name').fill('a'.repeat(51))
  await expect(page.getByText('App name must be less than 50 characters')).toBeVisible()
  await field(page, 'App Name').fill('a/b/c')
  const charset = 'App name can only contain letters, numbers, spaces, hyphens, and underscores'
  await expect(page.getByText(charset)).toBeVisible()

  const name = 'x'.repeat(50)
  await field(page, 'App Name').fill(name)
  await field(page, 'Description').fill('d'.repeat(501))
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('Description must be at most 500 characters')).toBeVisible()
  await expect(field(page, 'Description')).toBeFocused()
  await field(page, 'Description').fill('The second one')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page).toHaveURL(/\/connect$/)
  await expectToast(page, 'Application and Basic subscription created successfully!')
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
  await expect(field(page, 'App name')).toHaveValue(name)
  await expect(field(page, 'App version')).toHaveValue('1.0.0')

  const { body } = await owner.visitor.call('GET /apps')
  const made = body.apps.find(({ appName }) => appName === name)
  expect(made).toMatchObject({ version: '1.0.0', description: 'The second one' })
  const levels = await owner.visitor.call('GET /subscriptions', { headers: { 'x-app-id': made!.appId } })
  expect(levels.body.subscriptions).toMatchObject([{ level: 1, name: 'Basic', active: true }])
})

test('a taken name is rejected at its field', async ({ page, owner }) => {
  await page.goto('/create-app')
  await field(page, 'App Name').fill(owner.appName)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('You already have an app with this name')).toBeVisible()
  await expect(field(page, 'App Name')).toBeFocused()
})

test('a failed creation reports its cause, and the same button works later', async ({ app, server, page, owner }) => {
  await page.goto('/create-app')
  await field(page, 'App Name').fill('Later App')
  const create = page.getByRole('button', { name: 'Create', exact: true })
  await withoutTable(app.db, 'apps', async () => {
    await create.click()
    await expectToast(page, 'Failed to create application')
  })
  await server.stop()
  await create.click()
  await expectToast(page, 'An unexpected error occurred while creating the application')
  await server.start()
  await create.click()
  await expect(page).toHaveURL(/\/connect$/)
  const { body } = await owner.visitor.call('GET /apps')
  expect(body.apps.map(({ appName }) => appName).toSorted()).toEqual(['Later App', 'Prism Studio'])
})

test('the sidebar counts an app once it is created, and no longer once it is deleted', async ({ page, owner }) => {
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  await page.goto('/create-app')
  await expect(sidebar).toContainText('1 app')
  await field(page, 'App Name').fill('Second App')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page).toHaveURL(/\/connect$/)
  await expect(sidebar).toContainText('2 apps')

  await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
  await page.getByRole('button', { name: 'Delete App' }).first().click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'App name' }).fill('Second App')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete App' }).click()
  await expectToast(page, 'App deleted successfully')
  await expect(sidebar).toContainText('1 app')
  expect((await owner.visitor.call('GET /profile/plan-usage')).body.usage.apps).toBe(1)
})

test('what is typed stays over other pages, until it is given up', async ({ page, owner }) => {
  expect(owner.appName).toBe('Prism Studio')
  await page.goto('/create-app')
  await field(page, 'App Name').fill('Second')
  await field(page, 'Description').fill('for the other shop')
  await page.getByRole('link', { name: 'Licenses' }).first().click()
  await expect(page).toHaveURL(/\/licenses/)
  await page.goBack()
  await expect(field(page, 'App Name')).toHaveValue('Second')
  await expect(field(page, 'Description')).toHaveValue('for the other shop')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/manage-apps/)
  await page.goBack()
  await expect(field(page, 'App Name')).toHaveValue('')
})
