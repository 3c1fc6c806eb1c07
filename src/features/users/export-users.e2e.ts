import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '#e2e/fixtures.ts'
import { newUser } from '#testing/people/end-users.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

const dialog = (page: Page): Locator => page.getByRole('dialog')

test('an export contains the filtered or the selected users; a failed one says so', async ({ app, page, owner }) => {
  for (const name of ['vera-1', 'vera-2', 'walter']) await newUser(owner, name)
  await page.goto('/users?q=vera&dialog=export')
  await dialog(page).getByText('TXT').click()
  const save = dialog(page).getByRole('button', { name: 'Export' })
  await withoutTable(app.db, 'users', async () => {
    await save.click()
    await expect(dialog(page).getByRole('alert')).toHaveText('Failed to export users')
  })
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()])
  expect(download.suggestedFilename()).toMatch(/^users-.*\.txt$/)
  const names = (await readFile(await download.path(), 'utf8')).trim().split('\n')
  expect(names.toSorted()).toEqual(['vera-1', 'vera-2'])
  await expect(dialog(page)).toBeHidden()

  await page.getByRole('checkbox', { name: 'Select vera-2' }).check()
  await page.getByRole('searchbox').fill('')
  await page.getByRole('checkbox', { name: 'Select walter' }).check()
  await page.getByRole('button', { name: 'More for selected rows' }).click()
  await page.getByRole('menuitem', { name: 'Export' }).click()
  await expect(dialog(page).getByRole('radio', { name: /Selected/ })).toHaveAccessibleName(/2 users/)
  await dialog(page).getByRole('radio', { name: 'JSON' }).check()
  await dialog(page).getByRole('checkbox', { name: 'All columns' }).uncheck()
  await dialog(page).getByRole('checkbox', { name: 'Username' }).check()
  await withoutTable(app.db, 'users', async () => {
    await save.click()
    await expect(dialog(page).getByRole('alert')).toHaveText('Failed to export users')
  })
  const [json] = await Promise.all([page.waitForEvent('download'), save.click()])
  expect(json.suggestedFilename()).toMatch(/^users-.*\.json$/)
  expect(JSON.parse(await readFile(await json.path(), 'utf8'))).toEqual([
    { username: 'vera-2' },
    { username: 'walter' },
  ])
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('checkbox', { name: 'Select walter' })).toBeChecked()
})
