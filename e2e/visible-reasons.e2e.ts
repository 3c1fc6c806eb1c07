import type { Locator, Page } from '@playwright/test'
import { newLicenses } from '#testing/people/people.ts'
import { newReseller, newSellingReseller } from '#testing/people/resellers.ts'
import { Program } from '#testing/people/program.ts'
import { expect, expectNoAxeViolations, signIn, test } from './fixtures.ts'

/** Why a button can't act is readable on a phone, without a tooltip and without scrolling sideways. */

test.use({ viewport: { width: 390, height: 844 } })

async function expectReason(page: Page, button: Locator, reason: string): Promise<void> {
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(button).toHaveAccessibleDescription(reason)
  const text = page.getByRole('main').or(page.locator('[data-side-panel]')).getByText(reason, { exact: true }).first()
  await expect(text).toBeVisible()
  const box = await text.boundingBox()
  expect(box?.x).toBeGreaterThanOrEqual(0)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  const isCut = await text.evaluate((each) => each.scrollWidth > each.clientWidth && each.clientWidth > 0)
  expect(isCut, reason).toBe(false)
}

test('a button of an owner that can’t act says why in visible text', async ({ app, page, owner }) => {
  test.slow()
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await page.goto('/webhooks')
  await expectReason(page, button('Test All'), 'There are no webhooks to test')
  await expectNoAxeViolations(page)
  await page.goto('/licenses')
  await expectReason(page, button('Export'), 'There is nothing to export')
  await page.goto('/audit?q=nobody')
  await expectReason(page, button('Export'), 'There is nothing to export')
  await expectNoAxeViolations(page)
  const [key = ''] = await newLicenses(owner, 1, { expiryUnit: 'lifetime' })
  await page.goto(`/licenses?panel=license:${key}`)
  await expectReason(page, button('Extend'), 'It never ends, so there is nothing to extend')
  await expectNoAxeViolations(page)
  const { username } = await newReseller(app, owner)
  await page.goto(`/manage-resellers?panel=reseller:${username}`)
  await expectReason(page, button('Credits'), 'No app is assigned yet')

  await page.goto('/import?kind=licenses')
  const buffer = Buffer.from('License,Level,Expiry\nONE-1,1,30 days\nTWO-2,1,30 days')
  await page.locator('input[type=file]').setInputFiles({ name: 'keys.csv', mimeType: 'text/csv', buffer })
  await button('Check file').click()
  await button('Import').click()
  await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible()
  await page.goto('/import')
  await expectReason(page, button('Report of keys.csv'), 'All rows were created, so there is no report')
  await button('Undo the import of keys.csv').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expectReason(page, button('Undo the import of keys.csv'), 'This was already undone')
  await expectNoAxeViolations(page)
})

test('a button of a reseller that can’t act says why in visible text', async ({ app, page, owner, context }) => {
  const reseller = await newSellingReseller(app, {}, owner)
  const { licenses } = (await reseller.sell()).body as unknown as { licenses: string[] }
  const [key = ''] = licenses
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).body.success).toBe(true)
  await owner.visitor.call('POST /reset_user_hwid', { body: { username: key } })
  const noPlans = { credits: 100, allowedPlans: [], planCosts: {} }
  const params = { id: reseller.id, app: owner.appName }
  await owner.visitor.call('PUT /resellers/{id}/apps/{app}', { params, body: noPlans })
  await context.clearCookies()
  await signIn(context, app, reseller.visitor)
  await page.goto('/reseller/licenses')
  const reason = 'Your administrator has not allowed any plan for this app yet.'
  await expectReason(page, page.getByRole('button', { name: 'Generate License' }).first(), reason)
  await page.goto('/reseller/users')
  await page.getByRole('button', { name: `Details of ${key}` }).click()
  await expectReason(page, page.getByRole('button', { name: /^Reset HWID/ }), 'No machine is bound to this user')
})
