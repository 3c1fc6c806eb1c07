import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { goodPassword } from '#testing/people/people.ts'
import type { TestApp } from '#testing/start-test-app.ts'
import { createAccount, field, fillRegistration } from './entry-screen.ts'
import { expect, expectNoAxeViolations, expectToast, signIn, test } from './fixtures.ts'

/**
 * Like a LAN address without TLS: browsers disable `crypto.randomUUID` and the clipboard on such a page. Chromium maps
 * the host to this machine (tools/chromium.ts).
 */
const insecure = ({ url }: TestApp) => url.replace('127.0.0.1', 'signet.test')
const warning = (page: Page) => page.getByRole('region', { name: 'Connection security' })
const dialog = (page: Page) => page.getByRole('dialog')
const stored = (page: Page) => page.evaluate(() => Object.keys(localStorage))

/** The content of the clipboard, by pasting it, because pages on such a URL cannot read it. */
async function pasted(page: Page): Promise<string> {
  const name = page.getByRole('textbox', { name: 'App Name' })
  await page.goto(`${new URL(page.url()).origin}/create-app`)
  await name.fill('')
  await name.press('Control+V')
  return name.inputValue()
}

test('the dashboard works over plain HTTP on a network host, from creating the account to copying keys', async ({
  app,
  page,
}) => {
  const origin = insecure(app)
  await page.goto(`${origin}/register`)
  expect(await page.evaluate(() => isSecureContext || 'randomUUID' in crypto || 'clipboard' in navigator)).toBe(false)
  await expect(warning(page)).toContainText('TLS_CERT_FILE')
  await expectNoAxeViolations(page)
  const name = `plain_${test.info().testId.replace(/\W/g, '').slice(-12)}_${test.info().retry}`
  await fillRegistration(page, name)
  await createAccount(page)
  await expect(page).toHaveURL(/\/create-app$/)
  await page.getByLabel('App Name').fill('Prism Studio')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page).toHaveURL(/\/connect$/)

  await page.goto(`${origin}/licenses`)
  await page.getByRole('button', { name: 'Create licenses' }).first().click()
  await dialog(page).getByLabel('Subscription').selectOption({ label: 'Basic' })
  await dialog(page)
    .getByRole('button', { name: /^create/i })
    .click()
  const created = page.getByRole('dialog', { name: /created/i })
  const key = (await created.getByRole('textbox', { name: 'Created license keys' }).inputValue()).trim()
  // From inside a dialog, which traps the focus.
  await created.getByRole('button', { name: 'Copy all' }).click()
  await expect(created.getByRole('button', { name: 'Copied' })).toBeFocused()
  expect(await pasted(page)).toBe(key)

  await page.getByRole('button', { name: `account of ${name}` }).click()
  expect(await stored(page)).toContain('signet.selected-app')
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  // Here, the browser ignores that the server asks it to clear its storage.
  for (const key of ['signed-in', 'selected-app', 'first-steps', 'recent-things'])
    expect(await stored(page)).not.toContain(`signet.${key}`)
  await field(page, 'Username').fill(name)
  await field(page, 'Password').fill(goodPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expectToast(page, 'Login successful! Welcome back.')
  await expect(page).toHaveURL(/\/overview$/)
})

test("the warning links to the HTTPS setup, stays dismissed for the session, and doesn't appear on loopback", async ({
  app,
  page,
  context,
  owner,
}) => {
  await signIn(context, app, owner.visitor, insecure(app))
  await page.goto(`${insecure(app)}/dashboard`)
  await warning(page).getByRole('button', { name: 'Set up HTTPS' }).click()
  await expect(dialog(page)).toContainText('TLS_KEY_FILE')
  await expect(dialog(page)).toContainText('PUBLIC_URL')
  const named = (await dialog(page).locator('[data-section]').allTextContents()).map((text) => `\n## ${text}\n`)
  expect(named).toHaveLength(2)
  const documentation = readFileSync('docs/operate/behind-a-proxy.md', 'utf8')
  expect(named.filter((heading) => !documentation.includes(heading))).toEqual([])
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')

  await warning(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect(warning(page)).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'App Settings' })).toBeVisible()
  await expect(warning(page)).toBeHidden()
  const later = await context.newPage()
  await later.goto(`${insecure(app)}/dashboard`)
  await expect(warning(later)).toBeVisible()
  await later.goto('/dashboard')
  await expect(later.getByRole('heading', { name: 'App Settings' })).toBeVisible()
  await expect(warning(later)).toBeHidden()
})
