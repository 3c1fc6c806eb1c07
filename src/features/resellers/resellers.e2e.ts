import type { Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import type { TestApp } from '#testing/start-test-app.ts'
import { assign, newReseller, newSellingReseller, resellerPassword } from '#testing/people/resellers.ts'

/** The owner's list of resellers. */

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })
const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const choose = async (page: Page, name: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
const resellersOf = async ({ visitor }: SignedInOwner) => (await visitor.call('GET /resellers')).body.resellers
/** The code for a setup that can fail only on its password; it never completes the setup. */
const codeOfSetup = async (app: TestApp, link: string) => {
  const registrationToken = new URL(link).pathname.split('/').at(-1) ?? ''
  const body = { email: 'someone@example.com', password: 'short' }
  const call = 'POST /reseller/setup/{registrationToken}'
  return (await app.visitor().call(call, { params: { registrationToken }, body })).body.code
}

test('a reseller is created by name; the set-up link is copied, shown once, and can be replaced', async ({
  app,
  page,
  owner,
}) => {
  const username = `maria_${owner.username.slice(-6)}`
  await page.goto('/manage-resellers')
  await expect(page.getByText('No resellers found yet.')).toBeVisible()
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Create reseller' }).first().click()
  const submit = dialog(page).getByRole('button', { name: 'Create reseller' })
  await submit.click()
  await expect(dialog(page).getByText('Username is required')).toBeVisible()
  await dialog(page).getByRole('textbox', { name: 'Username' }).fill(` ${username} `)
  await submit.click()
  await expectToast(page, 'Reseller created successfully! Setup link copied to clipboard.')
  const link = await dialog(page).getByRole('textbox', { name: 'Setup link' }).inputValue()
  expect(link).toContain('/reseller/setup/')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  expect(await codeOfSetup(app, link)).toBe('PASSWORD_TOO_SHORT')
  await expectNoAxeViolations(page)
  // The link is shown only once, so Escape must not close the dialog.
  await page.keyboard.press('Escape')
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await expect(row(page, username)).toContainText('Setup pending')
  await expect(row(page, username)).toContainText('Invited')

  await choose(page, username, 'New setup link')
  await dialog(page).getByRole('button', { name: 'Create link' }).click()
  await expect(dialog(page).getByRole('textbox', { name: 'Setup link' })).not.toHaveValue(link)
  const renewed = await dialog(page).getByRole('textbox', { name: 'Setup link' }).inputValue()
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  expect(await codeOfSetup(app, link)).toBe('SETUP_LINK_INVALID')
  expect(await codeOfSetup(app, renewed)).toBe('PASSWORD_TOO_SHORT')

  await page.getByRole('button', { name: 'Create reseller' }).first().click()
  await dialog(page).getByRole('textbox', { name: 'Username' }).fill(username.toUpperCase())
  await submit.click()
  await expect(dialog(page).getByRole('textbox', { name: 'Username' })).toHaveAttribute('aria-invalid', 'true')
  expect(await resellersOf(owner)).toHaveLength(1)
})

test('a ban ends the session of the reseller at once, and is undone', async ({ app, page, owner }) => {
  const reseller = await newSellingReseller(app, {}, owner)
  await page.goto('/manage-resellers')
  await expect(row(page, reseller.username)).toContainText(`${reseller.username}@example.com`)
  await expect(row(page, reseller.username)).toContainText('Prism Studio')
  await choose(page, reseller.username, 'Ban')
  await expectToast(page, 'Reseller banned successfully')
  await expect(row(page, reseller.username)).toContainText('Banned')
  expect((await reseller.visitor.call('GET /reseller/check-auth')).status).toBe(401)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Reseller unbanned successfully')
  await expect(row(page, reseller.username)).toContainText('Active')
  const body = { username: reseller.username, password: resellerPassword }
  expect((await reseller.visitor.call('POST /reseller/login', { body })).status).toBe(200)
})

test('credits are added and set with a preview of the balance, and each movement is in the history', async ({
  app,
  page,
  owner,
}) => {
  const reseller = await newSellingReseller(app, { credits: 100 }, owner)
  await reseller.sell()
  await page.goto('/manage-resellers')
  await expect(row(page, reseller.username)).toContainText('95')
  await choose(page, reseller.username, 'Credits')
  const amount = dialog(page).getByRole('spinbutton', { name: 'Credits' })
  await dialog(page).getByRole('button', { name: 'Add credits' }).click()
  await expect(dialog(page).getByText('Credits must be a whole number')).toBeVisible()
  await amount.fill('-5')
  await expect(dialog(page).getByText('Credits must be at least 1')).toBeVisible()
  await expect(dialog(page)).toContainText('95 now')
  await amount.fill('20')
  await expect(dialog(page)).toContainText('95 → 115')
  await dialog(page).getByRole('combobox', { name: 'Subscription level' }).selectOption('1')
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('button', { name: 'Add credits' }).click()
  await expectToast(page, 'Credits updated successfully')
  await expect(row(page, reseller.username)).toContainText('115')

  await choose(page, reseller.username, 'Credits')
  await dialog(page).getByRole('radio', { name: 'Set' }).check()
  await amount.fill('7')
  await dialog(page).getByRole('button', { name: 'Set credits' }).click()
  await expect(row(page, reseller.username)).toContainText('7')
  await expect.poll(() => reseller.credits()).toBe(7)

  await choose(page, reseller.username, 'Credits')
  await dialog(page).getByRole('button', { name: 'History' }).click()
  const history = dialog(page).getByRole('list', { name: 'Transaction history' }).getByRole('listitem')
  await expect(history).toHaveText([
    /Credits set.*-108/,
    /Credits added.*Basic.*\+20/,
    /Generated 1 license.*-5/,
    /Credits set.*\+100/,
  ])
})

test('deleting asks about licenses and users, and keeps or deletes them', async ({ app, page, owner }) => {
  const [one, other] = [await newSellingReseller(app, {}, owner), await newSellingReseller(app, {}, owner)]
  await one.sell()
  await other.sell({ amount: 2 })
  const licenses = async () =>
    (await owner.visitor.call('GET /licenses')).body.licenses.map(({ generatedBy }) => generatedBy).toSorted()
  await page.goto('/manage-resellers')
  await choose(page, one.username, 'Delete')
  await expect(dialog(page)).toContainText('95 unspent credits are lost.')
  await expect(dialog(page)).toContainText('1 license stays.')
  await dialog(page).getByRole('button', { name: 'Delete reseller' }).click()
  await expectToast(page, 'Reseller deleted successfully')
  await expect(row(page, one.username)).toBeHidden()
  expect(await licenses()).toEqual([one.username, other.username, other.username].toSorted())

  await choose(page, other.username, 'Delete')
  await dialog(page)
    .getByRole('checkbox', { name: /Also delete the reseller's licenses and users/ })
    .check()
  await expect(dialog(page)).toContainText('2 licenses are deleted.')
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('button', { name: 'Delete reseller' }).click()
  await expect(dialog(page).getByText('Username does not match')).toBeVisible()
  await dialog(page).getByRole('textbox', { name: 'Username' }).fill(other.username)
  await dialog(page).getByRole('button', { name: 'Delete reseller' }).click()
  await expect(row(page, other.username)).toBeHidden()
  expect(await licenses()).toEqual([one.username])
  await expect(page.getByText('No resellers found yet.')).toBeVisible()
})

test('the list says "Page X of Y", and a search finds names and addresses', async ({ app, page, owner }) => {
  const seller = await newSellingReseller(app, {}, owner)
  for (let made = 0; made < 11; made += 1) await newReseller(app, owner)
  await page.goto('/manage-resellers')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(pages).toContainText('Page 1 of 2')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(pages).toContainText('11–12 of 12 · Page 2 of 2')
  await page.getByRole('searchbox').fill(`${seller.username}@EXAMPLE`)
  await expect(pages).toContainText('1–1 of 1 · Page 1 of 1')
  await expect(row(page, seller.username)).toBeVisible()
})

test('a typed name survives a server outage, and is sent once', async ({ page, owner, server }) => {
  await page.goto('/manage-resellers?dialog=create')
  await dialog(page)
    .getByRole('textbox', { name: 'Username' })
    .fill(`late_${owner.username.slice(-6)}`)
  await server.stop()
  await dialog(page).getByRole('button', { name: 'Create reseller' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Failed to create reseller')
  await server.start()
  await dialog(page).getByRole('button', { name: 'Create reseller' }).click()
  await expectToast(page, 'Reseller created successfully! Setup link copied to clipboard.')
  expect(await resellersOf(owner)).toHaveLength(1)
})

test("shows an error when a reseller's status couldn't be changed, or the reseller couldn't be deleted", async ({
  app,
  page,
  owner,
}) => {
  const { username } = await newSellingReseller(app, {}, owner)
  await page.goto('/manage-resellers')
  const openMenu = () => page.getByRole('button', { name: `Actions for ${username}` }).click()
  const ban = page.getByRole('menuitem', { name: 'Ban' })
  await expectFailures(app, page, [
    { says: 'Failed to update reseller status', open: openMenu, press: ban },
    { says: 'Failed to delete reseller', open: () => choose(page, username, 'Delete'), press: 'Delete reseller' },
  ])
})

test('credits lead to their history, and licenses to those in the selected app', async ({ app, page, owner }) => {
  const seller = await newSellingReseller(app, {}, owner)
  await seller.sell({ amount: 2 })
  const { username } = seller
  await page.goto('/manage-resellers')
  await row(page, username)
    .getByRole('link', { name: `Licenses of ${username} in this app: 2` })
    .click()
  await expect(page).toHaveURL(new RegExp(`/licenses\\?f\\.reseller=${seller.id}$`))
  await expect(page.locator('tr[data-row]')).toHaveCount(2)

  const { body: other } = await owner.visitor.call('POST /create_app', { body: { appName: 'Other app' } })
  const level = { level: 1, name: 'Basic' }
  await owner.visitor.call('POST /create_subscription', { body: level, headers: { 'x-app-id': other.appId } })
  await assign(owner, { id: seller.id, appName: other.appName, credits: 10, planCosts: { '30': 4 } })
  await seller.sell({ appName: other.appName })
  await page.goto('/manage-resellers')
  await expect(row(page, username)).toContainText('2 of 3')
  await row(page, username)
    .getByRole('link', { name: `Credits of ${username}: 96` })
    .click()
  const panel = page.locator('[data-side-panel]')
  await expect(panel.getByRole('list', { name: 'Transaction history' })).toContainText('-10')
  await panel.getByRole('tab', { name: 'Details' }).click()
  await panel.getByRole('link', { name: '2 in this app' }).click()
  await expect(page.locator('tr[data-row]')).toHaveCount(2)
})
