import type { Locator, Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, signIn } from '#e2e/fixtures.ts'
import { dialog, test } from '#e2e/reseller-screen.ts'
import { setPlatform } from '#testing/platform.ts'
import { resellerPassword, type SellingReseller } from '#testing/people/resellers.ts'
import type { TestApp } from '#testing/start-test-app.ts'
import { Authenticator, turnOnResellerTwoFactor } from '#testing/people/two-factor.ts'

/** The reseller's account, on the same cards as an owner's. */

const card = (page: Page): Locator => page.getByRole('region', { name: 'Two-Factor Authentication' })
const sessions = (page: Page): Locator => page.getByRole('list', { name: 'Active sessions' }).getByRole('listitem')
const codeField = (within: Page | Locator): Locator => within.getByRole('textbox', { name: 'Two-factor code' })
const field = (within: Page | Locator, name: string): Locator => within.getByRole('textbox', { name, exact: true })

async function elsewhere(app: TestApp, { username }: SellingReseller, password = resellerPassword) {
  const visitor = app.visitor()
  const { body } = await visitor.call('POST /login', { body: { username, password } })
  return { code: body.code, isSignedIn: async () => (await visitor.call('GET /reseller/check-auth')).status === 200 }
}

test.beforeEach(async ({ app }) => {
  // Sign-ins in earlier tests count against the same IP address.
  app.advance(61)
  await setPlatform(app, 'security', { enable2FA: true })
})

test('a reseller turns on two-factor authentication and signs in with a code', async ({ app, page, reseller }) => {
  await page.goto('/reseller/dashboard')
  await page.getByRole('button', { name: `account of ${reseller.username}` }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await expect(page).toHaveURL(/\/reseller\/profile$/)
  await expect(page.getByRole('definition').filter({ hasText: reseller.username }).first()).toBeVisible()
  // After a while, the session asks for the password first.
  app.advance(301)
  await card(page).getByRole('button', { name: 'Turn on' }).click()
  const passwordDialog = page.getByRole('dialog', { name: 'Please confirm your password' })
  await field(passwordDialog, 'Password').fill(resellerPassword)
  await passwordDialog.getByRole('button', { name: 'Continue' }).click()
  const setup = page.getByRole('dialog', { name: 'Turn on two-factor authentication' })
  await expect(setup.getByRole('img', { name: 'QR code of the secret' })).toBeVisible()
  const phone = new Authenticator(app, await setup.getByRole('group', { name: 'Secret' }).innerText())
  await codeField(setup).fill(phone.code())
  await page.keyboard.press('Enter')
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await codes.getByRole('button', { name: 'I have saved them' }).click()
  await expect(card(page)).toContainText('Recovery codes left: 10')
  await expectNoAxeViolations(page)

  // The code used to turn it on cannot be used again.
  app.advance(61)
  await page.getByRole('button', { name: `account of ${reseller.username}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await field(page, 'Username').fill(reseller.username)
  await field(page, 'Password').fill(resellerPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await codeField(page).fill(phone.wrongCode())
  await page.keyboard.press('Enter')
  await expect(page.getByText('This code is not valid')).toBeVisible()
  await codeField(page).fill(phone.code())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/reseller\/dashboard$/)
})

test('a reseller changes the password, and every other session ends', async ({ app, page, reseller }) => {
  const other = await elsewhere(app, reseller)
  await page.goto('/reseller/profile')
  await page.getByRole('button', { name: 'Change Password' }).click()
  await field(dialog(page), 'Current password').fill('Wrong7Horse')
  await field(dialog(page), 'New password').fill('Battery7Staple')
  await field(dialog(page), 'Confirm new password').fill('Battery7Staple')
  await dialog(page).getByRole('button', { name: 'Change Password' }).click()
  await expect(dialog(page).getByText('The password is incorrect')).toBeVisible()
  await field(dialog(page), 'Current password').fill(resellerPassword)
  await dialog(page).getByRole('button', { name: 'Change Password' }).click()
  await expectToast(page, 'Password changed successfully')
  await expect(sessions(page)).toHaveCount(1)
  expect(await other.isSignedIn()).toBe(false)
  expect((await elsewhere(app, reseller)).code).toBe('LOGIN_FAILED')
  expect((await elsewhere(app, reseller, 'Battery7Staple')).code).toBe('LOGIN_OK')
})

test('a reseller ends one session, and then all others', async ({ app, page, reseller }) => {
  await elsewhere(app, reseller)
  await page.goto('/reseller/profile')
  await expect(page.getByRole('button', { name: 'Log out everywhere' })).toBeHidden()
  await expect(sessions(page)).toHaveCount(2)
  const own = sessions(page).filter({ hasText: 'This device' })
  await expect(own).toHaveCount(1)
  await sessions(page)
    .filter({ hasNotText: 'This device' })
    .getByRole('button', { name: /^End the session/ })
    .click()
  await expectToast(page, 'Session deleted successfully')
  await expect(sessions(page)).toHaveCount(1)
  const others = [await elsewhere(app, reseller), await elsewhere(app, reseller)]
  await page.reload()
  await expect(sessions(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Sign out all others' }).click()
  await expectToast(page, 'Signed out everywhere else')
  await expect(sessions(page)).toHaveCount(1)
  await expect(own).toHaveCount(1)
  for (const { isSignedIn } of others) expect(await isSignedIn()).toBe(false)
})

test('an owner turns off two-factor authentication for a reseller who lost it', async ({
  app,
  page,
  context,
  owner,
  reseller,
}) => {
  await turnOnResellerTwoFactor(app, reseller)
  expect((await elsewhere(app, reseller)).code).toBe('LOGIN_PASSWORD_OK')
  await context.clearCookies()
  await signIn(context, app, owner.visitor)
  await page.goto(`/resellers/${reseller.username}`)
  const turnOffItem = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    return page.getByRole('menuitem', { name: 'Turn off two-factor' })
  }
  await (await turnOffItem()).click()
  await expect(dialog(page)).toContainText(`Turn off two-factor authentication for ${reseller.username}?`)
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('button', { name: 'Turn off' }).click()
  await expectToast(page, 'Two-factor authentication is off')
  await expect(await turnOffItem()).toBeDisabled()
  expect((await elsewhere(app, reseller)).code).toBe('LOGIN_OK')
})
