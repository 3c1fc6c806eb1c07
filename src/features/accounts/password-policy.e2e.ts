import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { setPlatform } from '#testing/platform.ts'
import { makeAdmin } from '#testing/people/people.ts'
import { newReseller } from '#testing/people/resellers.ts'

/** The password policy applies to each form that sets a password. */

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const simple = 'twelve signs or more'

test.afterEach(async ({ app }) => setPlatform(app, 'security', {}))

test('every form asks for the length that the platform asks for, and for no capitals where it does not', async ({
  app,
  page,
  context,
  owner,
}) => {
  await setPlatform(app, 'security', { requireComplexPassword: false, passwordMinLength: 12 })
  await app.services.settings.current()
  const invited = await newReseller(app, owner)

  await page.goto('/profile?dialog=password')
  await field(page, 'Current password').fill(owner.password)
  await field(page, 'New password').fill('onlyeleven1')
  await field(page, 'Confirm new password').fill('onlyeleven1')
  await page.getByRole('dialog').getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByText('Password must be at least 12 characters long')).toBeVisible()

  await context.clearCookies()
  await page.goto('/register')
  await expect(page.getByText('At least 12 characters')).toBeVisible()
  await expect(page.getByText('An uppercase letter')).toBeHidden()
  await expectNoAxeViolations(page)
  const username = `policy_${owner.id}`
  await field(page, 'Username').fill(username)
  await field(page, 'Email').fill(`${username}@example.com`)
  await field(page, 'Display name').fill('Policy')
  await field(page, 'Password').fill(simple)
  await field(page, 'Confirm password').fill(simple)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page).toHaveURL(/\/create-app$/)

  await context.clearCookies()
  await page.goto(`/reseller/setup/${invited.registrationToken}`)
  await expect(page.getByText('At least 12 characters')).toBeVisible()
  await field(page, 'Email').fill(`${invited.username}@example.com`)
  await field(page, 'Password').fill(simple)
  await field(page, 'Confirm password').fill(simple)
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expect(page).toHaveURL(/\/reseller\/dashboard$/)
})

test('undo of a new rule counts for passwords that are set in the same page', async ({ app, page, owner }) => {
  await makeAdmin(app, owner)
  await page.goto('/admin/settings')
  const security = page.getByRole('form', { name: 'Security', exact: true })
  const minLength = security.getByRole('spinbutton', { name: 'Minimum password length' })
  const before = await minLength.inputValue()
  await minLength.fill('30')
  await security.getByRole('button', { name: 'Save security settings' }).click()
  await expectToast(page, 'Security settings saved successfully')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(minLength).toHaveValue(before)

  await page.getByRole('button', { name: `account of ${owner.username}` }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await page.getByRole('button', { name: 'Change password' }).click()
  await field(page, 'Current password').fill('not the password')
  await field(page, 'New password').fill('Battery7Staple')
  await field(page, 'Confirm new password').fill('Battery7Staple')
  await page.getByRole('dialog').getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByRole('dialog')).toContainText('The password is incorrect')
})
