import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { newUser, subscribe, timeLeft, userOf } from '#testing/people/end-users.ts'

const panel = (page: Page) => page.locator('[data-side-panel]')

const daysLeft = async (owner: SignedInOwner, name: string) => Math.round(((await timeLeft(owner, name)) ?? 0) / 86_400)

test('a subscription of a user shows its level and end, is changed in its row, and is given again once it ended', async ({
  app,
  page,
  owner,
}) => {
  await newUser(owner, 'frida')
  await subscribe(owner, 'frida', { days: 2 })
  await page.goto('/users')
  await page.getByRole('button', { name: 'Details of frida' }).click()
  const levels = page.getByRole('region', { name: 'Subscriptions of frida' })
  await expect(levels.getByRole('listitem')).toContainText(/Basic\s*Level 1.*(2 days|1 day|47 hours).*Active/s)
  await levels.getByRole('button', { name: 'Edit Basic of frida' }).click()
  await expect(levels.getByRole('spinbutton', { name: 'Days from now' })).toHaveValue('2')
  await levels.getByRole('spinbutton', { name: 'Days from now' }).fill('90')
  await expectNoAxeViolations(page)
  await levels.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'Subscription updated successfully')
  await expect(levels.getByRole('spinbutton', { name: 'Days from now' })).toBeHidden()
  expect(await daysLeft(owner, 'frida')).toBe(90)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restored 1 user')
  expect(await daysLeft(owner, 'frida')).toBe(2)
  await expect(levels.getByRole('listitem')).toContainText(/2 days|1 day|47 hours/)

  await levels.getByRole('button', { name: 'Edit Basic of frida' }).click()
  await levels.getByRole('checkbox', { name: 'Never ends' }).check()
  await levels.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'Subscription updated successfully')
  await expect(levels.getByRole('listitem')).toContainText('Lifetime')

  // An active level cannot be added; an expired one can.
  const add = levels.getByRole('combobox', { name: 'Add subscription' })
  await expect(add.getByRole('option', { name: 'Basic' })).toHaveCount(0)
  const end = { params: { username: 'frida', id: 1 }, body: { active: false, appId: owner.appId } }
  await owner.visitor.call('PUT /user/{username}/subscriptions/{id}', end)
  const expired = { expires_at: Math.floor(Date.now() / 1000) - 3600 }
  await app.db.write(({ db }) =>
    db.updateTable('user_subscriptions').set(expired).where('app_id', '=', owner.appId).execute(),
  )
  await page.reload()
  await expect(levels.getByRole('listitem')).toContainText('Expired')
  await add.selectOption('Basic')
  await levels.getByRole('button', { name: 'Add', exact: true }).click()
  await expectToast(page, /^Subscription added/)
  await expect(levels.getByRole('listitem')).toContainText('Active')
  expect(await daysLeft(owner, 'frida')).toBe(30)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restored 1 user')
  await expect(levels.getByRole('listitem')).toContainText('Expired')
})

test('an end that is not edited stays to the second, however far away it is', async ({ app, page, owner }) => {
  await newUser(owner, 'gina')
  await subscribe(owner, 'gina', { days: 2 })
  const expiry = app.now() + 5_000 * 86_400 + 3_600
  const params = { username: 'gina', id: 1 }
  await owner.visitor.call('PUT /user/{username}/subscriptions/{id}', { params, body: { expiry } })
  const stored = async () => (await userOf(owner, 'gina'))?.subscriptions[1]?.expiry
  await page.goto('/users?panel=user:gina')
  const days = page.getByRole('spinbutton', { name: 'Days from now' })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  const edit = page.getByRole('button', { name: 'Edit Basic of gina' })
  await edit.click()
  await expect(days).toHaveValue('5001')
  await save.click()
  await expect(days).toBeHidden()
  expect(await stored()).toBe(expiry)

  await edit.click()
  await days.fill('4000')
  await days.fill('5001')
  await save.click()
  await expect(days).toBeHidden()
  expect(await stored()).toBe(expiry)

  await edit.click()
  await days.fill('4000')
  await save.click()
  await expect(page.getByText('1 to 3650 days')).toBeVisible()
  await days.fill('40')
  await save.click()
  await expectToast(page, 'Subscription updated successfully')
  expect(await daysLeft(owner, 'gina')).toBe(40)
})

test('two tabs: an end that somebody else has changed is shown beside the typed days', async ({ app, page, owner }) => {
  await newUser(owner, 'hugo')
  await subscribe(owner, 'hugo', { days: 10 })
  await page.goto('/users?panel=user:hugo')
  const days = page.getByRole('spinbutton', { name: 'Days from now' })
  await page.getByRole('button', { name: 'Edit Basic of hugo' }).click()
  await days.fill('20')
  const params = { username: 'hugo', id: 1 }
  const theirs = { params, body: { expiry: app.now() + 110 * 86_400 } }
  await owner.visitor.call('PUT /user/{username}/subscriptions/{id}', theirs)
  const conflict = page.getByRole('group', { name: 'Changed in the meantime' })
  await expect(conflict).toContainText(/Theirs.*110 days.*Yours.*20 days/)
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(conflict).toBeVisible()
  expect(await daysLeft(owner, 'hugo')).toBe(110)
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'Subscription updated successfully')
  expect(await daysLeft(owner, 'hugo')).toBe(20)
})

for (const paused of [false, true]) {
  const who = paused ? 'ilse' : 'jan'
  test(`extending ${paused ? 'a paused' : 'a'} user adds the days to what somebody else has added meanwhile`, async ({
    app,
    page,
    owner,
  }) => {
    await newUser(owner, who)
    await subscribe(owner, who, { days: 10 })
    if (paused) await owner.visitor.call('POST /toggle_pause_user', { body: { username: who } })
    await page.goto(`/users?panel=user:${who}&action=extend`)
    const form = page.getByRole('dialog', { name: `Extend ${who}` })
    await expect(form).toContainText(/10 days|9 days|239 hours/)
    const body = { expiry: app.now() + 110 * 86_400 }
    await owner.visitor.call('PUT /user/{username}/subscriptions/{id}', { params: { username: who, id: 1 }, body })
    await form.getByRole('button', { name: 'Extend' }).click()
    await expect(form).toContainText('Someone else has changed this in the meantime')
    await expect(form).toContainText(/110 days|109 days|3 months/)
    expect(await daysLeft(owner, who)).toBe(110)
    await form.getByRole('button', { name: 'Extend' }).click()
    await expectToast(page, 'Subscription updated successfully')
    expect(await daysLeft(owner, who)).toBe(140)
  })
}

test('levels that could not be loaded are not said to be none, and Retry loads them', async ({ page, owner }) => {
  await newUser(owner, 'kim')
  await page.route('**/user/kim/subscriptions*', (route) => route.abort())
  await page.goto('/users?panel=user:kim')
  const level = panel(page).getByRole('combobox', { name: 'Add subscription' })
  await expect(level).toHaveAccessibleDescription('Failed to load user subscriptions')
  await expect(level).not.toContainText('No other level to add')
  await page.unroute('**/user/kim/subscriptions*')
  await panel(page).getByRole('button', { name: 'Retry' }).click()
  await expect(level).toHaveValue('1')
})
