import { expect, expectNoAxeViolations } from '#e2e/fixtures.ts'
import { password, test } from '#e2e/reseller-screen.ts'
import { sessionHash } from '#server/secrets/session-token.ts'
import { newReseller, resellerPassword } from '#testing/people/resellers.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

/** Account setup of a reseller with the setup link. */

test('a set-up link that was used says what to do instead', async ({ page, reseller }) => {
  await page.goto(`/reseller/setup/${reseller.registrationToken}`)
  await expect(page.getByRole('heading', { name: 'This setup link is no longer valid' })).toBeVisible()
  await expectNoAxeViolations(page)
  await page.getByRole('link', { name: 'sign in' }).click()
  // Setup signs the reseller in.
  await expect(page).toHaveURL(/\/reseller\/dashboard$/)
})

test('what was typed survives a server that fails or is away while an account is set up', async ({
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
  const complete = page.getByRole('button', { name: 'Complete Setup' })
  await withoutTable(app.db, 'audit', async () => {
    await complete.click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Account setup failed')
  })
  await server.stop()
  await complete.click()
  await expect(page.getByText('An error occurred during setup')).toBeVisible()
  await expect(password(page, 'Password')).toHaveValue(resellerPassword)
  await server.start()
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expect(page).toHaveURL(/\/reseller\/dashboard$/)
  const noApps = 'No apps assigned yet. Contact your administrator to get apps assigned to your reseller account.'
  await expect(page.getByText(noApps, { exact: true })).toBeVisible()
  await expectNoAxeViolations(page)
})

test('setting up says that it is at it, and is done by one press', async ({
  app,
  page,
  owner,
  context,
  connection,
}) => {
  const { username, registrationToken } = await newReseller(app, owner)
  await context.clearCookies()
  await page.goto(`${connection.url}/reseller/setup/${registrationToken}`)
  await password(page, 'Email').fill(`${username}@example.com`)
  await password(page, 'Password').fill(resellerPassword)
  await password(page, 'Confirm password').fill(resellerPassword)
  connection.stall()
  await page.getByRole('button', { name: 'Complete Setup' }).click()
  await expect(page.getByRole('button', { name: 'Setting up...', exact: true })).toBeVisible()
  await connection.restore()
  await expect(page).toHaveURL(/\/reseller\/dashboard$/)
})

test('a mailed link confirms another address by one press, once', async ({ app, page, reseller }) => {
  const pending = {
    pending_email: `moved-${reseller.username}@example.com`,
    pending_email_token_hash: sessionHash(reseller.id),
    pending_email_expires_at: app.now() + 60,
  }
  await app.db.write(({ db }) => db.updateTable('resellers').set(pending).where('id', '=', reseller.id).execute())
  const press = async () => {
    await page.goto(`/status`)
    await page.goto(`/reseller/confirm-email#${reseller.id}`)
    await page.getByRole('button', { name: 'Confirm address' }).click()
  }
  await press()
  await expect(page.getByText('Your new email address is confirmed')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  await expectNoAxeViolations(page)
  await press()
  await expect(page.getByText('This confirmation link is no longer valid')).toBeVisible()
  await expectNoAxeViolations(page)
})
