import { newLicenses } from '#testing/people/people.ts'
import { expect, test } from '../../../e2e/fixtures.ts'

test('the button of a menu keeps the focus while the menu loads, when that fails, and after Escape', async ({
  page,
  owner,
}) => {
  await newLicenses(owner, 1)
  let fails = true
  await page.route('**/assets/menu-panel*.js', (route) => (fails ? route.abort() : route.continue()))
  await page.goto('/licenses')
  const button = page.getByRole('button', { name: /^Actions for / })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('This could not be loaded')).toBeVisible()
  await expect(button).toBeFocused()
  await expect(button).toHaveAttribute('aria-expanded', 'false')

  fails = false
  await page.reload()
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
})
