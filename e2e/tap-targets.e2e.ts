import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** Smallest target of a finger. */
const targetPx = 44

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

/** Whether a finger at half a target's size above and below the middle of a control meets it, or its label. */
const isMet = (control: Locator, size: number) =>
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

test('a checkbox, a switch, a choice, and a small button each have the size of a finger', async ({ page, owner }) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('textbox', { name: 'App name' })).toHaveValue(owner.appName)
  for (const control of await page.getByRole('switch').all()) expect(await isMet(control, targetPx)).toBe(true)
  const copies = page.getByRole('button', { name: /^Copy / })
  await expect(copies.first()).toBeVisible()
  for (const copy of await copies.all())
    expect(await isMet(copy, targetPx), (await copy.ariaSnapshot()).trim()).toBe(true)
  await page.goto('/variables?dialog=create')
  const box = page.getByRole('dialog').getByRole('checkbox')
  expect(await isMet(box, targetPx)).toBe(true)
  await page.getByRole('dialog').getByText('Only when signed in').tap()
  await expect(box).not.toBeChecked()
  await page.goto('/sellerapi?dialog=create')
  const label = page.getByRole('dialog').locator('label', { hasText: 'Full access' })
  expect((await label.boundingBox())?.height).toBeGreaterThanOrEqual(targetPx)
})
