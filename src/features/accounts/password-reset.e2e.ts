import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { type MailServer, startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { makeAdmin, newLicenses, newOwner } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'

let server: MailServer

test.beforeEach(async () => {
  server = await startMailServer()
})
test.afterEach(async ({ app }) => {
  await turnMailOn(app, server, { enabled: false })
  await server.close()
})

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const linkIn = (text = '') => new URL(/^http.*#.*$/m.exec(text)?.[0] ?? 'http://no.link')
const fresh = 'Battery7Staple'

/** Opens the link of the last email at the URL this browser uses for the server. */
async function followLink(page: Page) {
  await expect.poll(() => server.mails.length).toBeGreaterThan(0)
  const { pathname, hash } = linkIn(server.mails.at(-1)?.text)
  await page.goto(pathname + hash)
}

async function setPassword(page: Page, password: string, confirmation = password) {
  await field(page, 'New password').fill(password)
  await field(page, 'Confirm new password').fill(confirmation)
  await page.getByRole('button', { name: 'Set password' }).click()
}

test('an owner who forgot the password gets a link by mail, sets a new password, and signs in with it', async ({
  app,
  page,
  context,
  owner,
}) => {
  await turnMailOn(app, server)
  await context.clearCookies()
  await page.goto('/login')
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await field(page, 'Email').fill(`${owner.username}@example.com`)
  await page.getByRole('button', { name: 'Reset password' }).click()
  const answer = page.getByRole('dialog', { name: 'Check your inbox' })
  await expect(answer).toContainText(`If an account has the address ${owner.username}@example.com`)
  await expectNoAxeViolations(page)

  await followLink(page)
  await expect(page.getByRole('heading', { name: 'New password' })).toBeVisible()
  await expect(field(page, 'New password')).toBeFocused()
  await setPassword(page, 'short', 'other')
  await expect(page.getByText('Password must be at least 8 characters long')).toBeVisible()
  await expect(page.getByText('Passwords do not match')).toBeVisible()
  await expectNoAxeViolations(page)
  await setPassword(page, fresh)
  await expect(page.getByText('Your new password is set. Please sign in.')).toBeVisible()
  await expectNoAxeViolations(page)

  await page.getByRole('link', { name: 'Sign in' }).click()
  await field(page, 'Username').fill(owner.username)
  await field(page, 'Password').fill(fresh)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/overview$/)

  // The link has been used; the page explains what to do next.
  const used = linkIn(server.mails.find(({ text }) => text?.includes('reset-password#'))?.text)
  await context.clearCookies()
  await page.goto('about:blank')
  await page.goto(used.pathname + used.hash)
  await setPassword(page, 'Another7Horse')
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'This link is no longer valid. Please request a new one.',
  )
  await expectNoAxeViolations(page)
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expect(page.getByRole('dialog', { name: 'Forgot password' })).toBeVisible()
})

test('the page also reports mail that was turned off since it was loaded', async ({ app, page, context, owner }) => {
  await turnMailOn(app, server)
  await context.clearCookies()
  await page.goto('/login')
  await turnMailOn(app, server, { enabled: false })
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await field(page, 'Email').fill(`${owner.username}@example.com`)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await expect(page.getByRole('dialog', { name: 'An administrator can help' })).toContainText('does not send mail')
})

test("a customer sets a program's password with the link that the program requested", async ({
  app,
  page,
  context,
  owner,
}) => {
  await turnMailOn(app, server)
  await context.clearCookies()
  const program = await Program.of(app, owner)
  await program.init()
  const [licenseKey] = await newLicenses(owner, 1)
  const customer = { username: 'Customer', password: 'Password-of-user', licenseKey, hwid: program.hwid }
  await program.send('register', { ...customer, email: 'customer@example.com' })
  expect((await program.send('request-password-reset', { username: 'Customer' })).body.success).toBe(true)

  await followLink(page)
  expect(server.mails[0]?.text).toContain('for your account Customer for Prism Studio')
  await setPassword(page, 'another password')
  await expect(page.getByText('Your new password is set. Sign in to your program with it.')).toBeVisible()
  await expectNoAxeViolations(page)
  expect((await program.heartbeat()).body.code).toBe('SESSION_ENDED')
  await program.init()
  expect((await program.login('Customer', 'another password')).body.success).toBe(true)

  await page.goto('/reset-user-password')
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'This link is no longer valid. Please request a new one.',
  )
  await expect(page.getByText('Your program can ask for one.')).toBeVisible()
})

test('an administrator tests the mail settings and sees the kind of failure', async ({ app, page, owner }) => {
  await makeAdmin(app, owner)
  await turnMailOn(app, server)
  await page.goto('/admin/settings')
  const email = page.getByRole('form', { name: 'Email', exact: true })
  const test = email.getByRole('button', { name: 'Send test mail' })
  await test.click()
  await expectToast(page, `Test mail sent to ${owner.username}@example.com`)
  expect(server.mails.map(({ recipients }) => recipients)).toEqual([[`${owner.username}@example.com`]])

  server.rejection = { code: 550, text: 'We do not relay' }
  await test.click()
  await expect(email.getByRole('alert')).toHaveText('The mail server rejected the recipient')
  await expectNoAxeViolations(page)

  await email.getByLabel('Sender name').fill('Somebody')
  await expect(test).toHaveAttribute('aria-disabled', 'true')
  await expect(test).toHaveAccessibleDescription('Save the settings first')
  await expect(email.getByText('Save the settings first')).toBeVisible()
})

test('an administrator has a link mailed to an owner, or passes it on if the server sends no mail', async ({
  app,
  page,
  owner,
  context,
}) => {
  await makeAdmin(app, owner)
  const other = await newOwner(app, `reset_${owner.username}`.slice(0, 60))
  await turnMailOn(app, server)
  await page.goto('/admin/owners')
  await page.getByRole('searchbox').fill(other.username)
  await expect(page.getByRole('row').filter({ hasText: other.id })).toBeVisible()
  const start = async () => {
    await page.getByRole('button', { name: `Actions for ${other.username}` }).click()
    await page.getByRole('menuitem', { name: 'Reset password' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
  }
  await start()
  await expectToast(page, 'Password reset link sent to the owner')
  await expect.poll(() => server.mails.map(({ recipients }) => recipients)).toEqual([[`${other.username}@example.com`]])
  expect(linkIn(server.mails[0]?.text).pathname).toBe('/reset-password')

  await turnMailOn(app, server, { enabled: false })
  await start()
  const link = field(page, 'Password reset link')
  await expect(link).toHaveValue(new RegExp(`^${app.url}/reset-password#`))
  await expectNoAxeViolations(page)
  const address = await link.inputValue()
  // An accidental Escape does not close the dialog.
  await page.keyboard.press('Escape')
  await expect(link).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()

  await context.clearCookies()
  await page.goto('about:blank')
  await page.goto(address)
  await setPassword(page, fresh)
  await expect(page.getByText('Your new password is set. Please sign in.')).toBeVisible()
})

test('mails are in the language chosen in the dashboard', async ({ app, page, context, owner }) => {
  await turnMailOn(app, server)
  await context.clearCookies()
  await page.goto('/login')
  await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'Português' })
  await page.getByLabel('Usuário', { exact: false }).first().fill(owner.username)
  await page.getByLabel('Senha', { exact: true }).fill(owner.password)
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/\/login/)
  // The browser itself prefers English.
  await expect.poll(() => server.mails.map(({ subject }) => subject)).toEqual(['Novo login em Signet'])
})
