import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'
import { newReseller, newSellingReseller } from '#testing/people/resellers.ts'

test('resellers are narrowed by status, app, and few credits, each with its number, in the address', async ({
  app,
  page,
  owner,
}) => {
  // Setups in earlier tests count against the same IP address.
  app.advance(61)
  const rich = await newSellingReseller(app, { credits: 100 }, owner)
  app.advance(61)
  const poor = await newSellingReseller(app, { credits: 9 }, owner)
  const invited = await newReseller(app, owner)
  await owner.visitor.call('POST /resellers/{id}/ban', { params: { id: invited.id }, body: { banned: true } })
  const fresh = await newReseller(app, owner)
  await page.goto('/manage-resellers')
  const rows = page.locator('tr[data-row]')
  await expect(rows).toHaveCount(4)
  const counts = page.getByRole('list', { name: 'Reseller counts' })
  await expect(counts.getByRole('button')).toHaveText(['All4', 'Active2', 'Invited1', 'Banned1'])
  await counts.getByRole('button', { name: 'Invited' }).click()
  await expect(page).toHaveURL(/f\.status=invited/)
  await expect(rows).toHaveCount(1)
  await expect(rows).toHaveAttribute('data-row', fresh.username)
  await counts.getByRole('button', { name: 'Active' }).click()
  await expect(rows).toHaveCount(3)

  const choose = async (chip: string, option: RegExp) => {
    await page.getByRole('button', { name: chip }).and(page.locator(':not(th *)')).click()
    const entry = page.getByRole('menuitemradio', { name: option })
    await expect(entry).toBeVisible()
    await entry.click()
  }
  await choose('Credits', /^Fewer than 10 in an app\s*1$/)
  await expect(page).toHaveURL(/f\.credits=low/)
  await expect(rows).toHaveCount(1)
  await expect(rows).toHaveAttribute('data-row', poor.username)
  await choose('Credits', /^Any/)
  await choose('App', /^Prism Studio\s*2$/)
  await expect(rows).toHaveCount(2)
  await page.reload()
  await expect(rows).toHaveCount(2)
  await expect(page.getByRole('row').filter({ hasText: rich.username })).toBeVisible()
  await expectNoAxeViolations(page)

  // An address may contain anything.
  await page.goto('/manage-resellers?f.status=gone&f.credits=many')
  await expect(rows).toHaveCount(4)
  await page.goto('/manage-resellers?f.app=app_gone')
  await expect(page.getByRole('button', { name: 'Clear filters' })).toBeVisible()
  await expect(rows).toHaveCount(0)
})
