import { expect, expectToast, test } from '#e2e/fixtures.ts'
import { newUser, subscribe } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'

test('a session that is ended by keyboard gives the focus to the next one', async ({ app, page, owner }) => {
  for (let other = 0; other < 2; other++) {
    const body = { username: owner.username, password: owner.password }
    expect((await app.visitor().call('POST /login', { body })).status).toBe(200)
  }
  await page.goto('/profile')
  const sessions = page.getByRole('list', { name: 'Active sessions' }).getByRole('listitem')
  await expect(sessions).toHaveCount(3)
  const end = (of: typeof sessions) => of.getByRole('button', { name: /^End the session/ })
  for (const left of [2, 1]) {
    await end(sessions.filter({ hasNotText: 'This device' }).last()).focus()
    await page.keyboard.press('Enter')
    await expect(sessions).toHaveCount(left)
    await expect(sessions.locator(':focus')).toHaveAccessibleName(/^End the session/)
  }
})

test('a variable or subscription of a user that is removed by keyboard gives the focus to the next one, then to the form', async ({
  page,
  owner,
}) => {
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro', active: true } })
  await newUser(owner, 'kim')
  for (const level of [1, 2]) await subscribe(owner, 'kim', { days: 10, level })
  for (const variableName of ['color', 'size'])
    await owner.visitor.call('POST /user_variables', { body: { username: 'kim', variableName, variableData: 'x' } })
  await page.goto('/users?panel=user:kim')
  const panel = page.locator('[data-side-panel]')
  const focused = panel.locator(':focus')
  await panel.getByRole('button', { name: 'Delete color' }).focus()
  await page.keyboard.press('Enter')
  await expectToast(page, 'Variable deleted successfully')
  await expect(focused).toHaveAccessibleName('Delete size')
  await page.keyboard.press('Enter')
  await expect(panel).toContainText('No variables found.')
  await expect(focused).toHaveAccessibleName('Variable name')

  await panel.getByRole('button', { name: 'Remove Pro from kim' }).focus()
  await page.keyboard.press('Enter')
  await expect(focused).toHaveAccessibleName('Remove Basic from kim')
  await page.keyboard.press('Enter')
  await expect(panel).toContainText('No active subscriptions found.')
  await expect(focused).toHaveAccessibleName(/Add subscription/)
})

test('an item of the bin that is restored by keyboard gives the focus to the next one, and the last one to the heading', async ({
  page,
  owner,
}) => {
  const keys = await newLicenses(owner, 2)
  for (const licenseKey of keys) await owner.visitor.call('POST /delete_license', { body: { licenseKey } })
  await page.goto('/deleted')
  const rows = page.locator('tr[data-row]')
  await expect(rows).toHaveCount(2)
  await rows
    .first()
    .getByRole('button', { name: /^Actions for/ })
    .focus()
  for (const left of [1, 0]) {
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Restore' }).focus()
    await page.keyboard.press('Enter')
    await expect(rows).toHaveCount(left)
    if (left > 0) await expect(rows.locator(':focus')).toHaveAccessibleName(/^Actions for/)
  }
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})
