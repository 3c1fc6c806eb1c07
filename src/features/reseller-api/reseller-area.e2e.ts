import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, signIn } from '#e2e/fixtures.ts'
import {
  chooseApp,
  dialog,
  expectCredits,
  fillGenerate,
  generate,
  openDelete,
  password,
  row,
  sellOne,
  sidebar,
  test,
  totalOf,
} from '#e2e/reseller-screen.ts'
import { Program } from '#testing/people/program.ts'
import { assign, newReseller, resellerPassword } from '#testing/people/resellers.ts'

test('works from the setup link to a redeemed key, a refund, and an HWID reset', async ({
  app,
  page,
  owner,
  context,
}) => {
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
  await expectCredits(page, 85)

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

  await page.getByRole('button', { name: `Actions for ${played}` }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await openDelete(page, spare)
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'License deleted successfully')
  await expectToast(page, 'Credits have been refunded')
  await expect(row(page, spare)).toBeHidden()
  await expectCredits(page, 90)

  await sidebar(page).getByRole('link', { name: 'Users' }).click()
  // The page says that only users of the reseller's own licenses are visible.
  await expect(page.getByText('Only users who redeemed your own licenses are visible.')).toBeVisible()
  await expect(row(page, played)).toContainText('Active')
  await expect(row(page, played)).toContainText('N/A')
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

  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await password(page, 'Username').fill(username)
  await password(page, 'Password').fill(resellerPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/reseller\/dashboard$/)
})

test('pressing again repeats a sale whose reply was lost, and it sells once (R-LED-07)', async ({
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
  await connection.reject()
  await expect(dialog(page).getByRole('alert')).toContainText('nothing is sold twice')
  // The connection banner shows since when the connection is lost; the credits show their own time.
  await expect(dialog(page)).toContainText(/As of .+\d:\d\d/)
  // The page refetches automatically; pressing "Try again" would race with it.
  await connection.restore()
  await expect(dialog(page)).toContainText('Costs 15 of 85 credits')
  await expect(dialog(page)).not.toContainText('As of')
  await generate(page).click()
  const keys = (await dialog(page).getByRole('textbox', { name: 'Created license keys' }).inputValue()).split('\n')
  expect(keys).toHaveLength(3)
  expect([await totalOf(reseller), await reseller.credits()]).toEqual([3, 85])
})

test('a refund whose reply was lost happens once', async ({ page, reseller, connection }) => {
  const key = await sellOne(reseller)
  await page.goto(`${connection.url}/reseller/licenses`)
  await openDelete(page, key)
  connection.stall()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => totalOf(reseller)).toBe(0)
  await connection.reject()
  await expect(dialog(page).getByRole('alert')).toContainText('Failed to delete license')
  await connection.restore()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Credits have been refunded')
  await expectCredits(page, 100)
  expect(await reseller.credits()).toBe(100)
})

