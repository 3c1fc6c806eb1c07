import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, test } from './fixtures.ts'

/** The documentation that a server offers at `/docs`. */

/** Bytes of all replies of a page, as they were sent. */
function countBytes(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) =>
    sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize)),
  )
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

test('a newcomer goes from the first page to a quick start and back, by keyboard', async ({ page }) => {
  const bytes = countBytes(page)
  await page.goto('/docs/', { waitUntil: 'networkidle' })
  expect(await bytes()).toBeLessThan(150_000)
  const link = page.getByRole('main').getByRole('link', { name: 'Python' })
  await link.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/docs/start/quick-start-python/')
  await expect(page.getByRole('heading', { level: 1, name: 'Quick start for Python' })).toBeVisible()
  await page.getByRole('link', { name: 'Next Quick start for TypeScript' }).click()
  await expect(page).toHaveURL('/docs/start/quick-start-typescript/')
})

test('the search finds an error by its code, and leads to its cause', async ({ page }) => {
  await page.goto('/docs/')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('HWID_MISMATCH')
  await page.getByRole('dialog').getByRole('link', { name: 'HWID_MISMATCH' }).first().click()
  await expect(page).toHaveURL(/\/docs\/reference\/errors\/hwid-mismatch\//)
  await expect(page.getByRole('heading', { level: 1, name: 'HWID_MISMATCH' })).toBeVisible()
})

test('code is copied with one click', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/docs/start/quick-start-python/')
  await page.getByRole('button', { name: /copy/i }).first().click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm ci && npm start')
})

test('each kind of page is accessible at each width, and none scrolls sideways', async ({ page }) => {
  const kinds = ['', 'start/quick-start-cpp/', 'reference/limits/', 'seller-api/', 'clients/python/']
  for (const [at, address] of kinds.entries()) {
    await page.setViewportSize({ width: [1440, 768, 390][at % 3] ?? 1440, height: 900 })
    await page.goto(`/docs/${address}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await test.step(address, () => expectNoAxeViolations(page))
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), address).toBeLessThanOrEqual(0)
  }
})

test('a phone has the menu behind a button', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/docs/')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Back up and restore' })
    .first()
    .click()
  await expect(page).toHaveURL('/docs/operate/backup-and-restore/')
})

test('a page that does not exist says so and keeps the menu', async ({ page }) => {
  const reply = await page.goto('/docs/no-such-page/')
  expect(reply?.status()).toBe(404)
  await expect(page.getByText('404')).toBeVisible()
})
