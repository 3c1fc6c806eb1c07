import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { newUser, signedIn, subscribe, userOf, userPassword } from '#testing/people/end-users.ts'
import { newLicenses, type OwnedApp } from '#testing/people/people.ts'
import { expect, expectNoAxeViolations, expectToast, test } from './fixtures.ts'

/** "Show as API call": the displayed call does what the button does, and it works on its own. */

const run = promisify(execFile)
const python = process.env['SIGNET_PYTHON'] ?? 'python3'

const code = (page: Page) => page.getByRole('dialog').getByRole('region', { name: 'Show as API call' })
const inPython = (page: Page) => page.getByRole('dialog').getByRole('tab', { name: 'Python' }).click()
const unfold = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Show as API call' }).click()

/** Runs the displayed command with a new seller key; or with the cookie and the CSRF token of this session. */
async function runShown(page: Page, { visitor, appId }: OwnedApp): Promise<string> {
  const { headers } = await visitor.send('GET', '/api/1.0/website/check-auth')
  const { body } = await visitor.call('POST /create_seller_key', { body: { keyName: 'Shell', permissions: [], appId } })
  await expect(page.getByRole('dialog').getByText(body.sellerKey)).toHaveCount(0)
  const env = {
    ...process.env,
    SELLER_KEY: body.sellerKey,
    SIGNET_COOKIE: visitor.cookieHeader(),
    SIGNET_CSRF: headers.get('x-csrf-token') ?? '',
    SIGNET_USER_PASSWORD: userPassword,
  }
  const { stdout } = await run(python, ['-c', await code(page).innerText()], { env })
  return stdout
}

test('the Python of the create dialog creates the license that the form describes', async ({ page, owner }) => {
  await page.goto('/licenses?dialog=create')
  const form = page.getByRole('dialog', { name: 'Create licenses' })
  await form.getByLabel('License mask').fill('IT\'S-\\"$HOME-########')
  await form.getByLabel('Subscription').selectOption({ label: 'Basic' })
  await form.getByLabel('Notes').fill('made by "Python" — ção')
  await expect(code(page)).toContainText('curl -X POST')
  await expect(code(page)).toContainText('-H "Authorization: Bearer $SELLER_KEY"')
  await expect(form.getByText('Set SELLER_KEY to a seller key with the permission licenses:write.')).toBeVisible()
  await inPython(page)
  await expect(code(page)).toContainText('from urllib.request import Request, urlopen')
  await expectNoAxeViolations(page)
  expect(await runShown(page, owner)).toContain("'success': True")
  const { body } = await owner.visitor.call('GET /licenses', { query: { appId: owner.appId } })
  expect(body.licenses).toHaveLength(1)
  expect(body.licenses[0]?.license).toMatch(/^IT'S-\\"\$HOME-\w{8}$/)
  expect(body.licenses[0]?.notes).toBe('made by "Python" — ção')
  await page.goto('/licenses')
  await expect(page.getByRole('row').filter({ hasText: body.licenses[0]?.license ?? 'no license' })).toBeVisible()
})

test('a dialog about one license shows its call, and an edit once something has changed', async ({ page, owner }) => {
  const [key = ''] = await newLicenses(owner, 1)
  await page.goto(`/licenses?dialog=edit&row=${key}`)
  const form = page.getByRole('dialog')
  await unfold(page)
  await expect(form.getByText('Change a field to see the call.')).toBeVisible()
  await form.getByLabel('Notes').fill('from the shell')
  await expect(code(page)).toContainText(`/api/1.0/seller/licenses/${key}`)
  await expect(code(page)).toContainText('"notes": "from the shell"')
  await expect(code(page)).not.toContainText('"expiry"')

  await page.goto(`/licenses?dialog=ban&row=${key}`)
  await unfold(page)
  await expect(code(page)).toContainText(`/api/1.0/seller/licenses/${key}/ban`)
  await inPython(page)
  await expectNoAxeViolations(page)
  expect(await runShown(page, owner)).toContain("'success': True")
  const { body } = await owner.visitor.call('GET /licenses', { query: { appId: owner.appId } })
  expect(body.licenses).toMatchObject([{ license: key, banned: true, notes: '' }])
})

test('a bulk dialog shows the selected rows, and the language is remembered', async ({ page, owner }) => {
  for (const name of ['ada', 'ben', 'cleo']) await newUser(owner, name)
  await page.goto('/users')
  for (const name of ['ada', 'cleo']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByRole('toolbar', { name: 'Actions for selected rows' }).getByRole('button', { name: 'Ban' }).click()
  await expect(code(page)).toBeHidden()
  await unfold(page)
  await expect(code(page)).toContainText(/\/api\/1.0\/seller\/users\/(ada|cleo)\/ban/)
  await expect(page.getByText('The seller API takes one row per call: this is the first of 2.')).toBeVisible()
  await inPython(page)
  await expectNoAxeViolations(page)
  expect(await runShown(page, owner)).toContain("'banned': True")
  const { body } = await owner.visitor.call('GET /users', { query: { status: 'banned', appId: owner.appId } })
  expect(body.users).toHaveLength(1)
  expect(['ada', 'cleo']).toContain(body.users[0]?.username)

  await page.goto('/subscriptions?dialog=create')
  await unfold(page)
  await expect(code(page)).toContainText('"level": 2')
  await expect(code(page)).toContainText('import uuid')
})

test('a password is never shown, and is read from its variable', async ({ app, page, owner }) => {
  await page.goto('/users?dialog=create')
  const form = page.getByRole('dialog', { name: 'Create user' })
  await form.getByLabel('Username').fill('dora')
  await form.getByLabel('Password', { exact: true }).fill('Secret-of-dora-1')
  await unfold(page)
  await expect(code(page)).toContainText('"username": "dora"')
  await expect(code(page)).toContainText('$SIGNET_USER_PASSWORD')
  await expect(code(page)).not.toContainText('Secret-of-dora-1')
  await inPython(page)
  await expect(code(page)).toContainText('"password": os.environ["SIGNET_USER_PASSWORD"]')
  await expect(code(page)).not.toContainText('Secret-of-dora-1')
  expect(await runShown(page, owner)).toContain("'success': True")

  await form.getByLabel('Username').fill('edda')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, /^User created/)
  expect(await userOf(owner, 'edda')).toMatchObject({ username: 'edda' })
  await subscribe(owner, 'dora')
  await subscribe(owner, 'edda')
  await signedIn(app, owner, 'dora', userPassword)
  await signedIn(app, owner, 'edda', 'Secret-of-dora-1')
})

test('all rows of a filter have no call of a seller key, so the call of the button is shown', async ({
  page,
  owner,
}) => {
  await newLicenses(owner, 12)
  await page.goto('/licenses')
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  const bar = page.getByRole('toolbar', { name: 'Actions for selected rows' })
  await bar.getByRole('button', { name: 'select all 12' }).click()
  await bar.getByRole('button', { name: 'Ban', exact: true }).click()
  await unfold(page)
  await expect(code(page)).toContainText('"filter": ')
  await expect(code(page)).toContainText('"expectedCount": 12')
  await expect(code(page)).not.toContainText('"licenses"')
  await expect(code(page)).not.toContainText('SELLER_KEY')
  await inPython(page)
  await expectNoAxeViolations(page)
  expect(await runShown(page, owner)).toContain("'success': True")
  const { body } = await owner.visitor.call('GET /licenses', { query: { appId: owner.appId, status: 'banned' } })
  expect(body.total).toBe(12)
})
