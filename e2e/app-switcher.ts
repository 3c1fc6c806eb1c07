import { expect, type Page } from '@playwright/test'

export const appSwitcher = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })

/** Selects another app in the sidebar. */
export async function switchTo(page: Page, from: string, to: string): Promise<void> {
  await appSwitcher(page, from).click()
  await page
    .getByRole('dialog', { name: 'Apps' })
    .getByRole('button', { name: new RegExp(to) })
    .click()
  await expect(appSwitcher(page, to)).toBeVisible()
}
