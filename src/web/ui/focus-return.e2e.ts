import type { Page } from '@playwright/test'
import { newLicenses } from '#testing/people/people.ts'
import { expect, test } from '../../../e2e/fixtures.ts'

const moreActions = (page: Page) => page.getByRole('button', { name: 'More actions' })

async function choose(page: Page, entry: string) {
  await moreActions(page).press('Enter')
  await page.getByRole('menuitem', { name: entry, exact: true }).press('Enter')
}

test('what was opened by keyboard gives the focus back, and the page chosen in a menu has it on its heading', async ({
  page,
  owner,
}) => {
  await newLicenses(owner, 1)
  await page.goto('/licenses')
  await test.step('a dialog from a menu, also when its code is loaded already', async () => {
    for (let times = 0; times < 2; times++) {
      await choose(page, 'Delete unused')
      await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(moreActions(page)).toBeFocused()
    }
  })
  await test.step('the palette, and a dialog that was opened in it', async () => {
    const link = page.getByRole('link', { name: 'Licenses', exact: true })
    await link.focus()
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(link).toBeFocused()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').fill('Create licenses')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Create licenses' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(link).toBeFocused()
  })
  await test.step('a page that was chosen in a menu', async () => {
    await choose(page, 'Show deleted')
    await expect(page.getByRole('heading', { level: 1, name: 'Deleted' })).toBeFocused()
    // The button of this menu is on the next page as well.
    // Once the code of a page is loaded, it is there before the menu gives the focus back.
    for (const name of ['Audit', 'Profile', 'Audit']) {
      await page.getByRole('button', { name: /account of/ }).press('Enter')
      await page.getByRole('menuitem', { name }).press('Enter')
      const heading = page.getByRole('heading', { level: 1, name })
      await expect(heading).toBeFocused()
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
      await expect(heading).toBeFocused()
    }
  })
})
