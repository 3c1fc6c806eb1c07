import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { newUser, signedIn, subscribe, userOf, userPassword } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { expect, expectNoAxeViolations, expectToast, test } from './fixtures.ts'

/** "Show as API call": the displayed call is what the button sends, and it works on its own. */

const run = promisify(execFile)
const python = process.env['SIGNET_PYTHON'] ?? 'python3'

const code = (page: Page) => page.getByRole('dialog').getByRole('region', { name: 'Show as API call' })
const inPython = (page: Page) => page.getByRole('dialog').getByRole('tab', { name: 'Python' }).click()
const unfold = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Show as API call' }).click()

/** Runs the displayed command with the cookie and the CSRF token of this session. */
async function runShown(page: Page, visitor: { cookieHeader(): string; send: SendCall }): Promise<string> {
  const { headers } = await visitor.send('GET', '/api/1.0/website/check-auth')
  const env = {
    ...process.env,
    SIGNET_COOKIE: visitor.cookieHeader(),
    SIGNET_CSRF: headers.get('x-csrf-token') ?? '',
    SIGNET_USER_PASSWORD: userPassword,
  }
  const { stdout } = await run(python, ['-c', await code(page).innerText()], { env })
  return stdout
}
type SendCall = (method: string, path: string) => Promise<{ headers: Headers }>

test('the Python of the create dialog creates the license that the form describes', async ({ page, owner }) => {
  await page.goto('/licenses?dialog=create')
  const form = page.getByRole('dialog', { name: 'Create licenses' })
  await form.getByLabel('License mask').fill('IT\'S-\\"$HOME-########')
  await form.getByLabel('Subscription').selectOption({ label: 'Basic' })
  await form.getByLabel('Notes').fill('made by "Python" — ção')
  await expect(code(page)).toContainText('curl -X POST')
  await inPython(page)
  await expect(code(page)).toContainText('from urllib.request import Request, urlopen')
  await expectNoAxeViolations(page)
  expect(await runShown(page, owner.visitor)).toContain("'success': True")
  const { body } = await owner.visitor.call('GET /licenses', { query: { appId: owner.appId } })
  expect(body.licenses).toHaveLength(1)
  expect(body.licenses[0]?.license).toMatch(/^IT'S-\\"\$HOME-\w{8}$/)
  expect(body.licenses[0]?.notes).toBe('made by "Python" — ção')
  await page.goto('/licenses')
  await expect(page.getByRole('row').filter({ hasText: body.licenses[0]?.license ?? 'no license' })).toBeVisible()
})

test('a bulk dialog shows the selected rows, and the language is remembered', async ({ page, owner }) => {
  for (const name of ['ada', 'ben', 'cleo']) await newUser(owner, name)
  await page.goto('/users')
  for (const name of ['ada', 'cleo']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByRole('toolbar', { name: 'Actions for selected rows' }).getByRole('button', { name: 'Ban' }).click()
  await expect(code(page)).toBeHidden()
  await unfold(page)
  await expect(code(page)).toContainText('/api/1.0/website/users/bulk')
  await inPython(page)
  await expectNoAxeViolations(page)
  expect(await runShown(page, owner.visitor)).toContain("'done': 2")
  const { body } = await owner.visitor.call('GET /users', { query: { status: 'banned', appId: owner.appId } })
  expect(body.users.map(({ username }) => username).toSorted()).toEqual(['ada', 'cleo'])

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
  expect(await runShown(page, owner.visitor)).toContain("'success': True")

  await form.getByLabel('Username').fill('edda')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, /^User created/)
  expect(await userOf(owner, 'edda')).toMatchObject({ username: 'edda' })
  await subscribe(owner, 'dora')
  await subscribe(owner, 'edda')
  await signedIn(app, owner, 'dora', userPassword)
  await signedIn(app, owner, 'edda', 'Secret-of-dora-1')
})

test('a bulk dialog of licenses shows the selected keys or the chosen filter', async ({ page, owner }) => {
  const keys = await newLicenses(owner, 12)
  const [first = '', second = ''] = keys
  await page.goto('/licenses?limit=25')
  for (const key of [first, second]) await page.getByRole('checkbox', { name: `Select ${key}` }).check()
  const bar = page.getByRole('toolbar', { name: 'Actions for selected rows' })
  await bar.getByRole('button', { name: 'Ban', exact: true }).click()
  await unfold(page)
  for (const key of [first, second]) await expect(code(page)).toContainText(key)
  await expect(code(page)).not.toContainText(keys[2] ?? '')
  await expectNoAxeViolations(page)
  const request = page.waitForRequest('**/licenses/bulk')
  const shown = await code(page).innerText()
  await page.getByRole('dialog').getByRole('button', { name: 'Ban', exact: true }).click()
  expect(JSON.parse(/--data-raw '(.*)'$/s.exec(shown)?.[1] ?? '')).toEqual((await request).postDataJSON())

  await page.goto('/licenses')
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  await bar.getByRole('button', { name: 'select all 12' }).click()
  await bar.getByRole('button', { name: 'Ban', exact: true }).click()
  await unfold(page)
  await expect(code(page)).toContainText('"filter": ')
  await expect(code(page)).toContainText('"expectedCount": 12')
  await expect(code(page)).not.toContainText('"licenses"')
})
