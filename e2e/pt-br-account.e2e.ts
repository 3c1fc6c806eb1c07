import { startMailServer, turnMailOn } from '#testing/servers/mail-server.ts'
import { setPlan } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { pt } from './catalog.ts'
import { expect } from './fixtures.ts'
import { test } from './portuguese-reader.ts'

test.use({ locale: 'pt-BR' })
test.beforeEach(({ app }) => {
  // Sign-ins of earlier tests come from the same address.
  app.advance(61)
})

test('the profile, its cards and dialogs are in Portuguese', async ({ app, page, owner, reader }) => {
  await setPlatform(app, 'security', { enable2FA: true })
  await setPlan(app, owner.id, 'Free')
  await page.goto('/profile')
  await reader.openDialog('/profile?dialog=logout-all')
  for (const name of ['password', 'delete-account', 'two-factor']) {
    await reader.openDialog(`/profile?dialog=${name}`)
    await reader.submit()
  }
  await reader.openDialog('/profile?dialog=upgrade')
  await reader.dialog.getByRole('radio', { name: 'Developer' }).check()
  await reader.button('Upgrade to {chosen}', 'Developer').click()
  await expect(reader.dialog.getByRole('alert')).toBeVisible()
  await reader.openDialog('/profile?dialog=delete-account')
  await reader.field('Username').fill('outra')
  await reader.submit()
  await reader.openDialog('/profile?dialog=password')
  await reader.field('Current password').fill('Wrong7Horse')
  await reader.field('New password').fill('Another7Horse')
  await reader.field('Confirm new password').fill('Another7Horse')
  await reader.submit()
  await expect(reader.dialog.getByRole('alert')).toBeVisible()
  await reader.field('Current password').fill(owner.password)
  await reader.confirm()
  await page.getByLabel(pt('Email'), { exact: true }).fill('nobody')
  await reader.button('Save Changes').click()
  await reader.settled()
  await page.getByLabel(pt('Email'), { exact: true }).fill(`${owner.username}@example.org`)
  reader.data.add(`${owner.username}@example.org`)
  await reader.button('Save Changes').click()
  await reader.settled()
})

test('the pages before signing in are in Portuguese', async ({ page, context, reader }) => {
  await context.clearCookies()
  await page.goto('/register')
  await reader.settled()
  await reader.button('Create account').click()
  await page.getByLabel(pt('Username'), { exact: true }).fill('a')
  await page.getByLabel(pt('Email'), { exact: true }).fill('a')
  await page.getByLabel(pt('Password'), { exact: true }).fill('a')
  await reader.button('Create account').click()
  await reader.go('/terms')
  await page.goto('/login')
  await reader.button('Sign in').click()
  await page.getByLabel(pt('Username'), { exact: true }).fill('nobody')
  await page.getByLabel(pt('Password'), { exact: true }).fill('Wrong7Horse')
  await reader.button('Sign in').click()
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await reader.button('Forgot password?').click()
  await reader.submit()
  await reader.field('Email').fill('ana@example.com')
  reader.data.add('ana@example.com')
  await reader.submit()
})

test('a forgotten password is asked for and set in Portuguese', async ({ app, page, context, owner, reader }) => {
  const server = await startMailServer()
  await turnMailOn(app, server)
  await context.clearCookies()
  await page.goto('/login')
  await reader.button('Forgot password?').click()
  const address = `${owner.username}@example.com`
  reader.data.add(address)
  await reader.field('Email').fill(address)
  await reader.submit()
  await expect(reader.dialog).toContainText(address)
  await expect.poll(() => server.mails.length).toBe(1)
  const { hash } = new URL(/^http.*#.*$/m.exec(server.mails[0]?.text ?? '')?.[0] ?? '')
  for (const path of ['/reset-user-password', `/reset-password${hash}`]) {
    await page.goto('about:blank')
    await page.goto(path)
    await reader.settled()
  }
  await reader.button('Set password').click()
  await page.getByLabel(pt('New password'), { exact: true }).fill('Battery7Staple')
  await page.getByLabel(pt('Confirm new password'), { exact: true }).fill('Battery7Staple')
  await reader.button('Set password').click()
  await expect(page.getByRole('main').getByRole('status')).toContainText(
    pt('Your new password is set. Please sign in.'),
  )
  await reader.settled()
  await turnMailOn(app, server, { enabled: false })
  await server.close()
})
