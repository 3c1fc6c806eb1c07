import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, type SignedInOwner, signIn, test } from '#e2e/fixtures.ts'
import { ban, created, isFollowing, keys, row, show } from '#e2e/followed-list.ts'
import { newAlert } from '#testing/busy-app.ts'
import { newUser } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'

/** Lists that follow what others change: `owner.visitor` and programs act while the page is open. */

const range = (page: Page) => page.getByRole('navigation', { name: 'Pages' })
const remove = ({ visitor }: SignedInOwner, licenseKey: string) =>
  visitor.call('POST /delete_license', { body: { licenseKey } })

test.afterEach(async ({ page, app }) => {
  await page.close()
  await isFollowing(app, 0)
})

test('rows change in place, deleted ones stay dimmed, and new ones wait until they are shown', async ({
  app,
  page,
  owner,
}) => {
  const before = await created(owner, 25)
  await page.goto('/licenses')
  await expect(range(page)).toContainText('1–10 of 25')
  await isFollowing(app)
  const shown = before.slice(0, 10)
  const [first = '', second = '', third = ''] = shown
  await row(page, second).getByRole('checkbox').check()
  await row(page, first).hover()

  await ban(owner, third)
  await expect(row(page, third)).toContainText('Banned')
  await remove(owner, second)
  await expect(row(page, second)).toHaveAttribute('aria-disabled', 'true')
  await expect(row(page, second).getByText('Deleted')).toBeAttached()
  await expect(range(page)).toContainText('1–10 of 24')
  await expect(show(page)).toBeHidden()

  const top = (await row(page, first).boundingBox())?.y
  await newLicenses(owner, 3)
  await expect(show(page)).toHaveText('3 new·Show')
  await ban(owner, shown[9] ?? '')
  await expect(row(page, shown[9] ?? '')).toContainText('Banned')
  expect(await keys(page)).toEqual(shown)
  expect((await row(page, first).boundingBox())?.y).toBe(top)
  await expect(row(page, second).getByRole('checkbox')).toBeChecked()
  await expect(range(page)).toContainText('1–10 of 27')
  await expect(page.getByRole('status').filter({ hasText: '3 new' })).toBeAttached()
  await expectNoAxeViolations(page)

  await show(page).press('Enter')
  await expect(show(page)).toBeHidden()
  await expect(row(page, second)).toBeHidden()
  expect((await keys(page)).slice(3)).toEqual([first, third, ...shown.slice(3, 8)])
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('new rows are shown although the period of the list began to move on', async ({ app, page, owner }) => {
  await created(owner, 3)
  await page.clock.setFixedTime(app.now() * 1000)
  await page.goto('/licenses?f.created=1')
  await isFollowing(app)
  await newLicenses(owner, 2)
  await expect(show(page)).toHaveText('2 new·Show')
  await page.clock.setFixedTime((app.now() + 90) * 1000)
  await show(page).click()
  await expect(show(page)).toBeHidden()
  expect(await keys(page)).toHaveLength(5)
})

test('rows of which the server doesn’t say what has changed say from when they are, until it does', async ({
  app,
  page,
  owner,
}) => {
  const [key = ''] = await created(owner, 3)
  await page.goto('/licenses')
  await expect(row(page, key)).toContainText('Unused')
  await isFollowing(app)
  const broken = { success: false, code: 'INTERNAL_ERROR', message: '' }
  const isList = (url: URL) => url.pathname.endsWith('/licenses')
  await page.route(isList, (route) => {
    if (route.request().resourceType() === 'document') return route.fallback()
    return route.fulfill({ status: 500, json: broken })
  })
  await ban(owner, key)
  const notice = page.getByRole('alert').filter({ hasText: /What you see is from \w+ \d+, \d+, \d+:\d+ [AP]M\./ })
  await expect(notice).toContainText('Failed to load licenses')
  await notice.getByRole('button', { name: 'Retry' }).click()
  await expect(notice.getByRole('button', { name: 'Retry' })).toBeEnabled()
  await expect(notice).toBeVisible()
  await page.unroute(isList)
  await notice.getByRole('button', { name: 'Retry' }).click()
  await expect(row(page, key)).toContainText('Banned')
  await expect(notice).toHaveCount(0)
})

test('more new rows than a page are counted, and a filtered list keeps rows that no longer match', async ({
  app,
  page,
  owner,
}) => {
  const before = await created(owner, 12)
  await page.goto('/licenses')
  await expect(range(page)).toContainText('1–10 of 12')
  await isFollowing(app)
  await newLicenses(owner, 35)
  await expect(show(page)).toHaveText('35 new·Show')
  await ban(owner, before[4] ?? '')
  await expect(row(page, before[4] ?? '')).toContainText('Banned')
  expect(await keys(page)).toEqual(before.slice(0, 10))

  await page.goto('/licenses?f.status=banned')
  await isFollowing(app)
  await expect(range(page)).toContainText('1–1 of 1')
  await ban(owner, before[4] ?? '')
  await expect(row(page, before[4] ?? '')).toContainText('Unused')
  await remove(owner, before[4] ?? '')
  await expect(row(page, before[4] ?? '')).toHaveAttribute('aria-disabled', 'true')
})

test('a customer who signs in for the first time appears in users, sessions, and the counts', async ({
  app,
  page,
  owner,
}) => {
  test.slow()
  const [key = ''] = await newLicenses(owner, 1)
  await newUser(owner, 'zoe')
  await page.goto('/users')
  await expect(row(page, 'zoe')).toBeVisible()
  await isFollowing(app)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).body.success).toBe(true)
  await expect(show(page)).toHaveText('1 new·Show')
  await expect(row(page, key)).toBeHidden()
  await expect(page.getByRole('link', { name: /^Sessions/ })).toContainText('1', { timeout: 30_000 })
  await show(page).click()
  await expect(row(page, key)).toBeVisible()

  await page.getByRole('link', { name: /^Sessions/ }).click()
  await expect(page.getByRole('table', { name: 'Sessions' }).getByText(key)).toBeVisible()
  await ban(owner, key)
  await expect(row(page, key)).toHaveAttribute('aria-disabled', 'true')
})

