import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'
import { redeem } from '#e2e/license-screen.ts'
import { newSubscriber, newUser, signedIn } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'

const counts = (page: Page) => page.getByRole('list', { name: 'License counts' })
const facet = (page: Page, name: string) => counts(page).getByRole('button', { name: new RegExp(`^${name} `) })
const rows = (page: Page) => page.locator('tbody tr[data-row]')

test('the statuses of a list are chips with their counts, and several can be on', async ({ app, page, owner }) => {
  const keys = await newLicenses(owner, 6)
  for (const key of keys.slice(0, 2)) await redeem(app, key, 'marta')
  for (const licenseKey of keys.slice(5)) await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey } })
  await page.goto('/licenses')
  await expect(counts(page).getByRole('button')).toHaveText([
    'All6',
    'Unused3',
    'Used2',
    'Banned1',
    'Expiring in 7 days0',
  ])
  await facet(page, 'Banned').click()
  await expect(page).toHaveURL(/f\.status=banned/)
  await expect(rows(page)).toHaveCount(1)
  await facet(page, 'Used').click()
  await expect(page).toHaveURL(/f\.status=used%2Cbanned/)
  await expect(rows(page)).toHaveCount(3)
  for (const name of ['Used', 'Banned']) await expect(facet(page, name)).toHaveAttribute('aria-pressed', 'true')
  await expect(facet(page, 'All')).toHaveAttribute('aria-pressed', 'false')
  await expectNoAxeViolations(page)

  await page.reload()
  await expect(rows(page)).toHaveCount(3)
  await facet(page, 'Banned').click()
  await expect(rows(page)).toHaveCount(2)
  await facet(page, 'All').click()
  await expect(page).not.toHaveURL(/f\.status/)
  await expect(rows(page)).toHaveCount(6)
  await page.goto('/licenses?f.status=banned,gone')
  await expect(rows(page)).toHaveCount(1)
})

test('a filter menu takes several values, stays open, and says how many rows each has', async ({ page, owner }) => {
  for (const level of [2, 3])
    await owner.visitor.call('POST /create_subscription', { body: { name: `L${level}`, level } })
  for (const subscription of [1, 2, 3]) await newLicenses(owner, 2, { subscription })
  await page.goto('/licenses')
  await expect(rows(page)).toHaveCount(6)
  await newLicenses(owner, 3, { subscription: 3 })
  await page.getByRole('button', { name: 'Level', exact: true }).click()
  // Counted when the menu opens.
  await expect(page.getByRole('menuitemcheckbox')).toHaveText([/\D1?2$/, 'L22', 'L35'])
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('button', { name: 'Level', exact: true }).click()
  for (const name of ['L2', 'L3']) await page.getByRole('menuitemcheckbox', { name }).click()
  await expect(rows(page)).toHaveCount(7)
  await expect(page.getByRole('menuitemcheckbox', { name: 'L2' })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Level' })).toContainText('L2, L3')
  await expect(page).toHaveURL(/f\.level=2%2C3/)
})

test('a column is sorted by its header, both ways, and the address keeps the order', async ({ app, page, owner }) => {
  const keys = await newLicenses(owner, 12)
  await page.goto('/licenses')
  const header = page.getByRole('columnheader', { name: 'Created' })
  await expect(header).toHaveAttribute('aria-sort', 'none')
  await header.getByRole('button').click()
  await expect(header).toHaveAttribute('aria-sort', 'ascending')
  await expect(page).toHaveURL(/sort=created/)
  await expect(rows(page).first()).toHaveAttribute('data-row', keys[0] as string)
  await page.reload()
  await expect(rows(page).first()).toHaveAttribute('data-row', keys[0] as string)
  await header.getByRole('button').click()
  await expect(header).toHaveAttribute('aria-sort', 'descending')
  await expect(rows(page).first()).toHaveAttribute('data-row', keys[11] as string)

  const byKey = keys.toSorted()
  await page.getByRole('columnheader', { name: 'License key' }).getByRole('button').click()
  await expect(page).toHaveURL(/sort=license/)
  await expect(rows(page).first()).toHaveAttribute('data-row', byKey[0] as string)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(rows(page).last()).toHaveAttribute('data-row', byKey[11] as string)
  await redeem(app, keys[4] as string, 'soon')
  await page.goto('/licenses?sort=expiry')
  await expect(rows(page).first()).toHaveAttribute('data-row', keys[4] as string)
  for (const name of ['License key', 'Status', 'Subscription', 'Expiry', 'Created'])
    await expect(page.getByRole('columnheader', { name }), name).toHaveAttribute('aria-sort', /none|ascending/)
  await page.goto('/licenses?sort=notes')
  await expect(rows(page).first()).toHaveAttribute('data-row', keys[11] as string)
})

test('users are sorted by name, time left, and last sign-in, and filtered by when they were added', async ({
  app,
  page,
  owner,
}) => {
  await newSubscriber(owner, { username: 'zoe', days: 5 })
  await newSubscriber(owner, { username: 'adam', days: 50 })
  await newUser(owner, 'mia')
  await signedIn(app, owner, 'adam')
  await app.db.write(({ db }) =>
    db
      .updateTable('users')
      .set({ created_at: app.now() - 40 * 86_400 })
      .where('app_id', '=', owner.appId)
      .where('username', '=', 'mia')
      .execute(),
  )
  await page.goto('/users')
  const names = async (expected: string[]) => {
    for (const [at, name] of expected.entries()) await expect(rows(page).nth(at)).toHaveAttribute('data-row', name)
    await expect(rows(page)).toHaveCount(expected.length)
  }
  const sortBy = (name: string) => page.getByRole('columnheader', { name }).getByRole('button').click()
  await names(['mia', 'adam', 'zoe'])
  await sortBy('Username')
  await names(['adam', 'mia', 'zoe'])
  await sortBy('Time left')
  await names(['mia', 'zoe', 'adam'])
  await sortBy('Last login')
  await sortBy('Last login')
  await expect(page).toHaveURL(/sort=-lastLogin/)
  await names(['adam', 'mia', 'zoe'])

  await page.getByRole('button', { name: 'Created', exact: true }).first().click()
  await page.getByRole('menuitemradio', { name: 'Last 30 days' }).click()
  await expect(page).toHaveURL(/f\.created=30/)
  await names(['adam', 'zoe'])
  await page.getByRole('button', { name: 'Level', exact: true }).click()
  await expect(page.getByRole('menuitemcheckbox')).toHaveText([/2$/])
  await expectNoAxeViolations(page)
})

test('the pager leads to the first page, the last one, and one by its number', async ({ page, owner }) => {
  await newLicenses(owner, 71)
  await page.goto('/licenses')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('button', { name: 'Last page' }).click()
  await expect(pages).toContainText('71–71 of 71')
  await expect(pages.getByRole('button', { name: 'Last page' })).toBeDisabled()
  await pages.getByRole('button', { name: 'First page' }).click()
  await expect(pages).toContainText('1–10 of 71')
  const jump = pages.getByRole('textbox', { name: 'Go to page' })
  await jump.fill('6')
  await jump.press('Enter')
  await expect(pages).toContainText('51–60 of 71')
  await expect(page).toHaveURL(/page=6/)
  await jump.fill('9999')
  await jump.press('Enter')
  await expect(pages).toContainText('71–71 of 71')
  await jump.fill('0')
  await jump.press('Enter')
  await expect(page).toHaveURL(/page=8/)
  expect(await pages.getByRole('button', { name: /^Page \d/ }).count()).toBe(5)
})
