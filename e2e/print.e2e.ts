import type { Page } from '@playwright/test'
import { newSubscriber } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { expect, test } from './fixtures.ts'

/** Paper, and colors that the reader's system chooses. */

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

test.describe('with forced colors', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce', forcedColors: 'active' } })

  /** Of what the element draws before its content. */
  const markOf = (page: Page, selector: string, property: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element, '::before').getPropertyValue(name), property)

  /** The line around it, or `none`. */
  const outlineOf = (page: Page, selector: string) => styleOf(page, selector, 'outline-style')

  test('a state that is otherwise a color has a line or a system color', async ({ page, owner }) => {
    await newLicenses(owner, 2)
    await page.goto('/licenses')
    await page.locator('tbody').getByRole('checkbox').first().check()
    expect(await outlineOf(page, 'tr[data-selected]')).toBe('solid')
    expect(await outlineOf(page, 'tbody tr:not([data-selected])')).toBe('none')
    expect(await outlineOf(page, 'aside a[aria-current=page]')).toBe('solid')
    expect(await outlineOf(page, 'button[aria-pressed=true]')).toBe('solid')
    expect(await outlineOf(page, 'button[aria-pressed=false]')).toBe('none')
    expect(await styleOf(page, 'td .badge', 'border-top-style')).toBe('solid')

    const [tick, box] = [
      await markOf(page, 'tbody input:checked', 'color'),
      await styleOf(page, 'tbody input:checked', 'background-color'),
    ]
    expect(tick).not.toBe(box)
    const field = await styleOf(page, 'tbody input:not(:checked)', 'background-color')
    expect(box).not.toBe(field)
    // Of the menu of a row, and of the copy of its key, though the pointer is at it.
    await page.locator('.two-sheets').first().hover()
    expect(await markOf(page, '.two-sheets', 'background-color')).not.toBe(field)
    expect(await markOf(page, 'td .dots', 'forced-color-adjust')).toBe('none')

    await page.getByRole('searchbox').focus()
    await page.keyboard.press('Tab')
    // Outlines of buttons are animated.
    await expect.poll(() => outlineOf(page, ':focus-visible')).toBe('solid')
    await expect.poll(() => styleOf(page, ':focus-visible', 'outline-width')).toBe('3px')
  })

  test('a switch that is on differs from one that is off', async ({ page, owner }) => {
    await page.goto('/dashboard')
    const on = page.getByRole('switch', { checked: true }).first()
    await expect(on, owner.appName).toBeVisible()
    const [isOn, isOff] = ['input[role=switch]:checked', 'input[role=switch]:not(:checked)']
    for (const part of ['', ' + span']) {
      const background = await styleOf(page, isOn + part, 'background-color')
      expect(background, part).not.toBe(await styleOf(page, isOff + part, 'background-color'))
    }
  })
})
