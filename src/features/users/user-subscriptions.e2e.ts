import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { newUser, subscribe, timeLeft } from '#testing/people/end-users.ts'

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
