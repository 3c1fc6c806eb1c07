import type { Page } from '@playwright/test'
import { expect, test as asOwner } from '#e2e/fixtures.ts'
import { ban, row, show } from '#e2e/followed-list.ts'
import { sellOne, test as asReseller } from '#e2e/reseller-screen.ts'
import { newFailedJob } from '#testing/failed-jobs.ts'
import { makeAdmin, newOwner } from '#testing/people/people.ts'

/** Lists of whose changes no stream tells are read again from time to time. */

const first = (page: Page) => page.locator('tr[data-row]').first()

/** Lets time pass until it is so; what was read on the way may be older than the change. */
const later = (page: Page, isSo: () => Promise<void>) =>
  expect(async () => {
    await page.clock.fastForward(16_000)
    await isSo()
  }).toPass({ intervals: [1000] })

const shortly = { timeout: 2000 }

asOwner('the audit follows what others do, and no entry moves', async ({ page, owner }) => {
  await page.clock.install()
  await page.goto('/audit')
  const before = (await first(page).getAttribute('data-row')) ?? ''
  await owner.visitor.call('POST /modify_app_var', { body: { variableName: 'color', variableData: 'green' } })
  await later(page, () => expect(show(page)).toHaveText('1 new·Show', shortly))
  await expect(first(page)).toHaveAttribute('data-row', before)
  await show(page).click()
  await expect(first(page)).not.toHaveAttribute('data-row', before)
  await expect(first(page)).toContainText('color')
})

asOwner('the owners and failed jobs of a platform follow what happens', async ({ app, page, owner }) => {
  await makeAdmin(app, owner)
  const [banned, ended] = [await newOwner(app), await newFailedJob(app, { error: 'The first' })]
  await page.clock.install()
  await page.goto('/admin/owners')
  await expect(row(page, banned.username)).toBeVisible()
  await owner.visitor.call('POST /admin/owners/{id}/ban', { params: { id: banned.id }, body: { banned: true } })
  await newOwner(app)
  await later(page, () => expect(show(page)).toHaveText('1 new·Show', shortly))
  await expect(row(page, banned.username)).toContainText('Banned')

  await page.goto('/admin/jobs')
  await expect(row(page, 'The first')).toBeVisible()
  await newFailedJob(app, { error: 'The second' })
  await later(page, () => expect(show(page)).toHaveText('1 new·Show', shortly))
  await owner.visitor.call('POST /admin/jobs/discard', { body: { jobIds: [ended] } })
  await later(page, () => expect(row(page, 'The first')).toHaveAttribute('aria-disabled', 'true', shortly))
})

asReseller('a reseller’s licenses follow what the owner does', async ({ page, owner, reseller }) => {
  const key = await sellOne(reseller)
  await page.clock.install()
  await page.goto('/reseller/licenses')
  await expect(row(page, key)).toBeVisible()
  await ban(owner, key)
  await later(page, () => expect(row(page, key)).toContainText('Banned', shortly))
})
