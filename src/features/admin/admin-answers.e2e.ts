import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import { newFailedJob } from '#testing/failed-jobs.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { makeAdmin, newLicenses, newOwner, newOwnerWithApp, setPlan } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'

/** The administrators' dashboard answers: what needs you, how the platform grows, and where each number comes from. */

const dialog = (page: Page) => page.getByRole('dialog')
const needs = (page: Page) => page.getByRole('region', { name: /need you|needs you|Nothing needs you/ })
const choose = async (page: Page, name: RegExp, action: string) => {
  await page.getByRole('button', { name }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true })

test.beforeEach(async ({ app, owner }) => {
  // Sign-ins of earlier tests come from the same address.
  app.advance(61)
  await makeAdmin(app, owner)
  await app.db.write(({ db }) => db.deleteFrom('jobs').where('failed_at', 'is not', null).execute())
})

test('the dashboard names what needs the administrator, and leads there: failed jobs are retried and discarded', async ({
  app,
  page,
}) => {
  await newFailedJob(app, { kind: 'scan-download', error: 'First failure' })
  app.advance(60)
  await newFailedJob(app, { kind: 'webhook-clean-up', error: 'Latest failure' })
  await page.goto('/admin/dashboard')
  await expect(needs(page)).toContainText('2 failed jobs')
  await expect(needs(page)).toContainText('Webhook cleanup – Latest failure')
  await expectNoAxeViolations(page)
  await needs(page).getByRole('link', { name: 'Show failed jobs' }).click()
  await expect(page).toHaveURL(/\/admin\/jobs$/)
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })
  await expect(row('Virus scan')).toContainText('First failure')
  await expect(row('Webhook cleanup')).toContainText('20')

  await choose(page, /^Actions for Virus scan/, 'Discard')
  await expect(dialog(page)).toContainText('This work is never done.')
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('button', { name: 'Discard' }).click()
  await expectToast(page, 'The failed jobs were discarded')
  await expect(row('Virus scan')).toHaveCount(0)
  await choose(page, /^Actions for Webhook cleanup/, 'Retry')
  await expectToast(page, 'The failed jobs run again')
  await expect(page.getByText('No failed jobs', { exact: true })).toBeVisible()
  await page.goto('/admin/dashboard')
  await expect(needs(page)).not.toContainText('failed job')
})

test('each number about owners leads to a list of as many owners', async ({ app, page, owner }) => {
  const ending = await newOwner(app, `ends_${owner.id}`)
  await setPlan(app, ending.id, 'Developer', app.now() + 86_400)
  const near = await newOwnerWithApp(app, undefined, { plan: 'Free' })
  await newLicenses(near, 20)
  const { stats } = (await owner.visitor.call('GET /admin/stats')).body
  const counted = (await owner.visitor.call('GET /admin/needs')).body
  const developers = stats.plans.find(({ name }) => name === 'Developer')?.count ?? 0
  const total = (count: number) => page.getByText(new RegExp(`^1–${Math.min(10, count)} of ${count}$`))

  await page.goto('/admin/dashboard')
  await page.getByRole('link', { name: `Developer: ${developers}`, exact: true }).click()
  await expect(page).toHaveURL(/f\.plan=Developer/)
  await expect(page.getByRole('row').filter({ hasText: ending.id })).toBeVisible()
  await expect(total(developers)).toBeVisible()
  for (const [text, count, id] of [
    ['within 7 days', counted.plansEnding, ending.id],
    ['80% of a plan limit', counted.nearLimits, near.id],
  ] as const) {
    await page.goto('/admin/dashboard')
    await needs(page).getByRole('listitem').filter({ hasText: text }).getByRole('link').click()
    await expect(page.getByRole('row').filter({ hasText: id })).toBeVisible()
    await expect(total(count)).toBeVisible()
  }
  await page.goto('/admin/dashboard')
  await page.getByRole('radio', { name: '7 days' }).check()
  await expect(page).toHaveURL(/days=7/)
  const link = page.getByRole('link', { name: /new owners?$/ })
  const count = Number.parseInt(await link.innerText(), 10)
  expect(count).toBeGreaterThan(1)
  await link.click()
  await expect(page).toHaveURL(/f\.days=/)
  await expect(total(count)).toBeVisible()
})

test('the numbers of this month lead to the owners behind them', async ({ app, page, owner }) => {
  const selling = await newOwnerWithApp(app)
  const old = await newOwner(app, `old_${owner.id}`)
  const createdAt = app.now() - 40 * 86_400
  await app.db.write(({ db }) =>
    db.updateTable('accounts').set({ created_at: createdAt }).where('id', '=', old.id).execute(),
  )
  const { recent } = (await owner.visitor.call('GET /admin/stats')).body.stats
  await page.goto('/admin/dashboard')
  const totals = page.getByRole('list', { name: 'The platform in numbers' })
  await totals.getByRole('link', { name: `Total Owners: ${recent.owners} this month` }).click()
  await expect(page).toHaveURL(/\/admin\/owners\?f\.days=/)
  await expect(page.getByText(new RegExp(`^1–${Math.min(10, recent.owners)} of ${recent.owners}$`))).toBeVisible()
  await page.getByRole('searchbox').fill(old.id)
  await expect(page.getByText('No owners found.')).toBeVisible()
  await page.goto('/admin/dashboard')
  await totals.getByRole('link', { name: `Total Apps: ${recent.apps} this month` }).click()
  await expect(page).toHaveURL(/f\.growth=apps&f\.growthIn=/)
  await expect(page.getByRole('row').filter({ hasText: selling.id })).toBeVisible()
})

