import type { Page } from '@playwright/test'
import { expect, expectToast, test } from '#e2e/fixtures.ts'
import { makeAdmin, newOwner } from '#testing/people/people.ts'

/** Edits of administrators that are undone later, from the toast and from the activity. */

const dialog = (page: Page) => page.getByRole('dialog')
const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true })

test('an edit of a plan is undone from its toast and from the activity, unless it was changed since', async ({
  app,
  page,
  owner,
}) => {
  app.advance(61)
  await makeAdmin(app, owner)
  const name = `Undo-${owner.id}`
  await owner.visitor.call('POST /admin/plans', { body: { name, displayName: 'Gold', price: 5 } })
  const card = page.getByRole('list', { name: 'Plans' }).locator('> li').filter({ hasText: name })
  const setPrice = async (price: string) => {
    await card.getByRole('button', { name: 'Edit Gold' }).click()
    await dialog(page).getByRole('spinbutton', { name: 'Price' }).fill(price)
    await dialog(page).getByRole('checkbox', { name: 'Webhooks' }).click()
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    await expect(dialog(page)).toHaveCount(0)
  }
  await page.goto('/admin/plans')
  await expect(card).toContainText('$5')
  // Stored in cents.
  await setPrice('7.501')
  await expect(card).toContainText('$7.5')
  await undo(page).first().click()
  await expect(card).toContainText('$5')

  await setPrice('8')
  await expect(card).toContainText('$8')
  await page.getByRole('button', { name: 'Activity' }).click()
  const activity = page.getByRole('list', { name: 'Activity' })
  const first = activity.getByRole('listitem').first()
  await expect(first).toContainText('Plan changed')
  await expect(first).toContainText(name)
  const change = { params: { id: name }, body: { price: 6 } }
  await owner.visitor.call('PUT /admin/plans/{id}', change)
  await first.getByRole('button', { name: /^Undo/ }).click()
  await expectToast(page, /changed/i)
  expect((await planOf()).price).toBe(6)
  await activity.getByRole('listitem').first().getByRole('button', { name: /^Undo/ }).click()
  await expectToast(page, 'Plan updated successfully')
  await expect.poll(async () => (await planOf()).price).toBe(8)
  await owner.visitor.call('DELETE /admin/plans/{id}', { params: { id: name }, body: {} })

  async function planOf() {
    const { plans } = (await owner.visitor.call('GET /admin/plans')).body
    return plans.find((plan) => plan.name === name) ?? { price: -1 }
  }
})

test('a plan change of an owner is undone from the activity, with its former end', async ({ app, page, owner }) => {
  app.advance(61)
  await makeAdmin(app, owner)
  const { id } = await newOwner(app, undefined, { plan: 'Free' })
  const params = { id }
  const end = app.now() + 12_345
  await owner.visitor.call('POST /admin/owners/{id}/plan', { params, body: { planType: 'Pro', planExpiresAt: end } })
  await owner.visitor.call('POST /admin/owners/{id}/plan', { params, body: { planType: 'Developer' } })
  await page.goto(`/admin/owners?q=${id}`)
  const row = page.getByRole('row').filter({ hasText: id })
  await expect(row).toContainText('Developer')
  await page.getByRole('button', { name: 'Activity' }).click()
  await page
    .getByRole('list', { name: 'Activity' })
    .getByRole('button', { name: 'Undo: Owner plan changed' })
    .first()
    .click()
  await expectToast(page, 'Owner plan updated successfully')
  await page.keyboard.press('Escape')
  await expect(row).toContainText('Pro')
  const { owners } = (await owner.visitor.call('GET /admin/owners', { query: { search: id } })).body
  expect(owners[0]).toMatchObject({ subscriptionType: ['Pro'], planExpiresAt: end })
})

test('a change of settings is undone from the activity', async ({ app, page, owner }) => {
  app.advance(61)
  await makeAdmin(app, owner)
  const cooldown = async () =>
    (await owner.visitor.call('GET /admin/settings')).body.settings.platform.loginCooldownMinutes
  const before = await cooldown()
  await page.goto('/admin/settings')
  const minutes = page.getByRole('spinbutton', { name: /cooldown/i })
  await minutes.fill(String(before + 7))
  await page.getByRole('button', { name: 'Save platform settings', exact: true }).click()
  await expectToast(page, 'Platform settings saved successfully')
  expect(await cooldown()).toBe(before + 7)
  await page.reload()
  await page.getByRole('button', { name: 'Activity' }).click()
  const first = page.getByRole('list', { name: 'Activity' }).getByRole('listitem').first()
  await expect(first).toContainText('System settings saved')
  await first.getByRole('button', { name: /^Undo/ }).click()
  await expect.poll(cooldown).toBe(before)
  await page.keyboard.press('Escape')
  await expect(minutes).toHaveValue(String(before))
})

test('what is typed about a plan stays when another administrator deletes it, and a link to no plan says so', async ({
  app,
  page,
  owner,
}) => {
  app.advance(61)
  await makeAdmin(app, owner)
  const name = `Gone-${owner.id}`
  await owner.visitor.call('POST /admin/plans', { body: { name, displayName: 'Gone', price: 5 } })
  await page.goto(`/admin/plans?dialog=edit&row=${name}`)
  const display = dialog(page).getByRole('textbox', { name: 'Display name' })
  await display.fill('Typed at length')
  await owner.visitor.call('DELETE /admin/plans/{id}', { params: { id: name }, body: {} })
  // The plans of the page are older than ten seconds when it gets the focus.
  await page.clock.setSystemTime(Date.now() + 20_000)
  const reloaded = page.waitForResponse((response) => response.url().endsWith('/admin/plans'))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await reloaded
  await expect(page.locator('ul[aria-label="Plans"]')).not.toContainText(name)
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Plan not found')
  await expect(display).toHaveValue('Typed at length')

  await page.goto('/admin/plans?dialog=edit&row=gone')
  await expectToast(page, 'Plan not found')
  await expect(page).toHaveURL(/\/admin\/plans$/)
})
