import { newLicenses } from '#testing/people/people.ts'
import { expect, test } from '../../../e2e/fixtures.ts'

test('a button that is focused by keyboard shows its name, also when it changes, until Escape, or until it goes', async ({
  page,
  owner,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const [first = ''] = await newLicenses(owner, 2)
  await page.goto('/licenses')
  const row = page.getByRole('row').filter({ hasText: first })
  const tooltip = page.locator('[role=tooltip]')
  await row.getByRole('checkbox').focus()
  await page.keyboard.press('Tab')
  await expect(row.getByRole('button', { name: 'Copy license key' })).toBeFocused()
  await expect(tooltip).toHaveText('Copy license key')
  await page.keyboard.press('Enter')
  await expect(tooltip).toHaveText('Copied')
  await expect(tooltip).toHaveText('Copy license key')
  await page.keyboard.press('Escape')
  await expect(tooltip).toHaveCount(0)

  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(tooltip).toHaveText('Copy license key')
  await page.evaluate((key) => {
    for (const each of document.querySelectorAll('tbody tr')) if (each.textContent.includes(key)) each.remove()
  }, first)
  await expect(tooltip).toHaveCount(0)
})

test('a button shows its name while the pointer is at it or at the tooltip, and one at a time', async ({
  page,
  owner,
}) => {
  await newLicenses(owner, 2)
  await page.goto('/licenses')
  const buttons = page.getByRole('button', { name: 'Copy license key' })
  const tooltip = page.locator('[role=tooltip]')
  await buttons.first().hover()
  await expect(tooltip).toHaveText('Copy license key')
  await tooltip.hover()
  await page.waitForTimeout(300)
  await expect(tooltip).toHaveCount(1)
  await buttons.nth(1).hover()
  await expect(tooltip).toHaveCount(1)
  await page.getByRole('heading', { level: 1 }).hover()
  await expect(tooltip).toHaveCount(0)
})
