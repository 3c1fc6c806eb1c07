import type { Page } from '@playwright/test'
import { expect, expectToast, test } from '#e2e/fixtures.ts'
import { openReseller } from '#e2e/reseller-page.ts'
import { makeAdmin } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const number = (page: Page, name: string) => page.getByRole('spinbutton', { name, exact: true })

/** Key by key, as a field of the browser may refuse single characters. */
async function retype(page: Page, name: string, text: string) {
  await number(page, name).clear()
  await number(page, name).pressSequentially(text)
}

test('a decimal comma is read as a decimal point, and other separators are an error at the field', async ({
  app,
  page,
  owner,
}) => {
  app.advance(61)
  await makeAdmin(app, owner)
  const name = `Comma-${owner.id}`
  await owner.visitor.call('POST /admin/plans', { body: { name, displayName: 'Gold', price: 5 } })
  const stored = async () => {
    const { plans } = (await owner.visitor.call('GET /admin/plans')).body
    return plans.find((plan) => plan.name === name)
  }
  await page.goto('/admin/plans')
  const card = page.getByRole('list', { name: 'Plans' }).locator('> li').filter({ hasText: name })
  await card.getByRole('button', { name: 'Edit Gold' }).click()

  await expect(number(page, 'Price')).toHaveAttribute('inputmode', 'decimal')
  // Down to -1, which is unlimited.
  await expect(number(page, 'Max apps')).toHaveAttribute('inputmode', 'text')
  await expect(number(page, 'Max storage (MB)')).toHaveAttribute('inputmode', 'numeric')
  await retype(page, 'Price', '1,000')
  await retype(page, 'Max apps', '2,5')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(number(page, 'Price')).toHaveAccessibleDescription(/without thousands separators/)
  await expect(number(page, 'Price')).toBeFocused()
  await expect(number(page, 'Max apps')).toHaveAccessibleDescription(/whole number/)
  expect((await stored())?.price).toBe(5)

  await retype(page, 'Price', '9,99')
  await expect(number(page, 'Price')).not.toHaveAttribute('aria-invalid')
  await retype(page, 'Max apps', '1,007')
  await expect(number(page, 'Max apps')).not.toHaveAttribute('aria-invalid')
  await expect(number(page, 'Max apps')).toHaveAttribute('aria-valuenow', '1007')
  await retype(page, 'Max apps', '7')
  await number(page, 'Max apps').press('ArrowUp')
  await number(page, 'Max apps').press('ArrowUp')
  await number(page, 'Max apps').press('ArrowDown')
  await expect(number(page, 'Max apps')).toHaveValue('8')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Plan updated successfully')
  expect(await stored()).toMatchObject({ price: 9.99, limits: { max_apps: 8 } })
  await owner.visitor.call('DELETE /admin/plans/{id}', { params: { id: name }, body: {} })
})

test('a cost that is no whole number is an error at the field, and is not stored', async ({ app, page, owner }) => {
  const { id, username } = await newSellingReseller(app, {}, owner)
  const stored = async () => {
    const { reseller } = (await owner.visitor.call('GET /resellers/{id}', { params: { id } })).body
    return reseller.assignedApps[0]?.planCosts['30']
  }
  await openReseller(page, username)
  for (const text of ['7,55', '7.55', '7.555']) {
    await retype(page, 'Cost of 30 days', text)
    await number(page, 'Cost of 30 days').press('Tab')
    await expect(number(page, 'Cost of 30 days'), text).toHaveValue(text)
    await expect(number(page, 'Cost of 30 days'), text).toHaveAttribute('aria-invalid', 'true')
  }
  await retype(page, 'Cost of 30 days', '8')
  await expect(number(page, 'Cost of 30 days')).not.toHaveAttribute('aria-invalid')
  await expect.poll(stored).toBe(8)
})
