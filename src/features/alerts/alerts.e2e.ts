import type { Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { newAlert } from '#testing/busy-app.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import type { TestApp } from '#testing/start-test-app.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

const row = (page: Page) => page.getByRole('row').filter({ hasText: 'HWID_MULTI_KEY' })
const run = (page: Page) => page.getByRole('button', { name: 'Run Detection' }).click()
const panel = (page: Page) => page.locator('[data-side-panel]')
const title = (page: Page) => panel(page).getByRole('heading', { level: 2 }).first()
const inPanel = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true })
const badge = (page: Page) => page.getByRole('link', { name: /^Alerts/ })

/** Three users sign in on one machine. */
async function shareMachine(app: TestApp, owner: SignedInOwner): Promise<void> {
  for (const username of ['ada', 'ben', 'cyd']) {
    await signedIn(app, owner, await newSubscriber(owner, { username }))
  }
}

test('activity of real programs raises an alert with its evidence, which is reviewed, undone, and dismissed', async ({
  app,
  page,
  owner,
}) => {
  test.slow()
  await page.goto('/alerts')
  await expect(page.getByText('No alerts found. Click "Run Detection" to scan for suspicious activity.')).toBeVisible()
  await expectNoAxeViolations(page)

  await shareMachine(app, owner)
  await run(page)
  await expectToast(page, 'Detection finished: 1 new alert')
  await expect(row(page)).toContainText('High')
  await expect(row(page)).toContainText('3 users')
  await expect(row(page)).toContainText('127.0.0.1')
  const { data } = (await owner.visitor.call('GET /alerts')).body
  const hwid = data[0]?.details.hwid ?? ''
  await expect(row(page).getByText(hwid.slice(0, 16), { exact: true }).first()).toBeVisible()
  await expect(badge(page)).toContainText('1')

  await row(page).getByRole('cell').nth(2).click()
  const evidence = page.getByRole('region', { name: 'Evidence' })
  await expect(evidence).toContainText('Users: 3 within 1 day. Alert threshold: 3.')
  for (const username of ['ada', 'ben', 'cyd'])
    await expect(evidence.getByRole('link', { name: username })).toBeVisible()
  await page.getByRole('button', { name: 'Latest activity of ada' }).click()
  await expect(page.getByRole('region', { name: 'What happened' })).toContainText('login')
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')

  await row(page).getByRole('button', { name: 'Review' }).click()
  await expectToast(page, 'Alert marked as reviewed')
  await expect(row(page)).toContainText('Reviewed')
  await expect(row(page).getByRole('button', { name: 'Review' })).toBeHidden()
  await expect(badge(page)).not.toContainText('1')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page).getByRole('button', { name: 'Dismiss' })).toBeVisible()
  await expect(badge(page)).toContainText('1')
  await row(page).getByRole('button', { name: 'Dismiss' }).click()
  await expectToast(page, 'Alert dismissed')
  await expect(row(page)).toContainText('Dismissed')

  await page.getByRole('button', { name: 'Status', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'New' }).click()
  await expect(row(page)).toBeHidden()
})

test('selected alerts are reviewed, undone, and dismissed together; one already decided says why it was skipped', async ({
  app,
  page,
  owner,
}) => {
  const keys = ['198.51.100.1', '198.51.100.2', '198.51.100.3']
  for (const ip of keys) await newAlert(app, owner, { ip })
  await newAlert(app, owner, { ip: '198.51.100.4', status: 'dismissed' })
  await page.goto('/alerts')
  const rowOf = (ip: string) => page.getByRole('row').filter({ hasText: ip })
  const bar = page.getByRole('toolbar', { name: 'Actions for selected rows' })
  for (const ip of keys.slice(0, 2)) await rowOf(ip).getByRole('checkbox').check()
  await expectNoAxeViolations(page)
  await bar.getByRole('button', { name: 'Review' }).click()
  await expectToast(page, '2 alerts marked as reviewed')
  await expect(bar).toBeHidden()
  await expect(badge(page)).toContainText('1')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, '2 alerts reopened')
  await expect(badge(page)).toContainText('3')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await bar.getByRole('button', { name: 'Dismiss' }).click()
  await expectToast(page, '3 alerts dismissed')
  await expectToast(page, '1 alert skipped: This alert has already been reviewed or dismissed')
  await expect(rowOf('198.51.100.3')).toContainText('Dismissed')
})

