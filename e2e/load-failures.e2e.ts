import type { Page } from '@playwright/test'
import { newUser } from '#testing/people/end-users.ts'
import { makeAdmin } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { withoutTable } from '#testing/faults/without-table.ts'
import { expectLoadFailures } from './failures.ts'
import { expect, expectToast, signIn, test } from './fixtures.ts'

/** Each screen has its own error message for a failed load. */

const goTo = (page: Page, name: string) => () =>
  page.getByRole('complementary', { name: 'Sidebar' }).getByRole('link', { name, exact: true }).click()

test("each list of an owner says what couldn't be loaded", async ({ app, page, owner }) => {
  const { username } = await newSellingReseller(app, {}, owner)
  await newUser(owner, 'ada')
  await page.goto('/licenses')
  await expectLoadFailures(app, page, [
    { table: 'app_variables', open: goTo(page, 'Variables'), says: 'Failed to load variables' },
    { table: 'client_sessions', open: goTo(page, 'Sessions'), says: 'Failed to load sessions' },
    { table: 'downloads', open: goTo(page, 'Downloads'), says: 'Failed to load downloads' },
    { table: 'webhooks', open: goTo(page, 'Webhooks'), says: 'Failed to load webhooks' },
    { table: 'logs', open: goTo(page, 'Logs'), says: 'Failed to load logs' },
    { table: 'alerts', open: goTo(page, 'Alerts'), says: 'Failed to load alerts' },
    { table: 'users', open: goTo(page, 'Users'), says: 'Failed to load users' },
    { table: 'seller_keys', open: goTo(page, 'Seller API'), says: 'Failed to load seller keys' },
    { table: 'resellers', open: goTo(page, 'Resellers'), says: 'Failed to load resellers' },
  ])
  await goTo(page, 'Users')()
  const details = page.getByRole('button', { name: 'Details of ada' })
  // The list also needs the table.
  await expect(details).toBeVisible()
  await expectLoadFailures(app, page, [
    { table: 'user_subscriptions', open: () => details.click(), says: 'Failed to load the user' },
  ])

  await withoutTable(app.db, 'resellers', async () => {
    await page.goto(`/resellers/${username}`)
    await expectToast(page, /^Failed to load reseller details$/)
    await expect(page).toHaveURL(/\/manage-resellers$/)
  })
  await page.goto('/licenses')
  await expect(page.getByRole('heading', { name: 'Licenses', level: 1 })).toBeVisible()
  // The shell has loaded the apps before, and the page loads again what is older than seconds.
  await page.clock.setSystemTime(Date.now() + 60_000)
  await withoutTable(app.db, 'apps', async () => {
    await page.getByRole('button', { name: owner.appName }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Manage Apps' }).click()
    await expect(page.getByText('Failed to load apps', { exact: true })).toBeVisible()
  })

  await page.route(/\/profile\/stats|\/two-factor/, (route) => route.abort())
  await page.goto('/profile')
  for (const what of ['statistics', 'two-factor authentication']) {
    await expect(page.getByText(`Failed to load ${what}`, { exact: true })).toBeVisible()
  }
})

test("each screen of an administrator says what couldn't be loaded", async ({ app, page, owner }) => {
  await makeAdmin(app, owner)
  await page.goto('/admin/audit')
  await expectLoadFailures(app, page, [
    { table: 'apps', open: goTo(page, 'Dashboard'), says: 'Failed to load statistics' },
    { table: 'plans', open: goTo(page, 'Plans'), says: 'Failed to load plans' },
    { table: 'apps', open: goTo(page, 'Owners'), says: 'Failed to load owners' },
  ])
  // The first visit may have loaded the growth, which would stay, and the server keeps its counts for a minute.
  app.advance(61)
  await page.reload()
  await expectLoadFailures(app, page, [
    { table: 'licenses', open: goTo(page, 'Dashboard'), says: 'Failed to load growth' },
  ])
})

test("each screen of a reseller says what couldn't be loaded", async ({ app, page, owner, context }) => {
  const { visitor } = await newSellingReseller(app, {}, owner)
  await context.clearCookies()
  await signIn(context, app, visitor)
  await page.goto('/reseller/dashboard')
  await expectLoadFailures(app, page, [
    { table: 'reseller_counts', open: goTo(page, 'Licenses'), says: 'Failed to load licenses' },
    { table: 'reseller_counts', open: goTo(page, 'Users'), says: 'Failed to load users' },
    { table: 'credit_transfers', open: goTo(page, 'Credits'), says: 'Failed to load transaction history' },
  ])
  await withoutTable(app.db, 'reseller_counts', async () => {
    await page.goto('/reseller/dashboard')
    await expect(page.getByText('Failed to load dashboard', { exact: true })).toBeVisible()
  })
})
