import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { setVisibility } from '#e2e/followed-list.ts'
import { makeAdmin, newLicenses, newOwner, setPlan } from '#testing/people/people.ts'
import { setAccountBanned } from '#testing/platform.ts'

/** The content of the platform screens, one by one. */

const dialog = (page: Page) => page.getByRole('dialog')
const items = (page: Page, list: string) => page.getByRole('list', { name: list, exact: true }).getByRole('listitem')

test.beforeEach(async ({ app, owner }) => {
  // Sign-ins of earlier tests come from the same address.
  app.advance(61)
  await makeAdmin(app, owner)
})

test('the dashboard counts owners, apps, users and licenses, shows the owners of each plan, and leads to three screens', async ({
  app,
  page,
  owner,
}) => {
  await newLicenses(owner, 3)
  await newOwner(app, `bar_${owner.id}`, { plan: 'Free' })
  await page.goto('/admin/dashboard')
  const { body } = await owner.visitor.call('GET /admin/stats')
  const { totals, recent, plans } = body.stats
  const card = (label: string) => items(page, 'The platform in numbers').filter({ hasText: label })
  await expect(card('Total Owners')).toHaveText(`Total Owners${totals.owners}${recent.owners} this month`)
  await expect(card('Total Apps')).toHaveText(`Total Apps${totals.apps}${recent.apps} this month`)
  await expect(card('Total Users')).toHaveText(`Total Users${totals.users}`)
  await expect(card('Total Licenses')).toHaveText(`Total Licenses${totals.licenses}`)
  const line = await page.getByRole('list', { name: 'The platform in numbers' }).boundingBox()
  expect(line?.height, 'one line').toBeLessThan(50)
  expect(totals.licenses).toBeGreaterThanOrEqual(3)
  const ofPlan = (name: string) =>
    page.getByRole('table', { name: 'Plan Distribution' }).getByRole('row').filter({ hasText: name })
  for (const { displayName, count } of plans)
    await expect(ofPlan(displayName).getByRole('cell').first()).toHaveText(String(count))
  const free = plans.find(({ name }: { name: string }) => name === 'Free')
  expect(free?.count).toBeGreaterThan(0)
  for (const [name, address] of [
    ['Manage Owners', 'owners'],
    ['Manage Plans', 'plans'],
    ['System Settings', 'settings'],
  ] as const) {
    const action = page.getByRole('navigation', { name: 'Quick actions' }).getByRole('link', { name })
    await expect(action).toHaveAttribute('href', `/admin/${address}`)
  }
  await page.getByRole('link', { name: 'Owner View' }).click()
  await expect(page).toHaveURL(/\/overview$/)
  await expect(page.getByText('You are logged in as an administrator')).toBeVisible()
})

test('a plan with few of many owners has a share, and the others have not all of it', async ({ page }) => {
  await page.route('**/admin/stats', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const [many, few, none] = json.stats.plans
    json.stats.plans = [
      { ...many, count: 1999 },
      { ...few, count: 1 },
      { ...none, count: 0 },
    ]
    await route.fulfill({ response, json })
  })
  await page.goto('/admin/dashboard')
  const shares = page.getByRole('table', { name: 'Plan Distribution' }).getByRole('row').getByRole('cell')
  await expect(shares.filter({ hasText: '%' })).toHaveText(['>99%', '<1%', '0%'])
})

