import { expect, expectToast, test } from '#e2e/fixtures.ts'
import { day, dialog, license } from '#e2e/license-screen.ts'
import { newLicenses } from '#testing/people/people.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

test('a note that could not be saved is asked about before the page is left, and its message stays', async ({
  app,
  page,
  owner,
}) => {
  const [key = ''] = await newLicenses(owner, 1)
  await page.goto(`/licenses?dialog=edit&row=${key}`)
  await withoutTable(app.db, 'audit', async () => {
    await dialog(page).getByLabel('Notes').fill('paid in cash')
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    await expectToast(page, `The note of ${key} was not saved: Failed to update license`)
  })
  const message = page.getByRole('alert').filter({ hasText: key })
  await expect(message).toBeVisible()
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await expect(message).toBeVisible()

  await page.getByRole('button', { name: 'Edit again' }).click()
  await expect(dialog(page).getByLabel('Notes')).toHaveValue('paid in cash')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(message).toBeHidden()
  expect((await license(owner, key))?.notes).toBe('paid in cash')
  await page.reload()
  await expect(page.getByRole('row').filter({ hasText: 'paid in cash' })).toBeVisible()
})

test('a note of several lines keeps them in the panel', async ({ page, owner }) => {
  const [key = ''] = await newLicenses(owner, 1, { notes: 'line one\nline two\n\n- last' })
  await page.goto(`/licenses?panel=license:${key}`)
  const note = page.locator('[data-side-panel]').getByText('line one')
  await expect(note).toBeVisible()
  expect(await note.innerText()).toBe('line one\nline two\n\n- last')
})

test('extending a license that somebody else has extended shows the new time, and adds to it', async ({
  page,
  owner,
}) => {
  const [key = ''] = await newLicenses(owner, 1)
  await page.goto(`/licenses?panel=license:${key}&action=extend`)
  await expect(dialog(page)).toContainText('30 days → 60 days')
  const body = { licenses: [key], expiryUnit: 'days' as const, duration: 100 }
  await owner.visitor.call('POST /add_time_licenses', { body })
  await dialog(page).getByRole('button', { name: 'Extend' }).click()
  await expect(dialog(page)).toContainText('Someone else has changed this in the meantime')
  await expect(dialog(page)).toContainText('130 days → 160 days')
  await dialog(page).getByRole('button', { name: 'Extend' }).click()
  await expectToast(page, 'License updated successfully')
  expect((await license(owner, key))?.expiry).toBe(160 * day)
})