test('the server decides what is affordable, and its message about the credits is shown', async ({
  page,
  reseller,
}) => {
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

test('a cost that was raised while the form is open is shown before anything is charged', async ({
  page,
  reseller,
}) => {
  const { owner, id, appName } = reseller
  await page.goto('/reseller/licenses')
  await fillGenerate(page, 2)
  await expect(dialog(page)).toContainText('Costs 10 of 100 credits')
  const path = `/api/1.0/website/resellers/${id}/apps/${appName}`
  await owner.visitor.send('PUT', path, { body: { planCosts: { '30': 9, '7': 2 } } })
  await generate(page).click()
  await expect(dialog(page).getByRole('alert')).toContainText('The price has changed: this now costs 18 credits.')
  await expect(dialog(page)).toContainText('Costs 18 of 100 credits')
  expect(await reseller.credits()).toBe(100)
  await generate(page).click()
  await expect(dialog(page).getByRole('textbox', { name: 'Created license keys' })).toBeVisible()
  expect(await reseller.credits()).toBe(82)
})

test('while every subscription is paused, nothing is for sale, and the pages say why', async ({ page, reseller }) => {
  await reseller.owner.visitor.call('POST /toggle_subscription_status', { body: { level: 1 } })
  const reason = 'Your administrator has paused every subscription that you can sell.'
  await page.goto('/reseller/dashboard')
  await expect(page.getByText(reason).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sell a license' })).toHaveCount(0)
  await expect(page.getByText('This app has no subscription yet.')).toHaveCount(0)
  await page.goto('/reseller/licenses')
  // The header has one, and so has the empty list.
  await expect(page.getByRole('button', { name: 'Generate License' })).toHaveCount(2)
  for (const button of await page.getByRole('button', { name: 'Generate License' }).all())
    await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText(reason).first()).toBeVisible()
  await reseller.owner.visitor.call('POST /toggle_subscription_status', { body: { level: 1 } })
})

test('credits that change in one tab are shown in the other', async ({ page, context, reseller }) => {
  const other = await context.newPage()
  await other.goto('/reseller/credits')
  // The rows-per-page menu contains numbers, too.
  const balance = other.getByRole('main').getByRole('paragraph').filter({ hasText: 'Available credits' })
  await expect(balance).toHaveText('Available credits100')
  await page.goto('/reseller/licenses')
  await fillGenerate(page, 4)
  await generate(page).click()
  await expect(dialog(page).getByRole('button', { name: 'OK' })).toBeVisible()
  await expect(balance).toHaveText('Available credits80')
  await expect(row(other, 'Generated 4 licenses')).toContainText('-20')
  expect(await reseller.credits()).toBe(80)
})

test('each assigned app has its own licenses and credits', async ({ page, reseller }) => {
  const { owner, id } = reseller
  await owner.visitor.call('POST /create_app', { body: { appName: 'Second app', version: '1.0.0' } })
  await assign(owner, { id, appName: 'Second app', credits: 30, planCosts: { '1': 1 } })
  const key = await sellOne(reseller)
  await page.goto('/reseller/licenses')
  await chooseApp(page, /Prism Studio · 95 credits/)
  await expect(row(page, key)).toBeVisible()
  await chooseApp(page, /Second app · 30 credits/)
  await expectToast(page, 'Switched to app: Second app')
  await expect(page.getByText('No licenses found.')).toBeVisible()
  await page.reload()
  await expectCredits(page, 30)
  const input = { params: { id, app: 'Second app' }, body: {} }
  await owner.visitor.call('DELETE /resellers/{id}/apps/{app}', input)
  await page.reload()
  await expectCredits(page, 95)
})

test("an owner's page redirects a reseller to the reseller area, and the other way round", async ({
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
    await expect(page, path).toHaveURL(/\/overview$/)
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  }
  // Owner and reseller sessions are separate: signing out of one keeps the other (R-SES-02).
  await signIn(context, app, reseller.visitor)
  await page.goto('/licenses')
  await expect(page.getByRole('button', { name: 'Create licenses' }).first()).toBeVisible()
  const area = await context.newPage()
  await area.goto('/reseller/licenses')
  await expect(area.getByRole('button', { name: 'Generate License' }).first()).toBeVisible()
  await area.getByRole('button', { name: /account of/ }).click()
  await area.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(area).toHaveURL(/\/overview$/)
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Create licenses' }).first()).toBeVisible()
})

test('after a ban, the next action asks for sign-in, and nothing is sold', async ({ page, reseller }) => {
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

test('generating names missing fields, starts with level 1, and names a single key; a new reseller has no users or history', async ({
  page,
  owner,
  reseller,
}) => {
  await page.goto('/reseller/licenses')
  await page.getByRole('button', { name: 'Generate License' }).first().click()
  await expect(dialog(page).getByLabel('Subscription')).toHaveValue('1')
  await dialog(page).getByLabel('License mask').fill(' ')
  await dialog(page).getByLabel('Amount', { exact: true }).fill('0')
  await generate(page).click()
  for (const text of ['Please select a plan duration', 'Please enter a license mask', 'Please enter a valid amount'])
    await expect(dialog(page).getByText(text, { exact: true })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await fillGenerate(page, 1)
  await generate(page).click()
  await dialog(page).getByRole('button', { name: 'OK' }).click()
  await expectToast(page, /^License generated successfully!$/)
  await sidebar(page).getByRole('link', { name: 'Users' }).click()
  await expect(page.getByText('No users found for this app', { exact: true })).toBeVisible()

  await owner.visitor.call('POST /create_app', { body: { appName: 'Second app', version: '1.0.0' } })
  await assign(owner, { id: reseller.id, appName: 'Second app', credits: 0, planCosts: { '1': 1 } })
  await page.goto('/reseller/credits')
  await chooseApp(page, /Second app/)
  await expect(page.getByText('No transaction history yet', { exact: true })).toBeVisible()
})

test('a subscription that has no name or is deleted is "Level n"', async ({ page, owner, reseller }) => {
  await owner.visitor.call('POST /create_subscription', { body: { level: 7, name: 'Studio', active: true } })
  const basic = await sellOne(reseller)
  await sellOne(reseller, { subscriptionLevel: 7 })
  await owner.visitor.call('POST /delete_subscription', { body: { level: 7, forceDelete: true } })
  const levelOf = (level: number) => 'Level n'.replace('n', String(level))
  await page.goto('/reseller/licenses')
  await expect(row(page, basic)).toContainText(levelOf(1))
  await sidebar(page).getByRole('link', { name: 'Credits' }).click()
  await expect(row(page, levelOf(7))).toContainText([/Refund of /, 'Generated 1 license'])
  await expect(row(page, 'Basic')).toContainText('Generated 1 license')
})

test("reports a key that couldn't be generated, and an HWID that couldn't be reset", async ({
  app,
  page,
  owner,
  reseller,
}) => {
  const key = await sellOne(reseller)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).body.success).toBe(true)
  await page.goto('/reseller/licenses')
  await expectFailures(app, page, [
    { says: 'Failed to generate license', open: () => fillGenerate(page, 1), press: 'Generate License' },
  ])
  const neverSeen = { last_login_at: null }
  await app.db.write(({ db }) => db.updateTable('users').set(neverSeen).where('app_id', '=', owner.appId).execute())
  await sidebar(page).getByRole('link', { name: 'Users' }).click()
  await expect(row(page, key).getByText('Never', { exact: true })).toBeVisible()
  const reset = () =>
    row(page, key)
      .getByRole('button', { name: /Reset HWID/ })
      .click()
  await expectFailures(app, page, [{ says: 'Failed to reset HWID', open: reset, press: 'Reset HWID' }])
})

test('a page without a selected app asks to select one', async ({ page, owner, context, reseller }) => {
  await owner.visitor.call('POST /create_app', { body: { appName: 'Second app', version: '1.0.0' } })
  await assign(owner, { id: reseller.id, appName: 'Second app', credits: 30, planCosts: { '1': 1 } })
  await page.goto('/reseller/licenses')
  await chooseApp(page, /Second app/)
  await expect(page.getByText('No licenses found.')).toBeVisible()
  const input = { params: { id: reseller.id, app: 'Second app' }, body: {} }
  await owner.visitor.call('DELETE /resellers/{id}/apps/{app}', input)
  // The page refetches its data when the network is back.
  await context.setOffline(true)
  await expect(page.getByText(/^Connection lost/)).toBeVisible()
  await context.setOffline(false)
  const text = 'No app selected. Please select an app from the sidebar to manage licenses.'
  await expect(page.getByText(text, { exact: true })).toBeVisible()
})
