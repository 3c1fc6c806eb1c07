import type { Locator, Page } from '@playwright/test'
import { newAlert } from '#testing/busy-app.ts'
import { newFailedJob } from '#testing/failed-jobs.ts'
import { makeAdmin, newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { expect, expectToast, test } from './fixtures.ts'

/**
 * The ways that people go every week, with their number of clicks. That of a newcomer stands in `first-run.e2e.ts`, that
 * of a reseller on a phone in `reseller-sale.e2e.ts`, and what they took before in `docs/ux-checklist.md`.
 */

class Walk {
  clicks = 0

  async click(target: Locator): Promise<void> {
    this.clicks += 1
    await target.click()
  }
}

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const allRows = (page: Page) => page.getByRole('checkbox', { name: 'Select all rows on this page' })
const selectedRows = (page: Page) => page.getByRole('toolbar', { name: 'Actions for selected rows' })
const need = (page: Page, text: string) =>
  page
    .getByRole('region', { name: /needs? you/ })
    .getByRole('listitem')
    .filter({ hasText: text })

test('support: from the code in a customer’s message to a program that starts takes three clicks', async ({
  app,
  page,
  owner,
}) => {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).status).toBe(200)
  program.hwid = 'the-new-machine-of-the-customer'
  const { body } = await program.license(key)
  expect(body.code).toBe('HWID_MISMATCH')
  const walk = new Walk()
  await page.goto('/overview')
  await walk.click(page.getByRole('button', { name: /Search or jump to/ }))
  await expect(dialog(page).getByRole('combobox')).toBeFocused()
  await page.keyboard.type(String(body['requestId']))
  await expect(page.getByRole('option', { name: /^Why was/ })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  const answer = page.getByRole('region', { name: 'Answer' })
  await walk.click(answer.getByRole('button', { name: 'Reset HWID' }))
  await walk.click(dialog(page).getByRole('button', { name: 'Reset HWID' }))
  await expect(answer.getByRole('heading')).toHaveText('Fixed: this customer can start now')
  expect((await program.license(key)).status).toBe(200)
  expect(walk.clicks).toBe(3)
})

test('Monday: five alerts are reviewed and five expiring licenses extended in eight clicks', async ({
  app,
  page,
  owner,
}) => {
  await (await Program.of(app, owner)).init()
  for (let alert = 0; alert < 5; alert++) await newAlert(app, owner)
  // The licenses below are of one machine, which detection would find if the test takes a minute.
  for (const type of ['IP_MULTI_KEY', 'HWID_MULTI_KEY'] as const)
    await owner.visitor.call('POST /alerts/thresholds', { body: { type, enabled: false } })
  await newLicenses(owner, 3)
  const soon = await newLicenses(owner, 5, { expiryUnit: 'days', duration: 3 })
  const program = await Program.of(app, owner)
  await program.init()
  for (const key of soon) await program.license(key)
  const walk = new Walk()
  // What needs the owner is counted once a minute.
  await expect(async () => {
    await page.goto('/overview')
    await expect(need(page, '5 licenses')).toBeVisible({ timeout: 2000 })
  }).toPass()
  await walk.click(need(page, '5 new alerts').getByRole('link'))
  await walk.click(allRows(page))
  await walk.click(button(selectedRows(page), 'Review'))
  await expectToast(page, /reviewed/i)
  await walk.click(page.getByRole('link', { name: 'Overview', exact: true }))
  await walk.click(need(page, '5 licenses').getByRole('link'))
  await walk.click(allRows(page))
  await walk.click(button(selectedRows(page), 'Add time'))
  await dialog(page).getByRole('spinbutton', { name: 'Duration' }).fill('30')
  await walk.click(button(dialog(page), 'Add time'))
  await expectToast(page, /Time added to 5 licenses/)
  expect((await owner.visitor.call('GET /alerts', { query: { status: 'new' } })).body.total).toBe(0)
  expect((await owner.visitor.call('GET /licenses', { query: { status: 'expiring' } })).body.total).toBe(0)
  expect(walk.clicks).toBe(8)
})

test('an administrator sees a failed job on the dashboard and has it run again in three clicks', async ({
  app,
  page,
  owner,
}) => {
  await makeAdmin(app, owner)
  await app.db.write(({ db }) => db.deleteFrom('jobs').where('failed_at', 'is not', null).execute())
  await newFailedJob(app, { kind: 'webhook-clean-up' })
  const walk = new Walk()
  await page.goto('/admin/dashboard')
  await walk.click(need(page, '1 failed job').getByRole('link'))
  await walk.click(page.getByRole('button', { name: /^Actions for Webhook cleanup/ }))
  await walk.click(page.getByRole('menuitem', { name: 'Retry' }))
  await expectToast(page, 'The failed jobs run again')
  await expect(page.getByText('No failed jobs', { exact: true })).toBeVisible()
  expect(walk.clicks).toBe(3)
})
