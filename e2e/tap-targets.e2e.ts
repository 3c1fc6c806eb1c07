import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** Smallest height of a target. */
const targetPx = 44

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

/** Whether a tap half a target's height above or below the middle of a control reaches it or its label. */
const isReached = (control: Locator, size: number) =>
  control.evaluate(
    (element, reach) => {
      element.scrollIntoView({ block: 'center' })
      const { left, width, top, height } = element.getBoundingClientRect()
      return [-reach, reach].every((away) => {
        const met = document.elementFromPoint(left + width / 2, top + height / 2 + away)
        return met !== null && (element.contains(met) || met.closest('label')?.control === element)
      })
    },
    size / 2 - 1,
  )

/** Smaller, and iPhones zoom the page when a field gets the focus. */
const fieldFontPx = '16px'

async function expectNoZoom(page: Page): Promise<void> {
  const fields = await page.locator('input:not([type=checkbox], [type=radio], [type=file]), select, textarea').all()
  expect(fields.length).toBeGreaterThan(0)
  for (const field of fields)
    if (await field.isVisible()) await expect(field, await field.ariaSnapshot()).toHaveCSS('font-size', fieldFontPx)
}

test('a checkbox, a switch, a choice, and a small button each have a target of 44 px', async ({ page, owner }) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('textbox', { name: 'App name' })).toHaveValue(owner.appName)
  const switches = await page.getByRole('switch').all()
  expect(switches.length).toBeGreaterThan(0)
  for (const control of switches) expect(await isReached(control, targetPx)).toBe(true)
  await expectNoZoom(page)
  const copies = page.getByRole('button', { name: /^Copy / })
  await expect(copies.first()).toBeVisible()
  for (const copy of await copies.all())
    expect(await isReached(copy, targetPx), (await copy.ariaSnapshot()).trim()).toBe(true)
  await page.goto('/licenses?dialog=create')
  await expect(page.getByRole('spinbutton', { name: 'Amount' })).toBeVisible()
  await expectNoZoom(page)
  await page.goto('/variables?dialog=create')
  const box = page.getByRole('dialog').getByRole('checkbox')
  expect(await isReached(box, targetPx)).toBe(true)
  await page.getByRole('dialog').getByText('Only when signed in').tap()
  await expect(box).not.toBeChecked()
  await page.goto('/sellerapi?dialog=create')
  const label = page.getByRole('dialog').locator('label', { hasText: 'Full access' })
  expect((await label.boundingBox())?.height).toBeGreaterThanOrEqual(targetPx)
})
