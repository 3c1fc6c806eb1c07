import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { Program } from '#testing/people/program.ts'

test('replaces the keys, shows the new ones everywhere, and retires the earlier ones', async ({ page, owner, app }) => {
  const earlier = await Program.of(app, owner)
  const dialog = page.getByRole('dialog')
  await page.goto('/dashboard')
  const key = page.getByRole('textbox', { name: 'Server obfuscation key', exact: true })
  const before = await key.inputValue()
  await expect(page.getByRole('button', { name: 'Retire earlier keys' })).toBeHidden()
  await page.getByRole('button', { name: 'Replace keys' }).click()
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name: 'Replace keys' }).click()
  await expectToast(page, 'Keys replaced. Put the new ones into your next version.')
  await expect(key).not.toHaveValue(before)
  const after = await key.inputValue()
  await expect(page.getByRole('region', { name: 'Connect your program' })).toContainText(after)
  const updated = await Program.of(app, owner)
  for (const each of [earlier, updated]) expect((await each.init()).status).toBe(200)

  await page.getByRole('button', { name: 'Retire earlier keys' }).click()
  await dialog.getByRole('textbox', { name: 'App name' }).fill(owner.appName)
  await dialog.getByRole('button', { name: 'Retire earlier keys' }).click()
  await expectToast(page, 'Programs with earlier keys are now rejected')
  await expect(page.getByRole('button', { name: 'Retire earlier keys' })).toBeHidden()
  await expect(earlier.init()).rejects.toMatchObject({ code: 'UNKNOWN_KEY' })
  expect((await updated.init()).status).toBe(200)
})

test('the settings lead from the keys of the app to its test key', async ({ page, owner }) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('textbox', { name: 'App name' })).toHaveValue(owner.appName)
  await page.getByRole('link', { name: 'Try it with a test key' }).click()
  await expect(page).toHaveURL(/\/connect$/)
  await expect(page.getByRole('button', { name: 'Create test key' })).toBeVisible()
})
