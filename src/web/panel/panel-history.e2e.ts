import type { Page } from '@playwright/test'
import { expect, expectToast, test } from '#e2e/fixtures.ts'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'

/** What the panel leaves in the history of the browser: nothing once it is closed. */

const panel = (page: Page) => page.locator('[data-side-panel]')
const title = (page: Page) => panel(page).getByRole('heading', { level: 2 }).first()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const row = (page: Page, name: string) => page.getByRole('row', { name })
const rows = (page: Page) => page.locator('tr[data-row]')
const open = (page: Page, name: string) => row(page, name).getByRole('cell').nth(3).click()

/** The page before, and the list whose rows open in the panel. */
async function goToLicenses(page: Page) {
  await page.goto('/variables')
  await page.getByRole('link', { name: 'Licenses', exact: true }).click()
  await expect(heading(page, 'Licenses')).toBeVisible()
}

async function expectBackToLeave(page: Page) {
  await expect(panel(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/licenses$/)
  await page.goBack()
  await expect(heading(page, 'Variables Management')).toBeVisible()
  await expect(panel(page)).toHaveCount(0)
}

test('after the panel is closed by its button, Escape, or a deletion, Back leads to the page before', async ({
  page,
  owner,
}) => {
  const [key = '', other = ''] = await newLicenses(owner, 2)
  await goToLicenses(page)
  for (const close of ['button', 'Escape']) {
    await open(page, key)
    await expect(title(page)).toContainText(key)
    if (close === 'button') await panel(page).getByRole('button', { name: 'Close' }).click()
    else await page.keyboard.press('Escape')
    await expect(panel(page)).toHaveCount(0)
  }
  await open(page, key)
  await panel(page).getByRole('tab', { name: 'History' }).click()
  await page.keyboard.press('k')
  await expect(title(page)).toContainText(other)
  await panel(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete license' }).click()
  await expectToast(page, 'License deleted successfully')
  await expectBackToLeave(page)
  await page.goForward()
  await expect(heading(page, 'Licenses')).toBeVisible()
})

test('Back walks back through what the panel showed, and closing leaves all of it', async ({ app, page, owner }) => {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).status).toBe(200)
  await goToLicenses(page)
  const walk = async () => {
    await panel(page).getByRole('link', { name: key }).click()
    await expect(title(page)).toContainText('User')
    await panel(page).locator('dd').nth(1).getByRole('link').click()
    await expect(title(page)).toContainText('Machine')
  }
  await open(page, key)
  await walk()
  await page.goBack()
  await expect(title(page)).toContainText('User')
  await panel(page).getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goBack()
  await expect(title(page)).toContainText('License')
  await walk()
  await page.reload()
  await expect(title(page)).toContainText('Machine')
  await page.keyboard.press('Escape')
  await expectBackToLeave(page)
})

test('what is opened at the moment in which a dialog of the panel closes is left with the panel', async ({
  page,
  owner,
}) => {
  const [key = '', other = ''] = await newLicenses(owner, 2)
  await goToLicenses(page)
  await open(page, key)
  await panel(page).getByRole('link', { name: 'Basic' }).click()
  await expect(title(page)).toContainText('Basic')
  await page.goBack()
  await panel(page).getByRole('button', { name: 'Edit', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Cancel' })
    .evaluate((cancel: HTMLElement) => {
      cancel.click()
      const links = [...cancel.ownerDocument.querySelectorAll<HTMLElement>('[data-side-panel] a')]
      links.find(({ textContent }) => textContent === 'Basic')?.click()
    })
  await expect(title(page)).toContainText('Basic')
  await open(page, other)
  await expect(title(page)).toContainText(other)
  await page.keyboard.press('Escape')
  await expectBackToLeave(page)
})

test('a panel that the page was opened with is closed in place', async ({ page, owner }) => {
  const [key = ''] = await newLicenses(owner, 1)
  await goToLicenses(page)
  await page.goto(`/a/${owner.appId}/licenses?panel=license:${key}`)
  await expect(title(page)).toContainText(key)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/licenses$/)
  await page.goBack()
  await expect(heading(page, 'Licenses')).toBeVisible()
  await expectBackToLeave(page)
})

test('closing keeps the page of the list that was turned to, and where it was scrolled to', async ({ page, owner }) => {
  await newLicenses(owner, 60)
  await page.goto('/licenses?limit=10')
  await expect(rows(page)).toHaveCount(10)
  await rows(page).first().getByRole('cell').nth(3).click()
  await expect(panel(page)).toContainText('Generated by')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('11–20')
  await panel(page).getByRole('button', { name: 'Close' }).click()
  await expect(panel(page)).toHaveCount(0)
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('11–20')

  await page.goto('/licenses?limit=50')
  await expect(rows(page)).toHaveCount(50)
  await rows(page).first().getByRole('cell').nth(3).click()
  await expect(panel(page)).toContainText('Generated by')
  await page.evaluate(() => window.scrollTo(0, 400))
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(400)
  await panel(page).getByRole('button', { name: 'Close' }).click()
  await expect(panel(page)).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => history.state as { panel?: object })).not.toHaveProperty('panel')
  await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))))
  expect(await page.evaluate(() => window.scrollY)).toBe(400)
})
