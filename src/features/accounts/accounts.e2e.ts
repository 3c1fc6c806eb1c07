import type { Page } from '@playwright/test'
import { createAccount, failure, field, fillRegistration, forgetSession, signedInAs } from '#e2e/entry-screen.ts'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { goodPassword } from '#testing/people/people.ts'
import { startGateway } from '#testing/servers/gateway.ts'
import { setAccountBanned, setPlatform } from '#testing/platform.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

let made = 0

const newName = () => `entry_${++made}_${test.info().workerIndex}`
const signIn = (page: Page) => page.getByRole('button', { name: 'Sign in' }).click()

async function enter(page: Page, username: string, password = goodPassword) {
  await field(page, 'Username').fill(username)
  await field(page, 'Password').fill(password)
  await signIn(page)
}

test('an account is created once all missing fields are named and filled in', async ({ page }) => {
  const name = newName()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page).toHaveURL(/\/register$/)
  await expect(page.getByText('Username is required')).toBeHidden()
  await createAccount(page)
  for (const text of [
    'Username is required',
    'Email is required',
    'Display name is required',
    'Password is required',
    'Please confirm your password',
    'You must agree to the terms and conditions',
  ]) {
    await expect(page.getByText(text)).toBeVisible()
  }
  await expect(field(page, 'Username')).toBeFocused()
  await expectNoAxeViolations(page)

  for (const [wrong, text] of [
    ['ab', 'Username must be at least 3 characters'],
    ['ana prism', 'Username can only contain letters, numbers, and underscores'],
  ] as const) {
    await field(page, 'Username').fill(wrong)
    await expect(page.getByText(text, { exact: true })).toBeVisible()
  }

  await field(page, 'Password').fill('Short1')
  await expect(page.getByText('Password must be at least 8 characters', { exact: true })).toBeVisible()
  await fillRegistration(page, name, 'alllower7')
  await field(page, 'Confirm password').fill('another7')
  await field(page, 'Email').fill('nobody')
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  await expect(page.getByText('Password must contain uppercase, lowercase, and number')).toBeVisible()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await createAccount(page)
  await expect(field(page, 'Email')).toBeFocused()
  expect(await signedInAs(page)).toBeUndefined()

  await fillRegistration(page, name)
  await createAccount(page)
  await expectToast(page, 'Account created successfully! You are now logged in.')
  await expect(page).toHaveURL(/\/create-app$/)
  expect(await signedInAs(page)).toMatchObject({ username: name, role: 'owner' })
})

test('a taken name, a common password, and a closed registration keep the typed text', async ({ app, page, owner }) => {
  await forgetSession(page)
  await page.goto('/register')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/register') && request.method() === 'POST') sent.push(request.postDataJSON().username)
  })
  await fillRegistration(page, owner.username.toUpperCase())
  await createAccount(page)
  await expect(failure(page)).toHaveText('Username or email already exists')
  await expect(field(page, 'Display name')).toHaveValue('Ana Prism')

  // This check needs no reply from the server.
  await fillRegistration(page, newName(), 'Password123')
  await expect(page.getByText('This password is too easy to guess')).toBeVisible()
  await createAccount(page)
  await expect(field(page, 'Password')).toBeFocused()
  expect(sent).toEqual([owner.username.toUpperCase()])

  await setPlatform(app, 'platform', { registrationEnabled: false })
  await fillRegistration(page, newName())
  await createAccount(page)
  await expect(failure(page)).toHaveText('Failed to create account: Registration is closed')
  await setPlatform(app, 'platform', { registrationEnabled: true })
  await createAccount(page)
  await expect(page).toHaveURL(/\/create-app$/)
})

test('a wrong password and an unknown name get the same reply; the right password signs in', async ({
  page,
  owner,
}) => {
  await forgetSession(page)
  await page.goto('/licenses')
  await expect(page).toHaveURL(/\/login/)
  await signIn(page)
  await expect(page.getByText('Username is required')).toBeVisible()
  await expect(page.getByText('Password is required')).toBeVisible()
  await expect(field(page, 'Username')).toBeFocused()

  for (const name of ['nobody_of_that_name', owner.username]) {
    await enter(page, name, 'Wrong7Horse')
    await expect(failure(page)).toHaveText('Invalid username or password')
    await expect(field(page, 'Username')).toHaveValue(name)
  }
  expect(await signedInAs(page)).toBeUndefined()
  await enter(page, owner.username.toUpperCase())
  await expectToast(page, 'Login successful! Welcome back.')
  expect(await signedInAs(page)).toMatchObject({ username: owner.username })
  await page.goto('/login')
  await expect(page).not.toHaveURL(/\/login/)
})

