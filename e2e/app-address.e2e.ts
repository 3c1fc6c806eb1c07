import type { Page } from '@playwright/test'
import { newUser } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { appSwitcher, switchTo } from './app-switcher.ts'
import { expect, expectToast, type SignedInOwner, test } from './fixtures.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })
const navLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const row = (page: Page, key: string) => page.getByRole('row', { name: new RegExp(key) })

async function secondApp({ visitor }: SignedInOwner): Promise<string> {
  const { body } = await visitor.call('POST /create_app', { body: { appName: 'Second App' } })
  return body.appId
}

test('the address of a page names its app, and pages of the account name none', async ({ page, owner }) => {
  await page.goto('/licenses?q=x')
  await expect(page).toHaveURL(`/a/${owner.appId}/licenses?q=x`)
  await navLink(page, 'Users').click()
  await expect(heading(page, 'Users')).toBeVisible()
  await expect(page).toHaveURL(`/a/${owner.appId}/users`)
  await page.goto('/profile')
  await expect(heading(page, 'Profile')).toBeVisible()
  await expect(page).toHaveURL('/profile')
  await expect(navLink(page, 'Licenses')).toHaveAttribute('href', `/a/${owner.appId}/licenses`)
})

test('the address of an app leads to its Overview, also through the sign-in, and its settings stay at /dashboard', async ({
  page,
  owner,
}) => {
  const second = await secondApp(owner)
  await page.goto(`/a/${owner.appId}`)
  await expect(page).toHaveURL(`/a/${owner.appId}/overview`)
  await page.goto('/')
  await expect(page).toHaveURL(`/a/${owner.appId}/overview`)
  await page.goto(`/a/${second}`)
  await expect(page).toHaveURL(`/a/${second}/overview`)
  await page.goto('/dashboard')
  await expect(heading(page, 'App Settings')).toBeVisible()
  await expect(page).toHaveURL(`/a/${second}/dashboard`)
  await page.context().clearCookies()
  await page.goto(`/a/${owner.appId}`)
  await page.getByRole('textbox', { name: 'Username' }).fill(owner.username)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`/a/${owner.appId}/overview`)
})

test('the breadcrumb names the app only on pages about it', async ({ page, owner }) => {
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem')
  for (const [path, root, title] of [
    ['/licenses', owner.appName, 'Licenses'],
    ['/profile', 'Account', 'Profile'],
    ['/audit', 'Account', 'Audit'],
    ['/manage-apps', 'Account', 'Manage Apps'],
    ['/manage-resellers', 'Account', 'Manage Resellers'],
    ['/no-such-page', 'Signet', 'Page not found'],
  ] as const) {
    await page.goto(path)
    await expect(crumbs, path).toHaveText([root, title])
  }
})

test('two tabs show two apps, also after a reload, and act each on its own', async ({ page, owner, context }) => {
  const second = await secondApp(owner)
  await page.goto(`/a/${owner.appId}/licenses`)
  const other = await context.newPage()
  await other.goto('/licenses')
  await switchTo(other, 'Prism Studio', 'Second App')
  await expect(other).toHaveURL(`/a/${second}/licenses`)
  await expect(navLink(other, 'Users')).toHaveAttribute('href', `/a/${second}/users`)

  await navLink(page, 'Users').click()
  await expect(page).toHaveURL(`/a/${owner.appId}/users`)
  await expect(appSwitcher(page, 'Prism Studio')).toBeVisible()
  await page.reload()
  await expect(appSwitcher(page, 'Prism Studio')).toBeVisible()
  await other.reload()
  await expect(appSwitcher(other, 'Second App')).toBeVisible()
  await expect(other).toHaveURL(`/a/${second}/licenses`)

  await navLink(page, 'Subscriptions').click()
  const request = page.waitForRequest((each) => each.url().includes('/create_subscription'))
  await page.getByRole('button', { name: 'Create subscription' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Gold')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Create/ })
    .click()
  expect((await request).headers()['x-app-id']).toBe(owner.appId)
})

test('Back returns to the app that was selected before', async ({ page, owner }) => {
  const [key = ''] = await newLicenses(owner, 1)
  const second = await secondApp(owner)
  await page.goto(`/a/${owner.appId}/licenses`)
  await expect(row(page, key)).toBeVisible()
  await switchTo(page, 'Prism Studio', 'Second App')
  await expect(page).toHaveURL(`/a/${second}/licenses`)
  await expect(row(page, key)).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL(`/a/${owner.appId}/licenses`)
  await expect(appSwitcher(page, 'Prism Studio')).toBeVisible()
  await expect(row(page, key)).toBeVisible()
  await page.goForward()
  await expect(appSwitcher(page, 'Second App')).toBeVisible()
})

test("another owner's app in an address looks like a missing one, and an own app opens instead", async ({
  app,
  page,
  owner,
}) => {
  const stranger = await newOwnerWithApp(app)
  for (const appId of [stranger.appId, 'app_AAAAAAAAAAAAAAAA', '..', '%2e%2e']) {
    await page.goto(`/a/${appId}/licenses`)
    if (appId.startsWith('app_')) await expectToast(page, 'The app in this link is not available.')
    await expect(page, appId).toHaveURL(`/a/${owner.appId}/licenses`)
    await expect(appSwitcher(page, 'Prism Studio')).toBeVisible()
  }
})

test('after signing in, a link opens the app that it names', async ({ page, owner, context }) => {
  const second = await secondApp(owner)
  await page.goto(`/a/${owner.appId}/licenses`)
  await expect(heading(page, 'Licenses')).toBeVisible()
  await context.clearCookies()
  await page.goto(`/a/${second}/users?q=lucas`)
  await page.getByLabel('Username').fill(owner.username)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(`/a/${second}/users?q=lucas`)
  await expect(appSwitcher(page, 'Second App')).toBeVisible()
})

test('an undo acts on the app of its change, although another app was selected before the reply', async ({
  page,
  owner,
}) => {
  await newUser(owner, 'bruno')
  await secondApp(owner)
  await page.goto(`/a/${owner.appId}/users`)
  const isSwitched = Promise.withResolvers<void>()
  await page.route('**/delete_user', async (route) => {
    await isSwitched.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Actions for bruno' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.goBack()
  await switchTo(page, 'Prism Studio', 'Second App')
  isSwitched.resolve()
  await expectToast(page, 'User deleted successfully')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restored 1 item')
})