test('creating a plan again after the reply was lost creates one', async ({ page, owner }) => {
  let calls = 0
  await page.route('**/admin/plans', async (route) => {
    if (route.request().method() !== 'POST' || ++calls > 1) return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await page.goto('/admin/plans?dialog=create')
  await dialog(page).getByLabel('Name', { exact: true }).fill(`once_${owner.id}`)
  await dialog(page).getByLabel('Display name').fill('Once')
  const create = dialog(page).getByRole('button', { name: 'Create Plan' })
  await create.click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Failed to create plan')
  await create.click()
  await expectToast(page, 'Plan created successfully')
  await expect(dialog(page)).toBeHidden()
})

test('figures that could not be loaded again say from when they are, until Retry', async ({ page }) => {
  await page.clock.install()
  await page.goto('/admin/dashboard')
  await expect(items(page, 'The platform in numbers').first()).toContainText(/\d/)
  await expect(page.getByRole('heading', { name: 'New owners' })).toBeVisible()
  const figures = /\/admin\/(stats|growth|needs|health)/
  await page.route(figures, (route) => route.fulfill({ status: 500, json: {} }))
  await page.clock.fastForward(61_000)
  await setVisibility(page, 'hidden')
  await setVisibility(page, 'visible')
  const notices = page.getByRole('alert').filter({ hasText: /What you see is from \w+ \d+, \d+, \d+:\d+ [AP]M\./ })
  for (const what of ['statistics', 'growth', 'what needs you', 'the status'])
    await expect(notices.filter({ hasText: `Failed to load ${what}` })).toBeVisible()
  await expectNoAxeViolations(page)
  await page.unroute(figures)
  for (const left of [3, 2, 1, 0]) {
    // On a slow machine, the page itself may have loaded some again.
    if ((await notices.count()) > left) await notices.first().getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => notices.count()).toBeLessThanOrEqual(left)
  }
})

test('the default plan is shown, with the reason, while the plans could not be loaded', async ({ page, owner }) => {
  const { settings } = (await owner.visitor.call('GET /admin/settings')).body
  await page.route('**/admin/plans', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/admin/settings')
  const plan = page.getByRole('combobox', { name: 'Default plan for new owners' })
  await expect(plan).toHaveAccessibleDescription('Failed to load plans')
  await expect(plan).toHaveValue(settings.platform.defaultPlan)
})

test('owners are listed with plan, numbers and status, page by page; a search begins at the first page', async ({
  app,
  page,
  owner,
}) => {
  const prefix = `row_${owner.id}_`
  for (let n = 0; n < 11; n++) {
    app.advance(61)
    const { id } = await newOwner(app, `${prefix}${n}`, { plan: 'Free' })
    // A deleted plan is shown as Free.
    if (n === 9) await setPlan(app, id, 'Gone')
    if (n === 10) await setAccountBanned(app, id, true)
  }
  await page.goto('/admin/owners')
  const head = page.getByRole('table', { name: 'Owners', exact: true }).getByRole('columnheader')
  for (const [index, name] of ['Owner', 'Plan', 'Stats', 'Created', 'Status', 'Actions'].entries())
    await expect(head.nth(index)).toHaveAccessibleName(name)
  // The text of a row goes on with the owner's ID, which may begin with a digit.
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
  await expect(row(`${prefix}10`)).toContainText('Banned')
  await expect(row(`${prefix}9`)).toContainText('Free')
  await expect(row(`${prefix}9`)).toContainText('Active')
  await expect(row(`${prefix}9`)).toContainText(`${prefix}9@example.com`)
  await expect(row(`${prefix}9`)).toContainText('0 apps · 0 users · 0 licenses')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(row(owner.username)).toContainText('Admin')
  await expect(row(owner.username)).toContainText('1 app · 0 users')
  await expect(page).toHaveURL(/page=2/)
  await page.getByRole('searchbox').fill(prefix)
  await expect(page).not.toHaveURL(/page=2/)
  await expect(page.getByText('1–10 of 11', { exact: true })).toBeVisible()
  await page.getByRole('searchbox').fill(`${prefix}none`)
  await expect(page.getByText('No owners found.', { exact: true })).toBeVisible()
  await expectNoAxeViolations(page)
})

test('Free can be chosen, and its owners found, after it was deleted', async ({ app, page, owner }) => {
  const other = await newOwner(app, `free_${owner.id}`, { plan: 'Developer' })
  await owner.visitor.call('DELETE /admin/plans/{id}', { params: { id: 'Free' }, body: {} })
  await page.goto(`/admin/owners?q=${other.username}`)
  await page.getByRole('button', { name: `Actions for ${other.username}` }).click()
  await page.getByRole('menuitem', { name: 'Change plan' }).click()
  await page.getByRole('dialog').getByLabel('Plan').selectOption('Free')
  await page.getByRole('button', { name: 'Update Plan' }).click()
  const row = page.getByRole('row').filter({ hasText: other.id })
  await expect(row).toContainText('Free')
  await page.getByRole('button', { name: 'Plan', exact: true }).first().click()
  await page.getByRole('menuitemcheckbox', { name: /^Free/ }).click()
  await expect(page).toHaveURL(/plan=Free/)
  await expect(row).toContainText('Free')
  // The plans of other tests.
  for (const id of ['Developer', 'Pro'])
    await owner.visitor.call('DELETE /admin/plans/{id}', { params: { id }, body: {} })
  await owner.visitor.call('POST /admin/init-plans', { body: {} })
})

test('without plans there is a button that makes the three default plans, and only then', async ({ page, owner }) => {
  for (const id of ['Free', 'Developer', 'Pro'])
    await owner.visitor.call('DELETE /admin/plans/{id}', { params: { id }, body: {} })
  await page.goto('/admin/plans')
  await expect(page.getByText('No plans configured')).toBeVisible()
  await expectNoAxeViolations(page)
  const init = page.getByRole('button', { name: 'Initialize Default Plans' })
  await init.click()
  await expectToast(page, 'Default plans created successfully')
  await expect(init).toHaveCount(0)
  const card = (name: string) => page.getByRole('list', { name: 'Plans' }).locator('> li').filter({ hasText: name })
  await expect(card('Developer')).toContainText('$9.99 per month')
  await expect(card('Developer')).toContainText('5 applications')
  await expect(card('Developer')).toContainText('Unlimited variables')
  await expect(
    card('Developer').getByRole('listitem').filter({ hasText: 'Webhooks' }).getByRole('img'),
  ).toHaveAttribute('aria-label', 'Included')
  await expect(card('Free')).toContainText('$0 per month')
  await expect(card('Free').getByRole('listitem').filter({ hasText: 'Webhooks' }).getByRole('img')).toHaveAttribute(
    'aria-label',
    'Not included',
  )
})

test('the form of a plan has four fields, five limits and seven features; the name of a plan stays', async ({
  page,
  owner,
}) => {
  await page.goto('/admin/plans?dialog=edit&row=Developer')
  await expect(dialog(page).getByLabel('Name', { exact: true }), owner.id).not.toBeEditable()
  await expect(dialog(page).getByLabel('Name', { exact: true })).toHaveValue('Developer')
  const limits = [
    'Max apps',
    'Max users per app',
    'Max licenses per app',
    'Max variables per app',
    'Max storage (MB)',
  ] as const
  for (const label of ['Price', 'Order', ...limits])
    await expect(dialog(page).getByRole('spinbutton', { name: label })).toBeVisible()
  const boxes = dialog(page).getByRole('group', { name: 'Features' }).getByRole('checkbox')
  await expect(boxes).toHaveCount(7)
  for (const label of limits) await dialog(page).getByRole('spinbutton', { name: label }).fill('-2')
  await dialog(page).getByRole('spinbutton', { name: 'Price' }).fill('-1')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog(page)).toContainText('Price must be at least 0')
  for (const label of limits.slice(0, 4)) await expect(dialog(page)).toContainText(`${label} must be at least -1`)
  await expect(dialog(page)).toContainText('Max storage (MB) must be at least 1')
})

test('the settings have four sections with their fields, and a Save in each', async ({ page, owner }) => {
  await page.goto('/admin/settings')
  const fields = {
    Platform: [
      'Platform name',
      'Maintenance mode',
      'Maintenance message',
      'Registration',
      'Max failed login attempts',
      'Login cooldown (minutes)',
    ],
    Email: [
      'Enable email',
      'SMTP host',
      'SMTP port',
      'SMTP user',
      'SMTP password',
      'Sender email',
      'Sender name',
      'Use SSL',
    ],
    API: ['Rate limit per minute', 'Rate limit per hour', 'Max request size', 'Enable CORS', 'Allowed origins'],
    Security: [
      'Session timeout (hours)',
      'Enforce HTTPS',
      'Two-factor authentication',
      'Minimum password length',
      'Require complex password',
    ],
  }
  const saveNames = {
    Platform: 'Save platform settings',
    Email: 'Save email settings',
    API: 'Save API settings',
    Security: 'Save security settings',
  }
  const sectionOf = (name: string) => page.getByRole('form', { name, exact: true })
  for (const [section, labels] of Object.entries(fields)) {
    for (const label of labels) await expect(sectionOf(section).getByLabel(label, { exact: true }), label).toBeVisible()
    await expect(
      sectionOf(section).getByRole('button', { name: saveNames[section as keyof typeof fields] }),
      owner.id,
    ).toBeVisible()
  }
  for (const label of ['SMTP host', 'SMTP port', 'SMTP user', 'SMTP password'])
    await expect(sectionOf('Email').getByLabel(label, { exact: true }), label).toBeDisabled()
})

test('the plans on offer stand beside each other with their prices and limits', async ({ app, page, owner }) => {
  await setPlan(app, owner.id, 'Free')
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Upgrade plan' }).click()
  const card = (name: string) =>
    dialog(page)
      .locator('label')
      .filter({ has: page.getByRole('radio', { name }) })
  await expect(card('Free')).toContainText(
    'FreeCurrent plan$0forever1 application10 users per app25 licenses per app3 variables per app',
  )
  await expect(card('Developer')).toContainText(
    'DeveloperMost Popular$9.99per month5 applicationsUnlimited users, licenses and variables',
  )
  await expect(card('Pro')).toContainText(
    'Pro$24.99per monthUnlimited applications, users, licenses and variablesWhite-label optionsCustom integrations',
  )
  for (const [name, storage] of [
    ['Free', '2 MB'],
    ['Developer', '500 MB'],
    ['Pro', '5,000 MB'],
  ] as const)
    await expect(card(name)).toContainText(`${storage} of storage for files`)
  await expect(dialog(page)).toContainText('30-day money-back guarantee · cancel anytime · instant activation')
})