test('each number of growth leads to the owners behind it, and so does a range of its chart', async ({
  app,
  page,
  owner,
}) => {
  const idle = await newOwner(app, `idle_${owner.id}`)
  const selling = await newOwnerWithApp(app)
  await newLicenses(selling, 2)
  await signedIn(app, selling, await newSubscriber(selling))
  await activityLog(app.services).flush()
  const row = ({ id }: { id: string }) => page.getByRole('row').filter({ hasText: id })
  const chip = page.getByRole('button', { name: /^Growth New licenses/ })
  await page.goto('/admin/dashboard?days=7')
  await page.getByRole('link', { name: /new licenses?$/ }).click()
  await expect(page).toHaveURL(/\/admin\/owners\?f\.growth=licenses&f\.growthIn=/)
  await page.reload()
  await expect(chip).toBeVisible()
  await expect(page.getByRole('button', { name: /^Period \w/ })).toBeVisible()
  await expect(page.getByText(/^Owners, growth “New licenses”, period “.+”, newest first: \d+$/)).toBeVisible()
  await expect(row(selling)).toBeVisible()
  await expect(row(idle)).toHaveCount(0)
  await choose(page, /^Period \w/, 'Choose dates')
  await dialog(page).getByLabel('First day').fill('2020-01-01')
  await dialog(page).getByLabel('Last day').fill('2020-01-02')
  await dialog(page).getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('No owners found.')).toBeVisible()
  await expect(page).toHaveURL(/f\.growthIn=2020-01-01\.\.2020-01-02/)
  await chip.click()
  await page.getByRole('menuitemradio', { name: 'Any' }).click()
  await expect(row(idle)).toBeVisible()
  expect(page.url()).not.toContain('growth')

  for (const [name, filter] of [
    [/^\d+ new apps?$/, /f\.growth=apps/],
    [/^\d+ new users?$/, /f\.growth=users/],
    [/^\d+ sign-ins?$/, /f\.growth=signIns/],
  ] as const) {
    await page.goto('/admin/dashboard?days=7')
    await page.getByRole('link', { name }).click()
    await expect(page).toHaveURL(filter)
    await expect(row(selling)).toBeVisible()
    await expect(row(idle)).toHaveCount(0)
  }
  await page.goto('/admin/dashboard?days=7')
  await page.getByRole('slider', { name: 'New licenses' }).focus()
  for (const key of ['ArrowLeft', 'Shift+ArrowRight', 'Enter']) await page.keyboard.press(key)
  await expect(page).toHaveURL(/f\.growth=licenses&f\.growthIn=/)
  await expect(row(selling)).toBeVisible()
  await page.goto('/admin/dashboard?days=7')
  await page.getByRole('slider', { name: 'New owners' }).focus()
  for (const key of ['Home', 'Shift+ArrowRight', 'Enter']) await page.keyboard.press(key)
  await expect(page).toHaveURL(/\/admin\/owners\?f\.days=/)
  await expect(row(idle)).toHaveCount(0)
})

test('a ban, a plan change, and a saved setting are undone from their toast', async ({ app, page, owner }) => {
  const other = await newOwner(app, `undo_${owner.id}`, { plan: 'Free' })
  const end = app.now() + 12_345
  await setPlan(app, other.id, 'Developer', end)
  const planOf = () =>
    app.db.read
      .selectFrom('accounts')
      .select(['plan', 'plan_expires_at', 'banned'])
      .where('id', '=', other.id)
      .executeTakeFirst()
  await page.goto(`/admin/owners?q=${other.id}`)
  const row = page.getByRole('row').filter({ hasText: other.id })
  const actions = new RegExp(`^Actions for ${other.username}`)
  await choose(page, actions, 'Change plan')
  await dialog(page).getByLabel('Plan').selectOption('Pro')
  await dialog(page)
    .getByRole('button', { name: /^Update plan$/i })
    .click()
  await expect(row).toContainText('Pro')
  await undo(page).click()
  await expect(row).toContainText('Developer')
  expect(await planOf()).toMatchObject({ plan: 'Developer', plan_expires_at: end })

  await choose(page, actions, 'Ban')
  await dialog(page).getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(row).toContainText('Banned')
  await undo(page).click()
  await expect(row).not.toContainText('Banned')
  await expectToast(page, 'Owner unbanned successfully')
  expect(await planOf()).toMatchObject({ banned: 0 })

  await page.goto('/admin/settings')
  const section = page.getByRole('form', { name: 'Platform', exact: true })
  const message = section.getByLabel('Maintenance message')
  const before = await message.inputValue()
  await message.fill('Back at noon.')
  await section.getByRole('button', { name: 'Save platform settings' }).click()
  await expect(undo(page)).toBeVisible()
  await undo(page).click()
  await expect(message).toHaveValue(before)
  expect((await app.services.settings.current()).platform.maintenanceMessage).toBe(before)

  await setPlatform(app, 'platform', { maintenanceMode: true })
  await page.reload()
  await section.getByLabel('Maintenance mode').uncheck()
  await section.getByRole('button', { name: 'Save platform settings' }).click()
  await expectToast(page, 'Platform settings saved successfully')
  await expect(undo(page), 'it would turn maintenance mode on without the question').toHaveCount(0)
  await setPlatform(app, 'platform', {})
})
