import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'

test('columns can be hidden and moved by keyboard, stay so, and can be reset', async ({ page, owner }) => {
  expect(owner.appName).toBe('Prism Studio')
  await page.goto('/subscriptions')
  const headers = page.getByRole('columnheader')
  await expect(headers).toContainText(['Name', 'Level', 'Users', 'Status'])

  await page.getByRole('button', { name: 'Columns' }).focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Columns' })
  const up = panel.getByRole('button', { name: 'Move Status up' })
  await up.focus()
  await page.keyboard.press('Enter')
  await expect(headers).toContainText(['Name', 'Level', 'Status', 'Users'])
  await expect(up).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(headers).toContainText(['Name', 'Status', 'Level', 'Users'])
  // It is the first one now: nothing more happens.
  await page.keyboard.press('Enter')
  await panel.getByRole('button', { name: 'Move Level down' }).press('Enter')
  await expect(headers).toContainText(['Name', 'Status', 'Users', 'Level'])
  await panel.getByRole('checkbox', { name: 'Users' }).press('Space')
  await expect(headers).toContainText(['Name', 'Status', 'Level'])
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()

  await page.reload()
  await expect(headers).toContainText(['Name', 'Status', 'Level'])
  await expect(page.getByRole('columnheader', { name: 'Users' })).toBeHidden()
  await page.getByRole('button', { name: 'Columns' }).click()
  await panel.getByRole('button', { name: 'Reset' }).click()
  await expect(headers).toContainText(['Name', 'Level', 'Users', 'Status'])
})

test('ignores a column order that was corrupted in the browser', async ({ page, owner }) => {
  expect(owner.appName).toBe('Prism Studio')
  await page.addInitScript(() => {
    localStorage.setItem('signet.order.subscriptions', '{"a":1}')
    localStorage.setItem('signet.columns.subscriptions', '"no"')
  })
  await page.goto('/subscriptions')
  await expect(page.getByRole('columnheader')).toContainText(['Name', 'Level', 'Users', 'Status'])
})
