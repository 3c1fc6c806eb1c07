import type { Locator } from '@playwright/test'
import { bulkBar, day, dialog, stat } from '#e2e/license-screen.ts'
import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'
import { newLicenses } from '#testing/people/people.ts'

test('licenses are narrowed to the time in which they were created, in the address, also to delete them', async ({
  app,
  page,
  owner,
}) => {
  const created = async (days: number, amount: number) => {
    const keys = await newLicenses(owner, amount, { notes: `${days} days ago` })
    const change = { created_at: app.now() - days * day }
    await app.db.write(({ db }) => db.updateTable('licenses').set(change).where('license', 'in', keys).execute())
    return keys
  }
  const [oldest = ''] = await created(40, 1)
  await created(0, 1)
  const [banned = ''] = await created(4, 2)
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: banned, banned: true } })
  await page.goto('/licenses')
  const rows: Locator = page.locator('tr[data-row]')
  await expect(rows).toHaveCount(4)
  const choose = async (name: string) => {
    await page
      .getByRole('button', { name: /^Created/ })
      .and(page.locator(':not(th *)'))
      .click()
    await page.getByRole('menuitemradio', { name }).or(page.getByRole('menuitem', { name })).click()
  }
  await choose('Last 24 hours')
  await expect(rows).toHaveCount(1)
  await choose('Last 7 days')
  await expect(page).toHaveURL(/f\.created=7/)
  await expect(rows).toHaveCount(3)
  await expect(page.getByText('Licenses, created “Last 7 days”, newest first: 3')).toBeVisible()
  await stat(page, 'Unused').click()
  await expect(rows).toHaveCount(2)
  await page.reload()
  await expect(rows).toHaveCount(2)

  await choose('Choose dates')
  const stamp = new Date((app.now() - 35 * day) * 1000).toISOString().slice(0, 10)
  await page.getByLabel('Last day').fill(stamp)
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page).toHaveURL(new RegExp(`f\\.created=\\.\\.${stamp}`))
  await expect(rows).toHaveCount(1)
  await expect(rows).toHaveAttribute('data-row', oldest)

  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await bulkBar(page).getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible()
  await expect(rows).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(rows).toHaveCount(3)
  // An address may contain anything.
  await page.goto('/licenses?f.created=yesterday')
  await expect(rows).toHaveCount(3)
})

test('a date that is incomplete or too early is an error beside its field', async ({ page, owner }) => {
  await newLicenses(owner, 1)
  await page.goto('/licenses?dialog=created')
  const [first, last] = [dialog(page).getByLabel('First day'), dialog(page).getByLabel('Last day')]
  const apply = dialog(page).getByRole('button', { name: 'Apply' })
  // Month and day, and no year.
  await first.pressSequentially('1125')
  await last.fill('2026-11-20')
  await apply.click()
  await expect(first).toHaveAccessibleDescription('This date is incomplete')
  await expect(first).toBeFocused()
  await expect(last).not.toHaveAttribute('aria-invalid')
  await expectNoAxeViolations(page)
  await first.fill('1999-12-31')
  await expect(first).toHaveAccessibleDescription('Choose a day from Jan 1, 2000 to Dec 31, 2999')
  await first.fill('2026-11-19')
  await expect(first).not.toHaveAttribute('aria-invalid')
  await apply.click()
  await expect(page).toHaveURL(/f\.created=2026-11-19\.\.2026-11-20/)
})
