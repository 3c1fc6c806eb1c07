import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { newLicenses } from '#testing/people/people.ts'

test('the activity drawer undoes actions and keeps what toasts said', async ({ page, owner }) => {
  const { visitor } = owner
  const [banned = '', deleted = ''] = await newLicenses(owner, 2)
  await visitor.call('POST /toggle_ban_license', { body: { licenseKey: banned, banned: true } })
  await visitor.call('POST /delete_license', { body: { licenseKey: deleted, deleteUsers: false } })
  const licenses = async () => (await visitor.call('GET /licenses')).body.licenses

  await page.goto('/licenses')
  await expect(page.getByRole('heading', { level: 1, name: 'Licenses' })).toBeVisible()
  await page.getByRole('button', { name: 'Activity' }).click()
  const drawer = page.getByRole('dialog', { name: 'Activity' })
  const item = (name: string) => drawer.getByRole('listitem').filter({ hasText: name })
  await expect(item('License deleted')).toContainText('Undo until')
  await expectNoAxeViolations(page)

  await item('License banned').getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Undone successfully')
  await expect(item('License banned').getByText('Undone', { exact: true })).toBeVisible()
  await item('License deleted').getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restored 1 item')
  await expect(item('License deleted').getByText('Undone', { exact: true })).toBeVisible()
  expect((await licenses()).map(({ banned: isBanned }) => isBanned)).toEqual([false, false])

  await drawer.getByRole('tab', { name: 'Notifications' }).click()
  await expect(drawer.getByRole('listitem').filter({ hasText: 'Restored 1 item' })).toBeVisible()
  await expectNoAxeViolations(page)

  await drawer.getByRole('tab', { name: 'Activity' }).click()
  await item('License banned').getByRole('link', { name: banned }).click()
  await expect(drawer).toBeHidden()
  await expect(page).toHaveURL(/panel=license/)
  await expect(page.getByRole('region').filter({ hasText: banned })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('heading', { level: 1 }).focus()
  await page.keyboard.press('g')
  await page.keyboard.press('y')
  await expect(drawer).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
})

test('an edit shows its fields before and after in the audit', async ({ page, owner }) => {
  const [licenseKey = ''] = await newLicenses(owner, 1)
  for (const notes of ['First note', 'Second note'])
    await owner.visitor.call('POST /update_license', { body: { licenseKey, notes } })
  await page.goto('/audit')
  const newest = page.getByRole('row').filter({ hasText: 'License changed' }).first()
  await newest.getByRole('button', { name: /^Details of/ }).click()
  const changes = page.getByRole('table', { name: 'Recorded details' }).getByRole('row')
  await expect(changes.filter({ hasText: 'Notes' })).toContainText('First note')
  await expect(changes.filter({ hasText: 'Notes' })).toContainText('Second note')
  await expectNoAxeViolations(page)
})
