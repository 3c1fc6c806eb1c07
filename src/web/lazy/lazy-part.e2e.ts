import { newLicenses } from '#testing/people/people.ts'
import { expect, test } from '../../../e2e/fixtures.ts'

test('Escape closes what is still loading: a panel, the palette, and a menu don’t appear later', async ({
  page,
  owner,
}) => {
  const [key = ''] = await newLicenses(owner, 1)
  const held: (() => Promise<void>)[] = []
  await page.route(/\/assets\/(record-panel|command-palette|menu-panel)-[^/]*\.js$/, (route) => {
    held.push(() => route.continue())
  })
  await page.goto('/licenses')
  const row = page.getByRole('row', { name: key })
  await row.getByRole('cell').nth(3).click()
  await expect(page).toHaveURL(/panel=/)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/panel=/)

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.press('Escape')
  const menu = row.getByRole('button', { name: /^Actions for / })
  await menu.focus()
  await page.keyboard.press('Enter')
  await expect(menu).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await expect(menu).toHaveAttribute('aria-expanded', 'false')
  await expect(menu).toBeFocused()

  await expect.poll(() => held.length).toBe(3)
  await Promise.all(held.map((release) => release()))
  await page.waitForLoadState('networkidle')
  for (const each of [page.locator('[data-side-panel]'), page.getByRole('dialog'), page.getByRole('menu')])
    await expect(each).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog')).toBeVisible()
})