test('types are filtered, and thresholds are set one by one or together', async ({ app, page, owner }) => {
  await test.step('types are filtered by group, and thresholds are set for the app', async () => {
    await shareMachine(app, owner)
    await page.goto('/alerts')
    await page.getByRole('button', { name: 'Alert settings' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Type' }).selectOption('HWID_MULTI_KEY')
    const threshold = dialog.getByRole('spinbutton', { name: 'Threshold' })
    await expect(threshold).toHaveValue('3')
    await threshold.fill('1')
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await expect(dialog).toContainText('The threshold must be a whole number from 2 to 100000')
    await threshold.fill('4')
    await expectNoAxeViolations(page)
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await expectToast(page, 'Alert settings saved')
    await run(page)
    await expectToast(page, 'Detection finished: nothing new')
    await signedIn(app, owner, await newSubscriber(owner, { username: 'dee' }))
    await run(page)
    await expect(row(page)).toContainText('4 users')
    await page.getByRole('button', { name: 'Type', exact: true }).click()
    await expect(page.getByRole('menu')).toContainText('Across apps')
    await page.getByRole('menuitemcheckbox', { name: 'License shared' }).click()
    await expect(row(page)).toBeHidden()
  })

  await test.step('thresholds of several types are edited together, and a type that somebody else has turned off stays off', async () => {
    const stored = async () =>
      Object.fromEntries(
        (await owner.visitor.call('GET /alerts/thresholds')).body.thresholds.map(({ type, ...each }) => [type, each]),
      )
    await page.goto('/alerts?dialog=thresholds')
    const dialog = page.getByRole('dialog')
    const type = dialog.getByRole('combobox', { name: 'Type' })
    const threshold = dialog.getByRole('spinbutton', { name: 'Threshold' })
    await type.selectOption('HWID_MULTI_KEY')
    await threshold.fill('7')
    await type.selectOption('IP_MULTI_KEY')
    await threshold.fill('33')
    const off = { type: 'IP_MULTI_KEY', enabled: false } as const
    await owner.visitor.call('POST /alerts/thresholds', { body: off })
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await expectToast(page, 'Alert settings saved')
    expect((await stored()).IP_MULTI_KEY).toMatchObject({ enabled: false, threshold: 33 })
    // The other edited type is next.
    await expect(type).toHaveValue('HWID_MULTI_KEY')
    await expect(threshold).toHaveValue('7')
    await owner.visitor.call('POST /alerts/thresholds', { body: { type: 'HWID_MULTI_KEY', threshold: 5 } })
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    const conflict = dialog.getByRole('group', { name: 'Changed in the meantime' })
    await expect(conflict).toContainText(/Theirs.*5.*Yours.*7/)
    await conflict.getByRole('button', { name: 'Take theirs' }).click()
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await expect(dialog).toBeHidden()
    expect((await stored()).HWID_MULTI_KEY?.threshold).toBe(5)
  })
})

test('a time window is in minutes, hours, or days, and says so where somebody else has changed it', async ({
  page,
  owner,
}) => {
  const windowOf = async (type: string) => {
    const { thresholds } = (await owner.visitor.call('GET /alerts/thresholds')).body
    return thresholds.find((each) => each.type === type)?.windowSeconds
  }
  await page.goto('/alerts?dialog=thresholds')
  const dialog = page.getByRole('dialog')
  const count = dialog.getByRole('spinbutton', { name: 'Within' })
  const unit = dialog.getByRole('combobox', { name: 'Within: unit' })
  await expect(count).toHaveValue('1')
  await expect(unit).toHaveValue('days')
  await count.fill('90')
  await unit.selectOption('minutes')
  await owner.visitor.call('POST /alerts/thresholds', { body: { type: 'IP_MULTI_KEY', windowSeconds: 7200 } })
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog).toContainText('2 hours')
  await expect(dialog).toContainText('1 hour 30 minutes')
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog).toBeHidden()
  expect(await windowOf('IP_MULTI_KEY')).toBe(5400)
  await page.goto('/alerts?dialog=thresholds')
  await expect(count).toHaveValue('90')
  await expect(unit).toHaveValue('minutes')
  await unit.selectOption('days')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog).toContainText('The time must be between 1 minute and 30 days')
})

