import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, signIn, test as base } from '#e2e/fixtures.ts'
import { Program } from '#testing/program.ts'
import { assign, newReseller, newSellingReseller, resellerPassword, type SellingReseller } from '#testing/resellers.ts'

/** The browser is signed in as a reseller with 100 credits: 30 days cost 5, 7 days 2. */
const test = base.extend<{ reseller: SellingReseller }>({
  reseller: async ({ app, owner, context }, use) => {
    const reseller = await newSellingReseller(app, {}, owner)
    await context.clearCookies()
    await signIn(context, app, reseller.visitor)
    await use(reseller)
  },
})

const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' })
const password = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const generate = (page: Page) => dialog(page).getByRole('button', { name: /^Generate/ })
const totalOf = async ({ visitor, appName }: SellingReseller) =>
  (await visitor.call('GET /reseller/licenses', { query: { appName } })).body.total

async function fillGenerate(page: Page, amount: number) {
  await page.getByRole('button', { name: 'Generate License' }).first().click()
  await dialog(page).getByLabel('Plan duration').selectOption('30')
  await dialog(page).getByLabel('Amount', { exact: true }).fill(String(amount))
}

const sellOne = async ({ sell }: SellingReseller, body: object = {}) =>
  ((await sell(body)).body as unknown as { licenses: string[] }).licenses[0] ?? ''

