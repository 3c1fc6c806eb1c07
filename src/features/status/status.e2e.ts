import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'
import { startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { makeAdmin } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import type { TestApp } from '#testing/start-test-app.ts'
import { mailProbe } from './mail-probe.ts'

/** The status page. */

const systems = (page: Page) => page.getByRole('list', { name: 'Systems' })
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const history = (page: Page, name: string) => page.getByRole('slider', { name: `${name} per day` })

async function setSettings(app: TestApp, settings: Record<'platform' | 'security', object>): Promise<void> {
  await app.db.write(async (tx) => {
    for (const [name, value] of Object.entries(settings)) {
      await tx.db.deleteFrom('platform_settings').where('name', '=', name).execute()
      await tx.db
        .insertInto('platform_settings')
        .values({ name, value: JSON.stringify(value) })
        .execute()
      tx.publish(`settings:${name}`)
    }
  })
  await app.services.settings.current()
}

/** Resets the settings, because the other tests share this server. */
const withoutSettings = (app: TestApp) => setSettings(app, { platform: {}, security: {} })

/** Sets the minutes of the day `ago` days before today. */
async function setDay(app: TestApp, ago: number, minutes: { ok?: number; degraded?: number; down?: number }) {
  const day = Math.floor(app.now() / 86_400) - ago
  await app.db.write(async ({ db }) => {
    await db.deleteFrom('status_days').where('day', '=', day).where('part', '=', 'database').execute()
    const counts = { ok: 0, degraded: 0, down: 0, ...minutes }
    await db
      .insertInto('status_days')
      .values({ day, part: 'database', ...counts })
      .execute()
  })
}

test('an unusable mail server is reported before any mail fails', async ({ app, page, owner }) => {
  const server = await startMailServer()
  await turnMailOn(app, server)
  await server.close()
  try {
    app.advance(60)
    await mailProbe(app.services).tick()
    await page.goto('/status')
    await expect(card(page, 'Mail'), owner.username).toContainText('Degraded')
    await expect(card(page, 'Mail')).toContainText("The mail server can't be used")
  } finally {
    await setPlatform(app, 'email', { enabled: false })
    await app.services.settings.current()
  }
})

test("shows each system with its state and 90 days; days without measurements aren't green", async ({
  app,
  page,
  owner,
}) => {
  await setDay(app, 1, { ok: 1140, down: 300 })
  await setDay(app, 2, { ok: 1440 })
  await setDay(app, 3, { ok: 1400, degraded: 40 })
  await page.goto('/status')
  await expect(page.getByRole('heading', { level: 1, name: 'System status' }), owner.username).toBeVisible()
  await expect(page.getByText('Updates every 30 seconds. All times are UTC.')).toBeVisible()
  await expect(systems(page).getByRole('listitem')).toHaveCount(9)
  await expect(card(page, 'Database')).toContainText('Reads and writes')
  await expect(card(page, 'Mail')).toContainText('Off')
  await expect(card(page, 'Backups')).toContainText('No backup yet. Make one on the server: npm run backup')
  await expect(card(page, 'Backups')).toContainText('None yet')
  await expect(page.getByText('All systems operational')).toBeHidden()
  await expect(card(page, 'Backups')).toContainText('Not measured yet')
  await expectNoAxeViolations(page)

  const bars = history(page, 'Database')
  await bars.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(bars).toHaveAttribute('aria-valuetext', /: 300 min down$/)
  await page.keyboard.press('ArrowLeft')
  await expect(bars).toHaveAttribute('aria-valuetext', /: Operational$/)
  await page.keyboard.press('ArrowLeft')
  await expect(bars).toHaveAttribute('aria-valuetext', /: 40 min degraded$/)
  await page.keyboard.press('Home')
  await expect(bars).toHaveAttribute('aria-valuetext', /: Not measured$/)
  await expect(card(page, 'Database').getByRole('img')).toHaveAttribute(
    'aria-label',
    /9[23](\.\d+)?% up since \w+ \d+, 00:00, problems on 2 days$/,
  )
  // What was degraded was up, but not as it should be.
  await expect(card(page, 'Database')).toContainText(/9[23](\.\d+)?% up since \w+ \d+, 00:00, degraded on 1 day/)

  await card(page, 'Database').getByRole('button', { name: 'Actions for Database' }).click()
  await page.getByRole('menuitem', { name: 'View as table' }).click()
  const rows = card(page, 'Database').getByRole('row')
  await expect(rows).toHaveCount(91)
  await expect(rows.nth(2)).toContainText('1,140')
  await expectNoAxeViolations(page)
})

test("when the server can't be reached, everything is unknown, with the time since; the page recovers automatically", async ({
  page,
  owner,
  server,
}) => {
  await page.clock.install()
  await page.goto('/status')
  await expect(card(page, 'Database'), owner.username).toContainText('Operational')
  await server.stop()
  await page.clock.runFor(40_000)
  await expect(page.getByText(/^Unknown since \w+ \d+, \d\d:\d\d UTC$/)).toBeVisible()
  await expect(card(page, 'Database')).toContainText('Unknown')
  await expect(systems(page)).not.toContainText('Operational')
  await expectNoAxeViolations(page)
  await server.start()
  await page.clock.runFor(40_000)
  await expect(card(page, 'Database')).toContainText('Operational')
  await expect(page.getByText(/^Unknown since/)).toBeHidden()
})

test('a silent server is unknown too, and is asked again', async ({ page, owner, connection }) => {
  await page.clock.install()
  await page.goto(`${connection.url}/status`)
  await expect(card(page, 'Database'), owner.username).toContainText('Operational')
  connection.stall()
  // Each of its timers runs once per step, which is enough for a request and its end.
  for (let step = 0; step < 5; step += 1) await page.clock.fastForward(20_000)
  await expect(page.getByText(/^Unknown since/)).toBeVisible()
  await connection.restore()
  for (let step = 0; step < 3; step += 1) await page.clock.fastForward(20_000)
  await expect(card(page, 'Database')).toContainText('Operational')
})

test('is reached from the account menu, and leads back', async ({ page, owner }) => {
  await page.goto('/licenses')
  await page.getByRole('button', { name: new RegExp(`account of ${owner.username}`) }).click()
  await page.getByRole('menuitem', { name: 'System status' }).click()
  await expect(page).toHaveURL(/\/status$/)
  await page.getByRole('link', { name: 'Back to the dashboard' }).click()
  await expect(page).toHaveURL(/\/overview$/)
})

test.describe('with an external status page', () => {
  let other: Server
  let address: string
  /** Lets the delayed page load. */
  let release: () => void
  let released: Promise<void>

  test.beforeEach(async ({ app }) => {
    released = new Promise((resolve) => (release = resolve))
    other = createServer((_request, response) => {
      void released.then(() => {
        response.writeHead(200, { 'content-type': 'text/html' })
        // Tries to navigate the top-level page.
        response.end(
          '<!doctype html><h1>Everything is fine</h1><script>try { top.location = "https://evil.example/" } catch {}</script>',
        )
      })
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(other.address() as AddressInfo).port}/board`
    await setSettings(app, { platform: { statusPageUrl: address }, security: { enforceHTTPS: false } })
  })
  test.afterEach(async ({ app }) => {
    release()
    other.closeAllConnections()
    other.close()
    await withoutSettings(app)
  })

  test("is shown in a sandboxed frame, under an overlay until it has loaded, and can't navigate the page away", async ({
    page,
    owner,
  }) => {
    await page.goto('/status', { waitUntil: 'commit' })
    await expect(page.getByText('Loading status...'), owner.username).toBeVisible()
    await expect(page.getByText('Updates every 30 seconds. All times are UTC.')).toBeVisible()
    const frame = page.locator('iframe')
    await expect(frame).toHaveAttribute('src', address)
    const sandbox = (await frame.getAttribute('sandbox'))?.split(' ') ?? []
    expect(sandbox).not.toEqual(expect.arrayContaining(['allow-top-navigation']))
    expect(sandbox).not.toEqual(expect.arrayContaining(['allow-forms']))
    release()
    await expect(page.frameLocator('iframe').getByRole('heading', { name: 'Everything is fine' })).toBeVisible()
    await expect(page.getByText('Loading status...')).toBeHidden()
    await expect(page).toHaveURL(/\/status$/)
    await expect(systems(page)).toHaveCount(0)
    await expectNoAxeViolations(page)
  })

  test('if it never loads, the overlay ends and reports it', async ({ page, owner }) => {
    await page.clock.install()
    await page.goto('/status', { waitUntil: 'commit' })
    await expect(page.getByText('Loading status...'), owner.username).toBeVisible()
    await page.clock.runFor(16_000)
    await expect(page.getByText('The status dashboard is not responding.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open in a new tab' })).toHaveAttribute('href', address)
    await expectNoAxeViolations(page)
    await page.getByRole('button', { name: 'Show what has loaded' }).click()
    await expect(page.getByText('The status dashboard is not responding.')).toBeHidden()
  })
})

test('administrators see a ledger that does not add up, on their dashboard and on the status page', async ({
  app,
  page,
  owner,
}) => {
  await makeAdmin(app, owner)
  const problems = (count: number) =>
    app.db.write(async ({ db }) => {
      await db.deleteFrom('platform_checks').execute()
      await db
        .insertInto('platform_checks')
        .values({ name: 'ledger', checked_at: app.now(), problems: count })
        .execute()
    })
  await problems(2)
  app.advance(31)
  await page.goto('/admin/dashboard')
  const alarm = page.getByText('The credit ledger does not add up: 2 problems.')
  await expect(alarm).toBeVisible()
  await expect(page.getByRole('region', { name: /needs? you$/ })).toContainText('Credit ledger')
  await expectNoAxeViolations(page)
  await page.getByRole('link', { name: 'System status' }).first().click()
  await expect(page.getByText('There is an outage')).toBeVisible()
  await expect(card(page, 'Credit ledger')).toContainText('The credits do not add up')
  await problems(0)
  app.advance(31)
  await page.goto('/admin/dashboard')
  await expect(page.getByRole('link', { name: 'System status' }).last()).toBeVisible()
  await expect(alarm).toBeHidden()
})

test('an address of this server is rejected before it is saved', async ({ app, page, owner }) => {
  await makeAdmin(app, owner)
  await page.goto('/admin/settings')
  const form = page.getByRole('form', { name: 'Platform', exact: true })
  await form.getByLabel('Status page').fill(`${app.url}/status`)
  await form.getByRole('button', { name: 'Save platform settings' }).click()
  await expect(form).toContainText('Status page must be on a different host than this server')
  await form.getByLabel('Status page').fill('https://somebody@status.example')
  await expect(form).toContainText('Status page must not contain a username or password')
})

test("the platform's name is on the sign-in page and in titles from the first paint", async ({ app, page }) => {
  await setSettings(app, { platform: { platformName: 'Acme <Licensing>' }, security: {} })
  try {
    await page.goto('/login', { waitUntil: 'commit' })
    await expect(page).toHaveTitle(/Acme <Licensing>$/)
    await expect(page.getByRole('banner')).toContainText('Acme <Licensing>')
    await expect(page.locator('body')).not.toContainText('Signet')
  } finally {
    await withoutSettings(app)
  }
})
