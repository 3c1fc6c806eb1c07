import { readFile } from 'node:fs/promises'
import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'
import { makeAdmin, newAdmin, newLicenses, newOwner } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'

/** The audit log on the screens of owners and administrators. */

test('an owner reads who did what, finds one target, sees what changed, and takes it along', async ({
  app,
  page,
  owner,
}) => {
  const [license = ''] = await newLicenses(owner, 1)
  await newLicenses(owner, 2)
  const { visitor, appName } = owner
  await visitor.call('POST /toggle_ban_license', { body: { licenseKey: license } })
  const reseller = await newSellingReseller(app, {}, { ...owner })
  await reseller.sell()
  const admin = await newAdmin(app)
  const params = { id: owner.id }
  await admin.visitor.call('POST /admin/owners/{id}/plan', { params, body: { planType: 'Developer' } })

  await page.goto('/audit')
  await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible()
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows.filter({ hasText: 'Owner plan changed' })).toContainText('An administrator')
  await expect(rows.filter({ hasText: reseller.username }).filter({ hasText: 'Licenses created' })).toContainText(
    'Reseller',
  )
  await expect(rows.filter({ hasText: 'License banned' })).toContainText('You')
  await expect(page.locator('body')).not.toContainText(admin.username)
  await expectNoAxeViolations(page)

  await rows
    .filter({ hasText: 'Owner plan changed' })
    .getByRole('button', { name: /^Details of/ })
    .click()
  const changes = page.getByRole('table', { name: 'Recorded details' })
  await expect(changes).toContainText('Pro')
  await expect(changes).toContainText('Developer')
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')

  await page.getByRole('searchbox').fill(license)
  // The creation and the ban of the license.
  await expect(rows).toHaveCount(3)
  await expect(rows.filter({ hasText: 'License banned' })).toContainText(appName)
  await page.getByRole('searchbox').fill('')

  await page.getByRole('button', { name: 'Event', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Licenses' }).click()
  await page.keyboard.press('Escape')
  await expect(rows.filter({ hasText: 'Owner plan changed' })).toHaveCount(0)
  await expect(page).toHaveURL(/f\.act=license/)
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('dialog').getByRole('checkbox', { name: 'All columns' }).uncheck()
  for (const name of ['Target', 'Event']) await page.getByRole('dialog').getByRole('checkbox', { name }).check()
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toMatch(/^Act,Target\r\n/)
  expect(text).toContain(`license.ban,${license}\r\n`)
  expect(text).not.toContain('account.register')
})

test('the audit is narrowed to a range of days, which stands in the address', async ({ app, page, owner }) => {
  const dayIn = (days: number) => new Date((app.now() + days * 86_400) * 1000).toISOString().slice(0, 10)
  const rows = page.getByRole('table').getByRole('row')
  await page.goto('/audit')
  await expect(rows.filter({ hasText: 'Account created' }), owner.id).toHaveCount(1)
  const choose = async () => {
    await page.getByRole('button', { name: /^Period/ }).click()
    await page.getByRole('menuitem', { name: 'Choose dates' }).click()
  }
  const dialog = page.getByRole('dialog')
  await choose()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(dialog).toContainText('Choose a first or last day')
  await expect(dialog.getByLabel('Last day')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('First day').fill(dayIn(-1))
  await dialog.getByLabel('Last day').fill(dayIn(-3))
  await expect(dialog).toContainText('The last day is before the first')
  await expectNoAxeViolations(page)
  await dialog.getByLabel('Last day').fill(dayIn(1))
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`f\\.days=${dayIn(-1)}\\.\\.${dayIn(1)}$`))
  await expect(rows.filter({ hasText: 'Account created' })).toHaveCount(1)
  await expect(page.getByRole('button', { name: /^Period/ })).toContainText('–')

  // The dialog shows the selected days again, and one of the two dates is enough.
  await choose()
  await expect(dialog.getByLabel('First day')).toHaveValue(dayIn(-1))
  await dialog.getByLabel('First day').fill('')
  await dialog.getByLabel('Last day').fill(dayIn(-2))
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('No results for these filters')).toBeVisible()
  await page.goBack()
  await expect(rows.filter({ hasText: 'Account created' })).toHaveCount(1)
})

test('an administrator reads what everybody did, and only one owner by a row’s menu', async ({ app, page, owner }) => {
  await makeAdmin(app, owner)
  const other = await newOwner(app)
  await page.goto('/admin/audit')
  const row = page.getByRole('row').filter({ hasText: other.username })
  await expect(row).toContainText('Account created')
  await expectNoAxeViolations(page)
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Only this owner' }).click()
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(2)
  await expect(page).toHaveURL(new RegExp(`f\\.owner=${other.id}`))
})

test('the audit is reached from the account menu and by keys, and its area by administrators only', async ({
  page,
  owner,
}) => {
  await page.goto('/licenses')
  await page.getByRole('button', { name: `account of ${owner.username}` }).click()
  await page.getByRole('menuitem', { name: 'Audit' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible()
  await page.goto('/licenses')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible()
  await page.goto('/admin/audit')
  await expect(page, owner.username).toHaveURL(/\/dashboard$/)
})

test('an action on many says whom it was done to', async ({ page, owner }) => {
  const licenses = await newLicenses(owner, 2)
  await owner.visitor.call('POST /licenses/bulk', { body: { action: 'ban', licenses } })
  await page.goto('/audit?f.act=license.bulk-ban')
  const bulkEntry = page.getByRole('row').filter({ hasText: '2 licenses' })
  await bulkEntry.getByRole('button', { name: /^Details of/ }).click()
  const names = page.getByRole('region', { name: 'Targets' })
  for (const license of licenses) await expect(names).toContainText(license)
})

test('events and actors are filtered by several values, each with the number of its entries', async ({
  app,
  page,
  owner,
}) => {
  const [licenseKey = ''] = await newLicenses(owner, 1)
  for (const banned of [true, false, true])
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey, banned } })
  const admin = await newAdmin(app)
  const params = { id: owner.id }
  await admin.visitor.call('POST /admin/owners/{id}/plan', { params, body: { planType: 'Developer' } })
  const option = (name: RegExp | string) => page.getByRole('menuitemcheckbox', { name })
  const rows = page.locator('tr[data-row]')
  await page.goto('/audit')
  await page.getByRole('button', { name: 'Event', exact: true }).click()
  await expect(option(/^Licenses/)).toHaveText(/4$/)
  // Only administrators save settings.
  await expect(option(/^Owners/)).toBeVisible()
  await expect(option(/^System Settings/)).toHaveCount(0)
  await option(/^Licenses/).click()
  // The events of a chosen subject are offered one by one, and replace it.
  await expect(option(/^License banned/)).toHaveText(/2$/)
  await expectNoAxeViolations(page)
  await option(/^License banned/).click()
  await option(/^License unbanned/).click()
  await option(/^Owners/).click()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/f\.act=owner(,|%2C)license.ban(,|%2C)license.unban/)
  await expect(rows).toHaveCount(4)
  await expect(rows.filter({ hasText: 'Owner plan changed' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Who', exact: true }).click()
  await expect(option(/^You/)).toHaveText(/3$/)
  await expect(option(/^An administrator/)).toHaveText(/1$/)
  await option(/^An administrator/).click()
  await expect(rows).toHaveCount(1)
  await option(/^You/).click()
  await expect(rows).toHaveCount(4)
  await page.reload()
  await expect(rows).toHaveCount(4)
})
