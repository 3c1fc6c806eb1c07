import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { newFailedJob } from '#testing/failed-jobs.ts'
import { makeAdmin, newOwner, setPlan } from '#testing/people/people.ts'
import { setAccountBanned } from '#testing/platform.ts'

/** Lists of the administration: what narrows them, and their order. */

const rows = (page: Page) => page.locator('tr[data-row]')

test.beforeEach(async ({ app, owner }) => {
  // Sign-ins of earlier tests come from the same address.
  app.advance(61)
  await makeAdmin(app, owner)
})

test('owners are filtered by several states and plans with their counts, and sorted', async ({ app, page, owner }) => {
  const prefix = `list_${owner.id}_`
  for (const [name, plan, isBanned] of [
    ['b', 'Developer', false],
    ['a', 'Pro', true],
    ['c', 'Free', false],
  ] as const) {
    const { id } = await newOwner(app, `${prefix}${name}`, { plan: 'Free' })
    await setPlan(app, id, plan)
    if (isBanned) await setAccountBanned(app, id, true)
  }
  const { stats } = (await owner.visitor.call('GET /admin/stats')).body
  await page.goto(`/admin/owners?q=${prefix}`)
  await expect(rows(page)).toHaveCount(3)
  const chips = page.getByRole('list', { name: 'Owner counts' })
  const chip = (name: string) => chips.getByRole('button', { name })
  for (const [name, count] of [
    ['All', stats.totals.owners],
    ['Active', stats.states.active],
    ['Banned', stats.states.banned],
    ['Admin', stats.states.admin],
  ] as const)
    await expect(chip(name)).toContainText(String(count))
  await chip('Banned').click()
  await expect(rows(page)).toHaveCount(1)
  await chip('Active').click()
  await expect(page).toHaveURL(/f\.status=active%2Cbanned/)
  await expect(rows(page)).toHaveCount(3)
  await expectNoAxeViolations(page)

  await page.getByRole('button', { name: 'Plan', exact: true }).first().click()
  await page.getByRole('menuitemcheckbox', { name: /^Pro/ }).click()
  await page.getByRole('menuitemcheckbox', { name: /^Developer/ }).click()
  const ofPlan = (name: string) => stats.plans.find((plan) => plan.name === name)?.count ?? 0
  await expect(page.getByRole('menuitemcheckbox', { name: /^Developer/ })).toContainText(String(ofPlan('Developer')))
  await page.keyboard.press('Escape')
  await expect(rows(page)).toHaveCount(2)

  await page.getByRole('button', { name: 'Owner', exact: true }).click()
  await expect(page).toHaveURL(/sort=owner/)
  await expect(rows(page).first()).toContainText(`${prefix}a`)
  await page.getByRole('button', { name: 'Owner', exact: true }).click()
  await expect(rows(page).first()).toContainText(`${prefix}b`)
  const sort = page.getByRole('columnheader', { name: 'Plan' }).getByRole('button')
  await sort.click()
  await expect(rows(page).first()).toContainText('Developer')
  await sort.click()
  await expect(rows(page).first()).toContainText('Pro')

  await chip('Active').click()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: `Actions for ${prefix}a` }).click()
  await page.getByRole('menuitem', { name: 'Unban' }).click()
  await expectToast(page, 'Owner unbanned successfully')
  await expect(chip('Banned')).toContainText(String(stats.states.banned - 1))
})

test('failed jobs are sorted by their columns', async ({ app, page }) => {
  await app.db.write(({ db }) => db.deleteFrom('jobs').where('failed_at', 'is not', null).execute())
  for (const error of ['Beta', 'alpha', 'Gamma']) {
    app.advance(1)
    await newFailedJob(app, { error })
  }
  await page.goto('/admin/jobs')
  await expect(rows(page).first()).toContainText('Gamma')
  await page.getByRole('button', { name: 'Last error', exact: true }).click()
  await expect(page).toHaveURL(/sort=error/)
  await expect(rows(page)).toContainText(['alpha', 'Beta', 'Gamma'])
  await page.getByRole('button', { name: 'Failed at', exact: true }).click()
  await expect(rows(page)).toContainText(['Beta', 'alpha', 'Gamma'])
})
