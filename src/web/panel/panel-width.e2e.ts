import type { Page } from '@playwright/test'
import { expect, test } from '#e2e/fixtures.ts'
import { newLicenses } from '#testing/people/people.ts'

/** The panel when the window gets wider or narrower. */

const panel = (page: Page) => page.locator('[data-side-panel]')

test('what is typed in a dialog of the panel stays when a tablet is turned, and the panel then covers the page', async ({
  page,
  owner,
}) => {
  const [key = ''] = await newLicenses(owner, 1)
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto(`/licenses?panel=license:${key}`)
  await expect(panel(page)).toHaveRole('region')
  await expect(panel(page).getByRole('button', { name: 'Edit' })).toBeVisible()
  await page.keyboard.press('e')
  const notes = page.getByRole('dialog').getByRole('textbox', { name: 'Notes' })
  await notes.fill('Typed before')
  await page.setViewportSize({ width: 768, height: 1024 })
  await expect(page.locator('nav[aria-label="Main pages"]')).toBeVisible()
  await expect(notes).toHaveValue('Typed before')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(panel(page)).toHaveRole('dialog')
})
