import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { makeAdmin, newLicenses, newOwner, newOwnerWithApp } from '#testing/people/people.ts'

/** The panel of an owner, over the pages of the administration. */

const panel = (page: Page) => page.locator('[data-side-panel]')
const title = (page: Page) => panel(page).getByRole('heading', { level: 2 })
const inPanel = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test.beforeEach(async ({ app, owner }) => {
  await makeAdmin(app, owner)
})

test('an owner opens from the list with state, plan, use, and audit, and is changed there', async ({ app, page }) => {
  const other = await newOwnerWithApp(app, undefined, { plan: 'Developer' })
  await newLicenses(other, 3)
  await page.goto(`/admin/owners?q=${other.id}`)
  await row(page, other.id).getByRole('cell').nth(2).click()
  await expect(title(page)).toContainText(other.username)
  await expect(row(page, other.id)).toHaveAttribute('aria-current', 'true')
  await expect(panel(page)).toContainText(`${other.username}@example.com`)
  await expect(panel(page)).toContainText('Developer')
  await expect(panel(page)).toContainText('1 app · 0 users · 3 licenses')
  const usage = panel(page).getByRole('list', { name: 'Plan usage' }).getByRole('listitem')
  await expect(usage.filter({ hasText: 'Apps' })).toContainText('1 / 5')
  await expect(usage.filter({ hasText: 'Storage' })).toContainText('0 B / 500 MB')
  await expectNoAxeViolations(page)

  await inPanel(page, 'Change plan').click()
  await dialog(page).getByLabel('Plan').selectOption('Pro')
  await dialog(page).getByRole('button', { name: 'Update plan' }).click()
  await expectToast(page, 'Owner plan updated successfully')
  await expect(panel(page)).toContainText('Priority support')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(panel(page)).not.toContainText('Priority support')

  await inPanel(page, 'Ban').click()
  await dialog(page).getByRole('button', { name: 'Ban', exact: true }).click()
  await expectToast(page, 'Owner banned successfully')
  await expect(panel(page)).toContainText('Banned')
  await expect(row(page, other.id)).toContainText('Banned')
  await panel(page).getByRole('tab', { name: 'Audit' }).click()
  await expect(panel(page).getByRole('listitem').first()).toContainText('Owner banned')
  await expectNoAxeViolations(page)
  await inPanel(page, 'Unban').click()
  await expect(panel(page).getByRole('listitem').first()).toContainText('Owner unbanned')
  await panel(page).getByRole('link', { name: 'Show all in the audit' }).click()
  await expect(page).toHaveURL(new RegExp(`/admin/audit\\?f.owner=${other.id}$`))
  await expect(page.getByRole('table')).toContainText('Owner unbanned')
})

test('an owner opens by link, from the audit, the activity, and the palette; deleting closes the panel', async ({
  app,
  page,
  owner,
}) => {
  const other = await newOwner(app)
  await owner.visitor.call('POST /admin/owners/{id}/ban', { params: { id: other.id }, body: { banned: true } })
  await page.goto(`/admin/dashboard?panel=owner:${other.id}`)
  await expect(title(page)).toContainText(other.username)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await page.goto('/admin/audit')
  const entry = row(page, 'Owner banned').first()
  await entry.getByRole('link', { name: other.username }).first().click()
  await expect(title(page)).toContainText(other.username)
  await entry.getByRole('link', { name: 'You' }).click()
  await expect(title(page)).toContainText(owner.username)
  await expect(inPanel(page, 'Ban')).toBeDisabled()
  await expect(panel(page)).toContainText('Administrators cannot be banned or deleted')

  await page.goto('/admin/dashboard')
  await page.getByRole('button', { name: 'Activity' }).click()
  await page.getByRole('list', { name: 'Activity' }).getByRole('link', { name: other.username }).first().click()
  await expect(title(page)).toContainText(other.username)

  await page.goto('/admin/plans')
  await expect(page.getByRole('heading', { level: 1, name: 'Manage Plans' })).toBeVisible()
  await page.goto('/admin/plans')
  await page.getByRole('button', { name: /Search or jump to/ }).click()
  await page.getByRole('combobox').fill(other.username)
  await page.getByRole('group', { name: 'Owners' }).getByRole('option').first().click()
  await expect(page).toHaveURL(/\/admin\/owners/)
  await expect(title(page)).toContainText(other.username)
  await inPanel(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog(page).getByLabel('Username').fill(other.username)
  await dialog(page).getByRole('button', { name: 'Delete owner' }).click()
  await expect(panel(page)).toHaveCount(0)
  await page.goto(`/admin/owners?panel=owner:${other.id}`)
  await expect(panel(page)).toContainText('Owner not found')
  await expect(inPanel(page, 'Ban')).toHaveCount(0)
})

test('j and k walk through the owners, and no other area shows one', async ({ app, page, owner }) => {
  for (const name of ['a', 'b']) await newOwner(app, `walk_${owner.id}_${name}`)
  await page.goto(`/admin/owners?q=walk_${owner.id}`)
  await expect(page.locator('tr[data-row]')).toHaveCount(2)
  const names = await page.locator('tr[data-row]').allInnerTexts()
  const nameOf = (at: number) => /walk_\S+_[ab]/.exec(names[at] ?? '')?.[0] ?? ''
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(title(page)).toContainText(nameOf(0))
  await page.keyboard.press('j')
  await expect(title(page)).toContainText(nameOf(1))
  await page.keyboard.press('k')
  await expect(title(page)).toContainText(nameOf(0))
  await page.goto(`/licenses?panel=owner:${owner.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Licenses' })).toBeVisible()
  await expect(panel(page)).toHaveCount(0)
})
