import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, type SignedInOwner, signIn, test } from '#e2e/fixtures.ts'
import { eventStreams } from '#server/http/event-stream.ts'
import { newAlert } from '#testing/busy-app.ts'
import { newUser } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import type { TestApp } from '#testing/start-test-app.ts'

/** Lists that follow what others change: `owner.visitor` and programs act while the page is open. */

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const keys = (page: Page) => page.locator('tbody tr').evaluateAll((rows) => rows.map((each) => each.dataset['row']))
const show = (page: Page) => page.getByRole('button', { name: /new Show$/ })
const range = (page: Page) => page.getByRole('navigation', { name: 'Pages' })
const isFollowing = (app: TestApp, count = 1) => expect.poll(() => eventStreams(app.services).size).toBe(count)
/** Also after another app was selected. */
const ban = ({ visitor, appId }: SignedInOwner, licenseKey: string) =>
  visitor.call('POST /toggle_ban_license', { body: { licenseKey, appId } })
const remove = ({ visitor }: SignedInOwner, licenseKey: string) =>
  visitor.call('POST /delete_license', { body: { licenseKey } })
/** Newest first, as the list has them. */
const created = async (owner: SignedInOwner, amount: number) => {
  await newLicenses(owner, amount)
  const { body } = await owner.visitor.call('GET /licenses', { query: { page: 1, limit: 100 } })
  return body.licenses.map(({ license }) => license)
}

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

test('tabs of an account share one stream, and another one takes over and resumes', async ({
  app,
  page,
  owner,
  context,
}) => {
  test.slow()
  const [first = '', second = '', third = ''] = await created(owner, 3)
  const requests: string[] = []
  let isBlocked = false
  await context.route('**/website/live?**', (route) => {
    requests.push(route.request().url())
    return isBlocked ? route.abort() : route.continue()
  })
  await page.goto('/licenses')
  await isFollowing(app)
  const other = await context.newPage()
  await other.goto('/licenses')
  await expect(row(other, first)).toContainText('Unused')
  await ban(owner, first)
  for (const tab of [page, other]) await expect(row(tab, first)).toContainText('Banned')
  expect(requests).toHaveLength(1)
  await isFollowing(app)

  isBlocked = true
  await page.close()
  await expect.poll(() => requests.length).toBe(2)
  expect(requests[1]).toContain('lastEventId=')
  await ban(owner, second)
  isBlocked = false
  await expect(row(other, second)).toContainText('Banned')
  await isFollowing(app)

  // Another app has a stream of its own.
  const { body } = await owner.visitor.call('POST /create_app', { body: { appName: 'Prism Mobile', version: '1.0.0' } })
  const mobile = await context.newPage()
  await mobile.goto(`/a/${body.appId}/licenses`)
  await isFollowing(app, 2)
  await mobile.close()
  await ban(owner, third)
  await expect(row(other, third)).toContainText('Banned')
  await other.getByRole('button', { name: /account of/ }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await isFollowing(app, 0)
})

test('a tab whose leader says nothing reads again every 30 seconds, and without locks each tab has its stream', async ({
  app,
  page,
  owner,
  context,
}) => {
  const [first = ''] = await created(owner, 1)
  await page.addInitScript(() => {
    BroadcastChannel.prototype.postMessage = () => {}
  })
  await page.goto('/licenses')
  await isFollowing(app)
  const other = await context.newPage()
  await other.clock.install()
  await other.goto('/licenses')
  await expect(row(other, first)).toContainText('Unused')
  await ban(owner, first)
  await expect(row(page, first)).toContainText('Banned')
  await expect(row(other, first)).toContainText('Unused')
  await other.clock.fastForward(60_000)
  await expect(row(other, first)).toContainText('Banned')
  await isFollowing(app)
  await other.close()

  const alone = await context.newPage()
  await alone.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
  await alone.goto('/licenses')
  await isFollowing(app, 2)
  await ban(owner, first)
  await expect(row(alone, first)).toContainText('Unused')
  await alone.close()
})

test('a connection that went silent, as while the computer slept, is replaced and resumed', async ({
  app,
  page,
  owner,
}) => {
  const [first = ''] = await created(owner, 1)
  await page.addInitScript(() => {
    const add = EventSource.prototype.addEventListener
    const silenced = new WeakSet<EventSource>()
    const opened: EventSource[] = []
    EventSource.prototype.addEventListener = function (this: EventSource, type: string, listener: never) {
      opened.push(this)
      const heard = (event: Event) => void (silenced.has(this) || (listener as (event: Event) => void)(event))
      add.call(this, type, heard)
    }
    Object.assign(globalThis, { silence: () => opened.forEach((source) => silenced.add(source)) })
  })
  await page.clock.install()
  const isOpen = page.waitForResponse(/\/website\/live\?/)
  await page.goto('/licenses')
  await isOpen
  await isFollowing(app)
  await expect(row(page, first)).toContainText('Unused')
  await page.evaluate(() => (globalThis as unknown as { silence: () => void }).silence())
  await ban(owner, first)
  const resumed = page.waitForRequest(/lastEventId=/)
  // As when the lid was closed: each timer runs once.
  await page.clock.fastForward(60_000)
  await page.clock.fastForward(5000)
  await resumed
  await expect(row(page, first)).toContainText('Banned')
})

test('a hidden tab follows nothing, and catches up when it is shown', async ({ app, page, owner }) => {
  const [first = ''] = await created(owner, 1)
  await page.goto('/licenses')
  await isFollowing(app)
  const setVisibility = (state: string) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await setVisibility('hidden')
  await isFollowing(app, 0)
  await ban(owner, first)
  await setVisibility('visible')
  await expect(row(page, first)).toContainText('Banned')
  await isFollowing(app)
  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await isFollowing(app, 0)
})
