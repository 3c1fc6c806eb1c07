import type { Page } from '@playwright/test'
import { setCountries } from '#testing/country-file.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { expect, test } from './fixtures.ts'

/** What is printed. */

const black = 'rgb(0, 0, 0)'
const white = 'rgb(255, 255, 255)'

const styleOf = (page: Page, selector: string, name: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name)

test('prints the table alone: whole keys, black on white, a header on each page, and the filter in words', async ({
  page,
  owner,
}) => {
  const mask = Array.from({ length: 10 }, () => '######').join('-')
  const [key = ''] = await newLicenses(owner, 1, { mask })
  await newLicenses(owner, 3)
  await page.goto(`/licenses?f.status=unused&q=${key.slice(0, 13)}`)
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.emulateMedia({ media: 'print' })
  for (const role of ['complementary', 'banner', 'navigation', 'searchbox', 'checkbox'] as const) {
    await expect(page.getByRole(role), role).toHaveCount(0)
  }
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  await expect(page.locator('td .machine')).toHaveText(key)
  expect(await styleOf(page, 'td .machine', 'font-size')).not.toBe('0px')
  expect(await styleOf(page, 'thead', 'display')).toBe('table-header-group')
  for (const selector of ['td', 'td .badge', 'h1']) expect(await styleOf(page, selector, 'color')).toBe(black)
  expect(await styleOf(page, 'html', 'background-color')).toBe(white)
  await expect(page.getByText('Rows 1–1 of 1.')).toBeVisible()
  await expect(page.getByText(`Search: “${key.slice(0, 13)}”.`)).toBeVisible()
  await expect(page.getByText('Status: Unused.')).toBeVisible()
})

test('prints a table from a phone too, as wide as the paper', async ({ page, owner }) => {
  await newSubscriber(owner)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/users')
  await expect(page.getByRole('list', { name: 'Users', exact: true })).toBeVisible()
  await page.setViewportSize({ width: 720, height: 1000 })
  await page.emulateMedia({ media: 'print' })
  const table = page.getByRole('table', { name: 'Users' })
  await expect(table).toBeVisible()
  const cut = await table.evaluate((element) => {
    const { right } = element.getBoundingClientRect()
    return [...element.querySelectorAll('td *')].filter(
      (each) => each.getBoundingClientRect().right > Math.min(right, window.innerWidth) + 1,
    ).length
  })
  expect(cut).toBe(0)
  await expect(page.getByRole('navigation')).toHaveCount(0)
})

test('prints IP addresses and devices unbroken, and charts without their buttons and hints', async ({
  app,
  page,
  owner,
}) => {
  setCountries(app, { '127.0.0.0/8': 'BR' })
  await (
    await signedIn(app, owner, await newSubscriber(owner, { username: 'a-username-as-long-as-many-are' }))
  ).heartbeat()
  await page.setViewportSize({ width: 1440, height: 1000 })
  await page.goto('/sessions')
  await expect(page.getByRole('row')).toHaveCount(2)
  const names = page.locator('td a.machine')
  await expect(names).toHaveCount(2)
  await page.emulateMedia({ media: 'print' })
  // The table of this window, with all its columns, is as narrow as a sheet.
  await page.locator('table').evaluate((table) => Object.assign(table.style, { width: '420px' }))
  const heights = await names.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height))
  expect(heights).toHaveLength(2)
  expect(Math.max(...heights)).toBeLessThan(24)

  await page.emulateMedia({ media: 'screen' })
  for (const [path, hint] of [
    ['/overview', 'Drag across a chart to zoom in.'],
    ['/logs', 'Click a bar, or drag across several, to zoom in.'],
  ] as const) {
    // Sign-ins are counted after up to a second, and an empty chart has no hint.
    await expect(async () => {
      await page.goto(path)
      await expect(page.getByText(hint)).toBeVisible({ timeout: 5000 })
    }).toPass()
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByText(hint)).toBeHidden()
    await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toBeVisible()
    await expect(page.locator('main button:not(th button)').filter({ visible: true })).toHaveCount(0)
    await page.emulateMedia({ media: 'screen' })
  }
})