test('a banned account is told so, and works again after an unban', async ({ app, page, owner }) => {
  await setAccountBanned(app, owner.id, true)
  await page.goto('/login')
  await enter(page, owner.username)
  await expect(failure(page)).toHaveText('This account has been banned')
  await setAccountBanned(app, owner.id, false)
  await signIn(page)
  await expect(page).toHaveURL(/\/overview$/)
})

test('"remember me" keeps the session after the browser closes and fills in the name, never the password', async ({
  page,
  context,
  owner,
}) => {
  await forgetSession(page)
  await page.goto('/login')
  await enter(page, owner.username)
  await expect(page).toHaveURL(/\/overview$/)
  const expiry = async () => (await context.cookies()).find(({ name }) => name.endsWith('sid'))?.expires
  expect(await expiry()).toBe(-1)

  await forgetSession(page)
  await page.goto('/login')
  await expect(field(page, 'Username')).toHaveValue('')
  await page.getByRole('checkbox', { name: 'Remember me' }).check()
  await enter(page, owner.username)
  await expect(page).toHaveURL(/\/overview$/)
  expect(((await expiry()) ?? 0) - Date.now() / 1000).toBeGreaterThan(29 * 86_400)

  await forgetSession(page)
  await page.goto('/login')
  await expect(field(page, 'Username')).toHaveValue(owner.username)
  await expect(page.getByRole('checkbox', { name: 'Remember me' })).toBeChecked()
  await expect(field(page, 'Password')).toHaveValue('')
  await expect(field(page, 'Password')).toBeFocused()
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(goodPassword)

  await page.getByRole('checkbox', { name: 'Remember me' }).uncheck()
  await enter(page, owner.username)
  await expect(page).toHaveURL(/\/overview$/)
  await forgetSession(page)
  await page.goto('/login')
  await expect(field(page, 'Username')).toHaveValue('')
})

test('a visitor who forgot the password learns who can help, without a call or a hint which accounts exist', async ({
  page,
}) => {
  await page.goto('/login')
  const calls: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && calls.push(request.url()))
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  const dialog = page.getByRole('dialog', { name: 'Forgot password' })
  await dialog.getByRole('button', { name: 'Reset password' }).click()
  await expect(dialog.getByText('Email is required')).toBeVisible()
  await field(page, 'Email').fill('nobody')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Please enter a valid email address')).toBeVisible()
  await expectNoAxeViolations(page)
  await field(page, 'Email').fill('nobody@example.com')
  await page.keyboard.press('Enter')
  const answer = page.getByRole('dialog', { name: 'An administrator can help' })
  await expect(answer).toContainText('no reset link was sent to nobody@example.com')
  await expectNoAxeViolations(page)
  expect(calls).toEqual([])
  await page.keyboard.press('Escape')
  await expect(answer).toBeHidden()
  await expect(page).toHaveURL(/\/login$/)
})

test('the terms can be read before agreeing to them', async ({ page }) => {
  await page.goto('/register')
  const [terms] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'terms and conditions' }).click(),
  ])
  await expect(terms.getByRole('heading', { name: 'Terms and conditions', level: 1 })).toBeVisible()
  await expect(terms.getByRole('heading', { level: 2 })).toHaveCount(6)
  await expectNoAxeViolations(terms)
  await terms.getByRole('link', { name: 'Create account' }).click()
  await expect(terms).toHaveURL(/\/register$/)
})

test('language and theme can be chosen before signing in, and stay', async ({ page }) => {
  await page.goto('/login')
  const html = page.locator('html')
  await page.getByRole('combobox', { name: 'Theme' }).selectOption({ label: 'Light' })
  await expect(html).toHaveAttribute('data-theme', 'light')
  await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'Português' })
  await expect(page.getByRole('heading', { name: 'Entrar', level: 1 })).toBeVisible()
  await expect(html).toHaveAttribute('lang', 'pt-BR')
  await expectNoAxeViolations(page)
  await page.reload()
  await expect(html).toHaveAttribute('data-theme', 'light')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByText('O nome de usuário é obrigatório')).toBeVisible()
  await page.goto('/register')
  await expect(page.getByRole('heading', { name: 'Criar conta', level: 1 })).toBeVisible()
  await page.getByRole('combobox', { name: 'Idioma' }).selectOption({ label: 'English' })
  await expect(page.getByRole('heading', { name: 'Create account', level: 1 })).toBeVisible()
})