test('a later sign-in changes the last login in an open list, and the switcher counts sessions of other apps', async ({
  app,
  page,
  owner,
}) => {
  test.slow()
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).body.success).toBe(true)
  const threeDaysAgo = Math.floor(app.now()) - 3 * 86_400
  await app.db.write(({ db }) =>
    db.updateTable('users').set({ last_login_at: threeDaysAgo }).where('app_id', '=', owner.appId).execute(),
  )
  await page.goto('/users')
  await expect(row(page, key)).toContainText('3 days ago')
  await isFollowing(app)
  await program.init()
  expect((await program.license(key)).body.success).toBe(true)
  await expect(row(page, key)).not.toContainText('3 days ago')

  const { body } = await owner.visitor.call('POST /create_app', { body: { appName: 'Prism Mobile', version: '1.0.0' } })
  const mobile = await Program.of(app, { ...owner, appId: body.appId, appName: 'Prism Mobile' })
  await page.reload()
  await page.getByRole('button', { name: /Prism Studio/ }).click()
  const switcher = page.getByRole('dialog', { name: 'Apps' })
  await expect(switcher.getByRole('button', { name: /Prism Mobile/ })).toContainText('0 active sessions')
  await mobile.init()
  await page.keyboard.press('Escape')
  await expect(switcher).toBeHidden()
  await page.getByRole('button', { name: /Prism Studio/ }).click()
  await expect(switcher.getByRole('button', { name: /Prism Mobile/ })).toContainText('1 active session')
})

