import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { newLog } from '#server/log/log.ts'
import { createAccount, failure, field, fillRegistration, forgetSession, signedInAs } from '#e2e/entry-screen.ts'
import { expect, expectNoAxeViolations, test } from '#e2e/fixtures.ts'
import { countRows, setPlatform } from '#testing/platform.ts'
import { startTestApp } from '#testing/start-test-app.ts'

test('the link that a first start prints makes its reader the administrator, once', async ({ browser }) => {
  let printed = ''
  const output = new Writable({ write: (chunk, _encoding, done) => ((printed += String(chunk)), done()) })
  const fresh = await startTestApp({
    dashboardDir: resolve('dist/web'),
    clockRuns: true,
    log: newLog('info', output),
  })
  const context = await browser.newContext({ baseURL: fresh.url })
  try {
    const link = /http:\/\/signet\.test(\/\S+?)"/.exec(printed)?.[1] ?? 'no link was printed'
    const page = await context.newPage()
    await page.goto(link)
    await expect(page.getByText('This link makes you the administrator of this server.')).toBeVisible()
    await expect(field(page, 'Setup link')).toBeHidden()
    // A visitor without the link is asked for the printed one.
    await page.goto('/register')
    await expect(page.getByText('This server has no administrator yet.')).toBeVisible()
    await expectNoAxeViolations(page)
    await fillRegistration(page, 'the_admin')
    await field(page, 'Setup link').fill('http://signet.test/register?setup=another')
    await createAccount(page)
    await expect(failure(page)).toHaveText('Failed to create account: This setup link is no longer valid')
    await field(page, 'Setup link').fill(` http://signet.test${link} `)
    await createAccount(page)
    await expect(page).toHaveURL(/\/create-app$/)
    expect(await signedInAs(page)).toMatchObject({ username: 'the_admin', role: 'admin' })
    // A signed-in account is redirected; the administration screen does not require another sign-in.
    await page.goto('/register')
    await expect(page).toHaveURL(/\/create-app$/)
    await page.goto('/admin/owners')
    await expect(page).toHaveURL(/\/admin\/owners$/)

    await forgetSession(page)
    await page.goto(link)
    await fillRegistration(page, 'late_comer')
    await createAccount(page)
    await expect(failure(page)).toHaveText('Failed to create account: This setup link is no longer valid')
    expect(await countRows(fresh, 'accounts')).toBe(1)

    await page.goto('/register')
    await expect(field(page, 'Username')).toBeFocused()
    await expect(page.getByText('This link makes you the administrator')).toBeHidden()
    await expect(field(page, 'Setup link')).toBeHidden()
    await fillRegistration(page, 'plain_owner')
    await createAccount(page)
    await expect(page).toHaveURL(/\/create-app$/)
    expect(await signedInAs(page)).toMatchObject({ username: 'plain_owner', role: 'owner' })

    // While registration is closed, there is no link to it and no form.
    await forgetSession(page)
    await page.goto('/login')
    await expect(page.getByRole('link', { name: 'Create an account' })).toBeVisible()
    await setPlatform(fresh, 'platform', { registrationEnabled: false })
    await expect.poll(() => fresh.services.settings.latest.platform.registrationEnabled).toBe(false)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Create an account' })).toBeHidden()
    await page.goto('/register')
    await expect(page.getByText('Registration is closed')).toBeVisible()
    await expect(field(page, 'Username')).toBeHidden()
    await expectNoAxeViolations(page)
    // The administrator link still works.
    await page.goto(link)
    await expect(field(page, 'Username')).toBeVisible()
  } finally {
    await context.close()
    await fresh.close()
  }
})
