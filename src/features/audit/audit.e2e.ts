import { readFile } from 'node:fs/promises'
import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'
import { makeAdmin, newAdmin, newLicenses, newOwner } from '#testing/people.ts'
import { newSellingReseller } from '#testing/resellers.ts'

/** Who did what to which row, on the screens of owners and administrators. */

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
  await expect(rows.filter({ hasText: 'Plan of an owner changed' })).toContainText('An administrator')
  await expect(rows.filter({ hasText: reseller.username }).filter({ hasText: 'Licenses created' })).toContainText(
    'Reseller',
  )
  await expect(rows.filter({ hasText: 'License banned' })).toContainText('You')
  await expect(page.locator('body')).not.toContainText(admin.username)
  await expectNoAxeViolations(page)

  await rows.filter({ hasText: 'Plan of an owner changed' }).locator('[aria-expanded]').first().click()
  const changes = page.getByRole('table', { name: 'What was written down' })
  await expect(changes).toContainText('Pro')
  await expect(changes).toContainText('Developer')
  await expectNoAxeViolations(page)

  await page.getByRole('searchbox').fill(license)
  // Its creation and its ban.
  await expect(rows).toHaveCount(3)
  await expect(rows.filter({ hasText: 'License banned' })).toContainText(appName)
  await page.getByRole('searchbox').fill('')

  await page.getByRole('button', { name: 'Act', exact: true }).click()
  await page.getByRole('menuitemradio', { name: 'Licenses' }).click()
  await expect(rows.filter({ hasText: 'Plan of an owner changed' })).toHaveCount(0)
  await expect(page).toHaveURL(/f\.act=license/)
  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text).toContain(license)
  expect(text).not.toContain('account.register')
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

test('the audit is reached from the sidebar and the palette, and its area by administrators only', async ({
  page,
  owner,
}) => {
  await page.goto('/licenses')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible()
  await page.goto('/admin/audit')
  await expect(page, owner.username).toHaveURL(/\/dashboard$/)
})
