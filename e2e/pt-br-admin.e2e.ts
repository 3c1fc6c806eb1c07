import { makeAdmin, newAdmin, newLicenses, newOwner } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { pt } from './catalog.ts'
import { expect } from './fixtures.ts'
import { test } from './portuguese-reader.ts'

test.use({ locale: 'pt-BR' })
test.beforeEach(({ app }) => {
  // Sign-ins of earlier tests come from the same address.
  app.advance(61)
})

test('the area of administrators is in Portuguese: numbers, owners, plans and what is done with them', async ({
  app,
  page,
  owner,
  reader,
}) => {
  await makeAdmin(app, owner)
  const other = await newOwner(app, `pt_${owner.username}`.slice(0, 60), { plan: 'Free' })
  for (const one of [other.username, `${other.username}@example.com`, other.id, 'nobody-has-this-name'])
    reader.data.add(one)
  for (const word of ['Free', 'Developer', 'Pro', 'Unlimited']) reader.data.add(word)
  await page.goto('/admin/dashboard')
  await reader.shows('Plan Distribution')

  await reader.go(`/admin/owners?q=${other.id}`)
  await reader.shows('Manage Owners')
  await expect(page.getByRole('row').filter({ hasText: other.username })).toBeVisible()
  await reader.openMenus(1)
  await reader.openDialog(`/admin/owners?q=${other.id}&dialog=plan&row=${other.id}`)
  await reader.openDialog(`/admin/owners?q=${other.id}&dialog=delete&row=${other.id}`)
  await reader.go('/admin/owners?q=nobody-has-this-name')

  await reader.go('/admin/plans')
  await reader.openDialog('/admin/plans?dialog=create')
  await reader.openDialog('/admin/plans?dialog=delete&row=Free')
  for (const id of ['Free', 'Developer', 'Pro'])
    await owner.visitor.call('DELETE /admin/plans/{id}', { params: { id }, body: {} })
  await page.goto('/admin/plans')
  await reader.shows('No plans configured')
})

test('the settings of the platform are in Portuguese, what is wrong with them too', async ({
  app,
  page,
  owner,
  reader,
}) => {
  await makeAdmin(app, owner)
  reader.data.add('https://status.example.com')
  await page.goto('/admin/settings')
  await reader.shows('System Settings')
  const section = page.getByRole('form', { name: pt('Email'), exact: true })
  await section.getByLabel(pt('Enable email')).check()
  await section
    .getByRole('button')
    .filter({ hasText: pt('Email') })
    .last()
    .click()
  await expect(section.getByText(pt('SMTP host is required while email is enabled'))).toBeVisible()
  await reader.settled()
})

test('the audit is in Portuguese: every kind of actor, details and filters', async ({ app, page, owner, reader }) => {
  await newLicenses(owner, 2)
  const reseller = await newSellingReseller(app, {}, { ...owner })
  await reseller.sell()
  const admin = await newAdmin(app)
  const params = { id: owner.id }
  await admin.visitor.call('POST /admin/owners/{id}/plan', { params, body: { planType: 'Developer' } })
  reader.data.add(reseller.username).add('nothing-has-this-name').add('planType').add('planExpiresAt')
  await page.goto('/audit?limit=50')
  await reader.shows('Owner plan changed')
  await reader.shows('An administrator')
  await page.locator('main tbody [aria-expanded]').first().click()
  await reader.shows('Recorded details')
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-side-panel]')).toHaveCount(0)
  await reader.openMenus(1)
  await reader.settled()
  await reader.go('/audit?f.days=2026-01-01..2099-12-31')
  await reader.openMenus()
  await reader.openDialog('/audit?dialog=days')
  await reader.submit()
  await reader.openDialog('/audit?dialog=export')
  await reader.go('/audit?q=nothing-has-this-name')
})