test('a failed detection or decision reports the error', async ({ app, page, owner }) => {
  await shareMachine(app, owner)
  await page.goto('/alerts')
  await run(page)
  const button = (name: string) => row(page).getByRole('button', { name })
  await expectFailures(app, page, [
    { says: 'Failed to review alert', press: button('Review') },
    { says: 'Failed to dismiss alert', press: button('Dismiss') },
  ])
  await withoutTable(app.db, 'alerts', async () => {
    await run(page)
    await expectToast(page, /^Failed to run detection$/)
  })
})

test('an alert about a reseller names and links the reseller, and accuses no user', async ({ app, page, owner }) => {
  const reseller = await newSellingReseller(app, { credits: 100 }, { ...owner })
  const { licenses } = (await reseller.sell({ amount: 10 })).body as unknown as { licenses: string[] }
  for (const id of licenses)
    await reseller.visitor.call('DELETE /reseller/licenses/{id}', { params: { id }, body: { appName: owner.appName } })
  await page.goto('/alerts')
  await run(page)
  const abuse = page.getByRole('row').filter({ hasText: 'RESELLER_CREDIT_ABUSE' })
  await expect(abuse.getByRole('link', { name: reseller.username })).toBeVisible()
  await expect(abuse).not.toContainText('users')
  await abuse.getByRole('cell').nth(2).click()
  const evidence = page.getByRole('region', { name: 'Evidence' })
  await expect(evidence).toContainText(licenses[0] ?? '')
  // Deleted objects have no link.
  await expect(evidence.getByRole('link', { name: licenses[0] ?? '' })).toHaveCount(0)
  await abuse.getByRole('link', { name: reseller.username }).click()
  await expect(page.getByRole('heading', { name: reseller.username })).toBeVisible()
})

test('an alert opens in the panel with links to what it is about; it is decided there, and j and k walk on', async ({
  app,
  page,
  owner,
}) => {
  test.slow()
  await shareMachine(app, owner)
  await newAlert(app, owner, { ip: '203.0.113.7', severity: 'LOW' })
  await page.goto('/alerts')
  await run(page)
  await expectToast(page, 'Detection finished: 1 new alert')
  const rows = page.locator('tr[data-row]')
  await expect(rows).toHaveCount(2)
  const ids = await rows.evaluateAll((each) => each.map((one) => one.getAttribute('data-row') ?? ''))
  const { data } = (await owner.visitor.call('GET /alerts')).body
  const shared = data.find(({ type }) => type === 'HWID_MULTI_KEY')?.alertId ?? ''

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(panel(page)).toContainText(ids[0] as string)
  await page.keyboard.press('j')
  await expect(panel(page)).toContainText(ids[1] as string)
  await page.keyboard.press('k')
  await expect(panel(page)).toContainText(ids[0] as string)

  await page.goto(`/overview?panel=alert:${shared}`)
  await expect(title(page)).toContainText('Many keys on one machine')
  await inPanel(page, 'Review').click()
  await expectToast(page, 'Alert marked as reviewed')
  await expect(panel(page)).toContainText('Reviewed')
  await expect(badge(page)).toContainText('1')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(inPanel(page, 'Review')).toBeVisible()
  await inPanel(page, 'Dismiss').click()
  await expect(panel(page)).toContainText('Dismissed')
  await inPanel(page, 'Reopen').click()
  await expectToast(page, 'Alert reopened')
  await expect(inPanel(page, 'Dismiss')).toBeVisible()
  await panel(page).getByRole('link', { name: 'ben' }).click()
  await expect(title(page)).toContainText('ben')
  await page.goBack()
  await panel(page).getByRole('link', { name: '127.0.0.1' }).click()
  await expect(title(page)).toContainText('127.0.0.1')

  const stranger = await newOwnerWithApp(app)
  await page.goto(`/alerts?panel=alert:${await newAlert(app, stranger)}`)
  await expect(panel(page)).toContainText('Alert not found')
  await expect(inPanel(page, 'Review')).toHaveCount(0)
})

