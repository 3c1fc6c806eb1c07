import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'
import { newSellingReseller, resellerPassword } from '#testing/people/resellers.ts'

test("on a reseller's own domain the screens wear the brand, and text keeps its contrast in both themes", async ({
  app,
  page,
  owner,
}) => {
  const { id, username, appName } = await newSellingReseller(app, {}, owner)
  // Browsers resolve all names under localhost to this machine.
  const domain = `keys${Date.now()}.localhost`
  const form = { domain, companyName: 'Prism Keys', primaryColor: '#fff200', secondaryColor: '#1a1a1a' }
  await owner.visitor.call('POST /resellers/{id}/domain', { params: { id }, body: form })
  const address = app.url.replace('127.0.0.1', domain)

  await page.goto(`${address}/login`)
  await expect(page.getByText('Prism Keys')).toBeHidden()
  await expect(page.getByRole('link', { name: 'Create an account' })).toBeVisible()
  await app.db.write(({ db: trx }) =>
    trx.updateTable('reseller_domains').set({ proved_at: app.now() }).where('reseller_id', '=', id).execute(),
  )
  await page.reload()
  await expect(page.getByText('Prism Keys')).toBeVisible()
  await expect(page).toHaveTitle(/Prism Keys$/)
  await expect(page.getByRole('link', { name: 'Create an account' })).toBeHidden()
  await expectNoAxeViolations(page)

  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(resellerPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`${address}/reseller/dashboard`)
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
  await expect(sidebar).toContainText('Prism Keys')
  await expect(sidebar).toContainText(appName)
  await expectNoAxeViolations(page)
  await page.goto(`${address}/reseller/licenses`)
  // While the list is empty, its own button is the primary one, not the button in the header.
  const button = page.getByRole('button', { name: 'Generate License' }).nth(1)
  await expect(button).toHaveCSS('background-color', 'rgb(255, 242, 0)')
  await expectNoAxeViolations(page)

  await page.goto('/login')
  await expect(page.getByText('Prism Keys')).toBeHidden()
  await expect(page).toHaveTitle(/Signet$/)
})