test('an alert that a colleague reviews changes in place, and the badge follows', async ({ app, page, owner }) => {
  const [id = ''] = [await newAlert(app, owner), await newAlert(app, owner)]
  await page.goto('/alerts')
  await isFollowing(app)
  const badge = page.getByRole('link', { name: /^Alerts/ })
  await expect(badge).toContainText('2')
  await owner.visitor.call('POST /alerts/{id}/review', { params: { id }, body: {} })
  await expect(page.locator(`tr[data-row="${id}"]`)).toContainText('Reviewed')
  await expect(badge).toContainText('1')
})

test('a dialog, its text, and the panel stay, and the panel shows the change', async ({ app, page, owner }) => {
  const [first = '', second = ''] = await created(owner, 2)
  await page.goto('/licenses')
  await isFollowing(app)
  await row(page, first).getByRole('cell').nth(3).click()
  const panel = page.locator('[data-side-panel]')
  await expect(panel).toContainText('Unused')
  await ban(owner, first)
  await expect(panel).toContainText('Banned')
  await panel.getByRole('button', { name: 'Close' }).click()

  await row(page, second)
    .getByRole('button', { name: /^Actions for / })
    .click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const notes = page.getByRole('dialog').getByRole('textbox', { name: 'Notes' })
  await notes.fill('typed meanwhile')
  await newLicenses(owner, 2)
  await remove(owner, first)
  await expect(page.locator(`tr[data-row="${first}"]`)).toHaveAttribute('aria-disabled', 'true')
  await expect(notes).toHaveValue('typed meanwhile')
  await expect(notes).toBeFocused()
})

test('without the stream the list follows every 30 seconds, and at once when the stream is back', async ({
  app,
  page,
  owner,
  context,
}) => {
  const [first = '', second = ''] = await created(owner, 2)
  let isBlocked = true
  await context.route('**/website/live?**', (route) => (isBlocked ? route.abort() : route.continue()))
  await page.clock.install()
  await page.goto('/licenses')
  await expect(row(page, first)).toContainText('Unused')
  await ban(owner, first)
  await page.clock.fastForward(31_000)
  await expect(row(page, first)).toContainText('Banned')
  await ban(owner, second)
  isBlocked = false
  await page.clock.fastForward(61_000)
  await isFollowing(app)
  await expect(row(page, second)).toContainText('Banned')
  await ban(owner, second)
  await expect(row(page, second)).toContainText('Unused')
})

test('after the connection was cut, the list shows what changed meanwhile', async ({
  app,
  page,
  owner,
  context,
  connection,
}) => {
  const [first = ''] = await created(owner, 2)
  await signIn(context, app, owner.visitor, connection.url)
  await page.goto(`${connection.url}/licenses`)
  await expect(row(page, first)).toContainText('Unused')
  await isFollowing(app)
  await connection.reject()
  await isFollowing(app, 0)
  await ban(owner, first)
  await newLicenses(owner, 1)
  await connection.restore()
  await expect(row(page, first)).toContainText('Banned')
  await expect(show(page)).toHaveText('1 new·Show')
})

test('after a lost connection that the page has noticed, no row moves, and new ones are announced', async ({
  app,
  page,
  owner,
  context,
  connection,
}) => {
  const before = await created(owner, 3)
  const [first = ''] = before
  await signIn(context, app, owner.visitor, connection.url)
  await page.goto(`${connection.url}/licenses`)
  await expect(row(page, first)).toContainText('Unused')
  await isFollowing(app)
  await connection.reject()
  await page.evaluate(() => window.dispatchEvent(new Event('offline')))
  await expect(page.getByText(/^Connection lost/)).toBeVisible()
  await isFollowing(app, 0)
  await ban(owner, first)
  await newLicenses(owner, 2)
  await connection.restore()
  await expect(page.getByText('Connected again.')).toBeVisible()
  await expect(show(page)).toHaveText('2 new·Show')
  await expect(row(page, first)).toContainText('Banned')
  expect(await keys(page)).toEqual(before)
  await show(page).click()
  await expect(page.locator('tbody tr')).toHaveCount(5)
})