test('alerts are narrowed and sorted', async ({ app, page, owner }) => {
  for (const [ip, severity, days] of [
    ['198.51.100.1', 'LOW', 0],
    ['198.51.100.2', 'CRITICAL', 4],
    ['198.51.100.3', 'HIGH', 40],
  ] as const) {
    const at = app.now() - days * 86_400
    await newAlert(app, owner, { ip, severity, created_at: at, first_at: at })
  }
  await test.step('alerts are narrowed to the time in which they were raised, in the address', async () => {
    await page.goto('/alerts')
    const rows = page.locator('tr[data-row]')
    await expect(rows).toHaveCount(3)
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Raised' }).click()
      await page.getByRole('menuitemradio', { name }).or(page.getByRole('menuitem', { name })).click()
    }
    await choose('Last 24 hours')
    await expect(rows).toHaveCount(1)
    await choose('Last 7 days')
    await expect(page).toHaveURL(/f\.raised=7/)
    await expect(rows).toHaveCount(2)
    await expect(page.getByText('Alerts, raised “Last 7 days”, newest first: 2')).toBeVisible()
    await page.reload()
    await expect(rows).toHaveCount(2)
    await choose('Choose dates')
    const day = new Date((app.now() - 35 * 86_400) * 1000).toISOString().slice(0, 10)
    await page.getByLabel('Last day').fill(day)
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page).toHaveURL(new RegExp(`f\\.raised=\\.\\.${day}`))
    await expect(rows).toHaveCount(1)
    await choose('Any')
    await expect(rows).toHaveCount(3)
    // An address may contain anything.
    await page.goto('/alerts?f.raised=yesterday')
    await expect(rows).toHaveCount(3)
  })

  await test.step('alerts are sorted by severity, and a narrow window keeps their details', async () => {
    await page.setViewportSize({ width: 900, height: 800 })
    await page.goto('/alerts')
    const rows = page.locator('tr[data-row]')
    await expect(rows).toHaveCount(3)
    const details = page.getByRole('columnheader', { name: 'Details' })
    await expect(details).toBeInViewport({ ratio: 1 })
    const frame = page.getByRole('table', { name: 'Alerts' }).locator('..')
    expect(await frame.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
    const header = page.getByRole('button', { name: 'Severity', exact: true })
    await header.click()
    await expect(page).toHaveURL(/sort=severity/)
    await expect(rows.first()).toContainText('Low')
    await header.click()
    await expect(rows.first()).toContainText('Critical')
    await expect(rows.last()).toContainText('Low')
    await rows
      .first()
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await page.getByRole('menuitem', { name: 'Dismiss' }).click()
    await expectToast(page, 'Alert dismissed')
  })
})

test('the link in a chat message shows its alert, whichever app is selected, also after a sign-in', async ({
  app,
  page,
  context,
  owner,
}) => {
  const other = (await owner.visitor.call('POST /create_app', { body: { appName: 'Prism Render', version: '1.0.0' } }))
    .body
  const id = await newAlert(app, { ...owner, appId: other.appId }, { ip: '198.51.100.7' })
  await newAlert(app, owner, { ip: '198.51.100.8' })
  const link = `/alerts?appId=${other.appId}&q=${id}`
  await page.goto(`/alerts?appId=${owner.appId}`)
  await expect(page.getByRole('row').filter({ hasText: '198.51.100.8' })).toBeVisible()
  const shows = async () => {
    await expect(page.getByRole('row').filter({ hasText: '198.51.100.7' })).toBeVisible()
    await expect(page.getByRole('button', { name: /Prism Render/ }).first()).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/alerts\\?q=${id}$`))
  }
  await page.goto(link)
  await shows()
  await page.reload()
  await shows()

  await context.clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.goto(link)
  await page.getByLabel('Username').fill(owner.username)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await shows()

  await page.goto(`/alerts?appId=app_AAAAAAAAAAAAAAAA&q=${id}`)
  await expectToast(page, 'The app in this link is not available. It may have been deleted.')
  await expect(page.getByRole('button', { name: /Prism Render/ }).first()).toBeVisible()
})
