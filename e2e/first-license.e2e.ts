import { resolve } from 'node:path'
import { bannedText } from '#testing/people/end-users.ts'
import { makeAdmin, newOwner } from '#testing/people/people.ts'
import { startTestApp } from '#testing/start-test-app.ts'
import { expect, test } from './fixtures.ts'
import { runPython } from './python-program.ts'

test('from an empty account to a Python program that rejects a banned license', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])

  await page.goto('/register')
  await page.getByLabel('Username').fill('first_owner')
  await page.getByLabel('Email').fill('first@example.com')
  await page.getByLabel('Display name').fill('First Owner')
  await page.getByLabel('Password', { exact: true }).fill('Correct7Horse')
  await page.getByLabel('Confirm password').fill('Correct7Horse')
  await page.getByRole('checkbox', { name: /terms/i }).check()
  await page.getByRole('button', { name: 'Create account' }).click()

  // An owner without an app is redirected to create one.
  await expect(page).toHaveURL(/\/create-app$/)
  await page.getByLabel('App Name').fill('Prism Studio')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page).toHaveURL(/\/connect$/)
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'App Settings' })).toBeVisible()
  await page
    .getByRole('button', { name: /copy.*snippet|copy.*code|copy python/i })
    .first()
    .click()
  const snippet = await page.evaluate(() => navigator.clipboard.readText())
  expect(snippet).toContain('from signet_client import Client')

  await page.getByRole('link', { name: 'Licenses' }).click()
  await page.getByRole('button', { name: 'Create licenses' }).first().click()
  const dialog = page.getByRole('dialog')
  // The only level is chosen.
  await expect(dialog.getByLabel('Subscription')).toHaveValue('1')
  await dialog.getByRole('button', { name: /^create/i }).click()
  const created = page.getByRole('dialog', { name: /created/i })
  const key = (await created.getByRole('textbox', { name: 'Created license keys' }).inputValue()).trim()
  expect(key).toMatch(/^\w{4}-\w{4}-\w{4}-\w{4}$/)
  await created
    .getByRole('button', { name: /done|close|ok/i })
    .first()
    .click()

  const allowed = await runPython(snippet, `${key}\n`)
  const yes = /^Key: Welcome, your license runs until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n$/
  expect(allowed).toMatchObject({ code: 0, output: expect.stringMatching(yes) })

  await page.reload()
  const row = page.getByRole('row').filter({ hasText: key.slice(0, 4) })
  await expect(row.getByText('Used', { exact: true })).toBeVisible()
  await expect(row.getByText('Same as license')).toBeVisible()
  await row.getByRole('button', { name: /actions|menu/i }).click()
  await page.getByRole('menuitem', { name: 'Ban' }).click()
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: /^ban/i }).click()
  await expect(row.getByText('Banned', { exact: true })).toBeVisible()

  // The whole output, to show that customers see no traceback.
  const rejected = await runPython(snippet, `${key}\n`)
  expect(rejected.code).toBe(1)
  expect(rejected.output.replace(/^Key: /, '')).toMatch(bannedText)
})

test('a server leads from / to setting it up, until it has an administrator', async ({ browser }) => {
  const app = await startTestApp({ dashboardDir: resolve('dist/web'), clockRuns: true })
  const context = await browser.newContext({ baseURL: app.url })
  try {
    const page = await context.newPage()
    await page.goto('/')
    await expect(page).toHaveURL('/register')
    await expect(page.getByLabel('Setup link')).toBeVisible()
    await makeAdmin(app, await newOwner(app))
    await page.goto('/')
    await expect(page).toHaveURL('/login')
  } finally {
    await context.close()
    await app.close()
  }
})
