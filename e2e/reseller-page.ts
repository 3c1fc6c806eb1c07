import { expect, type Page } from '@playwright/test'

/** Opens the owner's page about a reseller. */
export async function openReseller(page: Page, username: string): Promise<void> {
  await page.goto(`/resellers/${username}`)
  await expect(page.getByRole('heading', { level: 1, name: username })).toBeVisible()
}
