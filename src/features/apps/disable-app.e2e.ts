import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'

test('settings that disable the app ask first, and offer Undo', async ({ page, owner }) => {
  const isOn = async () => (await owner.visitor.call('GET /active_app')).body.app!.settings.appStatus
  const version = page.getByRole('textbox', { name: 'App version', exact: true })
  const status = page.getByRole('switch', { name: 'App status', exact: true })
  await page.goto('/dashboard')
  const former = await version.inputValue()
  await version.fill('9.1')
  await status.uncheck()
  await page.getByRole('button', { name: 'Save Changes' }).first().click()
  const question = page.getByRole('dialog', { name: `Disable ${owner.appName}?` })
  await expectNoAxeViolations(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await isOn()).toBe(true)
  await expect(version).toHaveValue('9.1')
  await page.getByRole('button', { name: 'Save Changes' }).first().click()
  await question.getByRole('button', { name: 'Disable' }).click()
  await expect.poll(isOn).toBe(false)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(isOn).toBe(true)
  await expect(status).toBeChecked()
  // What was saved with it is taken back as well.
  await expect(version).toHaveValue(former)
  expect((await owner.visitor.call('GET /active_app')).body.app!.settings.version).toBe(former)
})