async function openDelete(page: Page, key: string) {
  await page.getByRole('button', { name: `Actions for ${key}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(dialog(page)).toContainText('Credits will be refunded')
}

test('from the set-up link to a redeemed key, a refund and a new machine', async ({ app, page, owner, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id, username, registrationToken } = await newReseller(app, owner)
  await assign(owner, { id, appName: owner.appName, credits: 100, planCosts: { '30': 5, '7': 2 } })
  await context.clearCookies()

  await page.goto(`/reseller/setup/${registrationToken}`)
  await expect(page.getByText(username)).toBeVisible()
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expect(page.getByText('Email is required')).toBeVisible()
  await password(page, 'Email').fill('seller@example.com')
  await password(page, 'Password').fill('Short1')
  await password(page, 'Confirm password').fill('other')
  await expect(page.getByText('Password must be at least 8 characters')).toBeVisible()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await expectNoAxeViolations(page)
  await password(page, 'Email').fill(`${username}@example.com`)
  await password(page, 'Password').fill(resellerPassword)
  await password(page, 'Confirm password').fill(resellerPassword)
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expectToast(page, 'Account setup completed successfully!')
  await expect(page).toHaveURL(/\/reseller\/dashboard$/)

  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  for (const text of ['30 day(s) - 5 credit(s)', '7 day(s) - 2 credit(s)', 'Level 1: Basic', 'Available credits'])
    await expect(page.getByRole('main').getByText(text)).toBeVisible()
  await expectNoAxeViolations(page)

  await page
    .getByRole('navigation', { name: 'Quick links' })
    .getByRole('link', { name: /Licenses/ })
    .click()
  await fillGenerate(page, 3)
  await expect(dialog(page)).toContainText('Costs 15 of 100 credits')
  await expectNoAxeViolations(page)
  await generate(page).click()
  const keys = (await dialog(page).getByRole('textbox', { name: 'Created license keys' }).inputValue()).split('\n')
  expect(keys).toHaveLength(3)
  await dialog(page).getByRole('button', { name: 'Copy All Keys' }).click()
  await expectToast(page, 'Keys copied to clipboard!')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(keys.join('\n'))
  await dialog(page).getByRole('button', { name: 'OK' }).click()
  await expectToast(page, 'Created 3 licenses successfully')
  await expectToast(page, 'Credits remaining: 85')
  await expect(sidebar(page)).toContainText('85 credits')

  const [played = '', spare = ''] = keys
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(played)).body.success).toBe(true)
  await page.reload()
  await expect(row(page, played)).toContainText('Redeemed')
  await expect(row(page, spare)).toContainText('Available')
  await expect(row(page, spare)).toContainText('30 days')
  await row(page, spare).getByRole('button', { name: 'Copy license key' }).click()
  await expectToast(page, 'License key copied to clipboard')
  await expectNoAxeViolations(page)

  await page.getByRole('button', { name: `Actions for ${played}` }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await openDelete(page, spare)
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'License deleted successfully')
  await expectToast(page, 'Credits have been refunded')
  await expect(row(page, spare)).toBeHidden()
  await expect(sidebar(page)).toContainText('90 credits')

  await sidebar(page).getByRole('link', { name: 'Users' }).click()
  await expect(page.getByText('Only users who redeemed your own licenses are visible.')).toBeVisible()
  await expect(row(page, played)).toContainText('Active')
  await expect(row(page, played)).toContainText('N/A')
  await expectNoAxeViolations(page)
  await row(page, played)
    .getByRole('button', { name: /Reset HWID/ })
    .click()
  await dialog(page).getByRole('button', { name: 'Reset HWID' }).click()
  await expectToast(page, 'HWID reset successfully')
  await expect(row(page, played)).toContainText('Not set')
  await expect(row(page, played).getByRole('button', { name: /Reset HWID/ })).toHaveAttribute('aria-disabled', 'true')

  await sidebar(page).getByRole('link', { name: 'Credits' }).click()
  await expect(page.getByText('Only an administrator can add credits')).toBeVisible()
  await expect(page.getByText('30d = 5c')).toBeVisible()
  for (const [text, amount] of [
    [`Refund of ${spare}`, '+5'],
    ['Generated 3 licenses', '-15'],
    ['Credits set', '+100'],
  ] as const)
    await expect(row(page, text)).toContainText(amount)
  await expectNoAxeViolations(page)

  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await password(page, 'Username').fill(username)
  await password(page, 'Password').fill(resellerPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/reseller\/dashboard$/)
})

test('a set-up link that was used says what to do instead', async ({ page, reseller }) => {
  await page.goto(`/reseller/setup/${reseller.registrationToken}`)
  await expect(page.getByRole('heading', { name: 'This set-up link is not valid any more' })).toBeVisible()
  await expectNoAxeViolations(page)
  await page.getByRole('link', { name: 'sign in' }).click()
  // Signed in already.
  await expect(page).toHaveURL(/\/reseller\/dashboard$/)
})

test('what was typed survives a server that is away while an account is set up', async ({
  app,
  page,
  owner,
  context,
  server,
}) => {
  const { username, registrationToken } = await newReseller(app, owner)
  await context.clearCookies()
  await page.goto(`/reseller/setup/${registrationToken}`)
  await password(page, 'Email').fill(`${username}@example.com`)
  await password(page, 'Password').fill(resellerPassword)
  await password(page, 'Confirm password').fill(resellerPassword)
  await server.stop()
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expect(page.getByText('An error occurred during setup')).toBeVisible()
  await expect(password(page, 'Password')).toHaveValue(resellerPassword)
  await server.start()
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expect(page).toHaveURL(/\/reseller\/dashboard$/)
  await expect(page.getByText('No apps assigned yet. Contact your administrator')).toBeVisible()
  await expectNoAxeViolations(page)
})

test('a sale whose answer is lost is repeated by pressing again, and sells once (R-LED-07)', async ({
  page,
  reseller,
  connection,
}) => {
  await page.goto(`${connection.url}/reseller/licenses`)
  await fillGenerate(page, 3)
  await expect(dialog(page)).toContainText('Costs 15 of 100 credits')
  connection.stall()
  await generate(page).click()
  await expect.poll(() => totalOf(reseller)).toBe(3)
  await connection.refuse()
  await expect(dialog(page).getByRole('alert')).toContainText('nothing is sold twice')
  // The strip above says since when; the credits themselves say of when they are.
  await expect(dialog(page)).toContainText(/As of .+\d:\d\d/)
  await connection.restore()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog(page)).toContainText('Costs 15 of 85 credits')
  await expect(dialog(page)).not.toContainText('As of')
  await generate(page).click()
  const keys = (await dialog(page).getByRole('textbox', { name: 'Created license keys' }).inputValue()).split('\n')
  expect(keys).toHaveLength(3)
  expect([await totalOf(reseller), await reseller.credits()]).toEqual([3, 85])
})

test('a refund whose answer is lost is given once', async ({ page, reseller, connection }) => {
  const key = await sellOne(reseller)
  await page.goto(`${connection.url}/reseller/licenses`)
  await openDelete(page, key)
  connection.stall()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => totalOf(reseller)).toBe(0)
  await connection.refuse()
  await expect(dialog(page).getByRole('alert')).toContainText('Failed to delete license')
  await connection.restore()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Credits have been refunded')
  await expect(sidebar(page)).toContainText('100 credits')
  expect(await reseller.credits()).toBe(100)
})

test('the server decides what is affordable, and what it says of the credits is shown', async ({ page, reseller }) => {
  const { owner, id, appName } = reseller
  await page.goto('/reseller/licenses')
  await fillGenerate(page, 2)
  await owner.visitor.call('POST /resellers/{id}/credits/set', { params: { id }, body: { appName, amount: 7 } })
  await generate(page).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Not enough credits: 10 needed, 7 available')
  await expect(dialog(page)).toContainText('Costs 10 credits; you have 7')
  await dialog(page).getByLabel('Amount', { exact: true }).fill('1')
  await generate(page).click()
  await expect(dialog(page).getByRole('textbox', { name: 'Created license keys' })).toBeVisible()
  expect(await reseller.credits()).toBe(2)
})

test('credits that move in one tab are shown in the other', async ({ page, context, reseller }) => {
  const other = await context.newPage()
  await other.goto('/reseller/credits')
  await expect(other.getByRole('main').getByText('100', { exact: true })).toBeVisible()
  await page.goto('/reseller/licenses')
  await fillGenerate(page, 4)
  await generate(page).click()
  await expect(dialog(page).getByRole('button', { name: 'OK' })).toBeVisible()
  await expect(other.getByRole('main').getByText('80', { exact: true })).toBeVisible()
  await expect(row(other, 'Generated 4 licenses')).toContainText('-20')
  expect(await reseller.credits()).toBe(80)
})

test('each of the assigned apps has its own licenses and credits', async ({ page, reseller }) => {
  const { owner, id } = reseller
  await owner.visitor.call('POST /create_app', { body: { appName: 'Second app', version: '1.0.0' } })
  await assign(owner, { id, appName: 'Second app', credits: 30, planCosts: { '1': 1 } })
  const key = await sellOne(reseller)
  await page.goto('/reseller/licenses')
  const choose = async (name: RegExp) => {
    await sidebar(page)
      .getByRole('button', { name: /credits/ })
      .click()
    await page.getByRole('menuitemradio', { name }).click()
  }
  await choose(/Prism Studio · 95 credits/)
  await expect(row(page, key)).toBeVisible()
  await choose(/Second app · 30 credits/)
  await expectToast(page, 'Switched to app: Second app')
  await expect(page.getByText('No licenses found.')).toBeVisible()
  await page.reload()
  await expect(sidebar(page)).toContainText('30 credits')
  const input = { params: { id, app: 'Second app' }, body: {} }
  await owner.visitor.call('DELETE /resellers/{id}/apps/{app}', input)
  await page.reload()
  await expect(sidebar(page)).toContainText('95 credits')
})

test("an owner's page leads a reseller to the own area, and the other way round", async ({
  app,
  page,
  owner,
  context,
  reseller,
}) => {
  for (const path of [
    '/',
    '/login',
    '/licenses',
    '/admin/owners',
    '/resellers/somebody',
    '/reseller',
    '/reseller/login',
  ]) {
    await page.goto(path)
    await expect(page, path).toHaveURL(/\/reseller\/dashboard$/)
  }
  await context.clearCookies()
  await signIn(context, app, owner.visitor)
  for (const path of ['/reseller/licenses', '/reseller', '/reseller/login']) {
    await page.goto(path)
    await expect(page, path).toHaveURL(/\/dashboard$/)
    await expect(page.getByRole('heading', { name: 'App Settings' })).toBeVisible()
  }
  // Signed in as both, each area is its own, and signing out of one leaves the other (R-SES-02).
  await signIn(context, app, reseller.visitor)
  await page.goto('/licenses')
  await expect(page.getByRole('button', { name: 'Create licenses' }).first()).toBeVisible()
  const area = await context.newPage()
  await area.goto('/reseller/licenses')
  await expect(area.getByRole('button', { name: 'Generate License' }).first()).toBeVisible()
  await area.getByRole('button', { name: /account of/ }).click()
  await area.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(area).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Create licenses' }).first()).toBeVisible()
})

test('a ban asks for the sign-in at the next act, and nothing is sold', async ({ page, reseller }) => {
  await page.goto('/reseller/licenses')
  await fillGenerate(page, 1)
  await reseller.owner.visitor.call('POST /resellers/{id}/ban', { params: { id: reseller.id } })
  await generate(page).click()
  await expect(page.getByRole('dialog', { name: 'Sign in' })).toContainText('Your session has ended.')
  await page.getByRole('textbox', { name: 'Password' }).fill(resellerPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Sign in' }).getByRole('alert')).toBeVisible()
  const { body } = await reseller.owner.visitor.call('GET /licenses')
  expect(body.licenses).toEqual([])
})
