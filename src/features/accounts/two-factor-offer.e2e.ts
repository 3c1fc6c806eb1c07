import type { Page } from '@playwright/test'
import { expect, test } from '#e2e/fixtures.ts'
import { setPlatform } from '#testing/platform.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Two-Factor Authentication' })
const setup = (page: Page) => page.getByRole('dialog', { name: 'Turn on two-factor authentication' })

test('is marked Soon until an administrator allows it', async ({ app, page, owner }) => {
  await setPlatform(app, 'security', { enable2FA: false })
  await page.goto('/profile')
  await expect(card(page).getByText('Soon', { exact: true })).toBeVisible()
  await expect(card(page).getByRole('button', { name: 'Turn on' })).toBeDisabled()
  await page.goto('/profile?dialog=two-factor')
  await expect(setup(page).getByRole('alert')).toContainText('Two-factor authentication is not available here')
  await expect(setup(page)).toBeFocused()
  await expect(setup(page).getByRole('textbox')).toHaveCount(0)
  await expect(setup(page).getByRole('button', { name: 'Retry' })).toHaveCount(0)
  await setPlatform(app, 'security', { enable2FA: true })
  await page.goto('/profile')
  await expect(card(page).getByText('Off', { exact: true })).toBeVisible()
  await expect(card(page).getByRole('button', { name: 'Turn on' })).toBeEnabled()
  expect((await owner.visitor.call('GET /profile/two-factor')).body).toMatchObject({ available: true, enabled: false })
})