test('registering, signing out, and signing in work with the keyboard alone', async ({ page }) => {
  const name = newName()
  const type = async (text: string) => {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.goto('/register')
  await expect(field(page, 'Username')).toBeFocused()
  await type(name)
  await type(`${name}@example.com`)
  await type('Ana Prism')
  for (const label of ['Password', 'Confirm password']) {
    await expect(field(page, label)).toBeFocused()
    await type(goodPassword)
    await expect(page.getByRole('button', { name: 'Show password' }).and(page.locator(':focus'))).toBeVisible()
    await page.keyboard.press('Tab')
  }
  await expect(page.getByRole('checkbox', { name: /terms/ })).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/create-app$/)

  await page.getByRole('button', { name: `account of ${name}` }).press('Enter')
  await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter')
  await expect(page).toHaveURL(/\/login/)
  await expect(field(page, 'Username')).toBeFocused()
  await type(name)
  await page.keyboard.type(goodPassword)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/create-app$/)
  expect(await signedInAs(page)).toMatchObject({ username: name })
})

test('signing out leaves nothing of the session in the browser, and preferences stay (R-SES-10)', async ({ page }) => {
  const username = newName()
  const stored = () => page.evaluate(() => ({ ...localStorage }) as Record<string, string>)
  await page.goto('/register')
  await fillRegistration(page, username)
  await createAccount(page)
  await expect(page).toHaveURL(/\/create-app$/)
  await page.evaluate(() => {
    localStorage.setItem('signet.theme', 'light')
    localStorage.setItem('signet.login', JSON.stringify({ username: 'remembered', rememberMe: true }))
    localStorage.setItem('left-behind', 'by anything else')
  })
  expect(Object.keys(await stored())).toContain('signet.signed-in')
  const signedOut = page.waitForResponse(/\/logout$/)
  await page.getByRole('button', { name: `account of ${username}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  expect((await (await signedOut).allHeaders())['clear-site-data']).toBe('"cache", "storage"')
  await expect(page).toHaveURL(/\/login/)
  await expect(field(page, 'Username')).toHaveValue('remembered')
  expect(await stored()).toEqual({
    'signet.theme': 'light',
    'signet.login': JSON.stringify({ username: 'remembered', rememberMe: true }),
  })
})

test('signing out requires the server: without it the page stays, says so, and the session continues', async ({
  page,
  owner,
  server,
}) => {
  await page.goto('/profile')
  await page.getByRole('button', { name: `account of ${owner.username}` }).click()
  const signOutEntry = page.getByRole('menuitem', { name: 'Sign out' })
  await expect(signOutEntry).toBeVisible()
  await server.stop()
  await signOutEntry.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to sign out' })).toBeVisible()
  await expect(page).toHaveURL(/\/profile$/)
  await server.start()
  await page.reload()
  await expect(field(page, 'Username')).toHaveValue(owner.username)
})

test('a registration or sign-in that fails without a reason says so, and the next attempt works', async ({
  app,
  page,
}) => {
  const gateway = await startGateway(app.url)
  const name = newName()
  await page.goto(`${gateway.url}/register`)
  await fillRegistration(page, name)
  await withoutTable(app.db, 'audit', async () => {
    await createAccount(page)
    await expect(failure(page)).toHaveText('Failed to create account. Please try again.')
  })
  await createAccount(page)
  await expect(page).toHaveURL(/\/create-app$/)

  await forgetSession(page)
  await page.goto(`${gateway.url}/login`)
  await withoutTable(app.db, 'accounts', async () => {
    await enter(page, name)
    await expect(failure(page)).toHaveText('An unexpected error occurred')
  })
  const call = 'POST /api/1.0/website/login'
  gateway.answerBy({ call, status: 502, body: '<h1>Bad Gateway</h1>' })
  await signIn(page)
  await expect(failure(page)).toHaveText('Login failed. Please try again.')
  gateway.answerBy({ call, status: 200, body: '<h1>Welcome to the hotel</h1>' })
  await signIn(page)
  await expect(failure(page)).toHaveText('Login failed')
  gateway.answerBy(undefined)
  await signIn(page)
  await expect(page).toHaveURL(/\/create-app$/)
  await gateway.close()
})
