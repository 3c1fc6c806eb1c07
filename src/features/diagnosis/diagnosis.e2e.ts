import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { newSubscriber, userPassword } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { clientOptions } from '#testing/people/sdk-client.ts'
import type { TestApp } from '#testing/start-test-app.ts'

const run = promisify(execFile)
const source = `
import json, sys
from signet_client import Client, SignetError
options, name, arguments = json.loads(sys.argv[1])
try:
    getattr(Client(**options, heartbeat_interval=None), name)(*arguments)
    print("welcome")
except SignetError as error:
    print(error.code)
`

/** Runs a real program with the Python client; returns the replies. */
async function program(app: TestApp, owner: SignedInOwner, name: string, args: string[], hwid = 'machine of the shop') {
  const options = await clientOptions(app, owner)
  const { ownerId, appName, version, serverUrl, verificationKey, sealingKey } = options
  const keys = { verification_key: verificationKey, sealing_key: sealingKey }
  const given = { owner_id: ownerId, app_name: appName, version, server_url: serverUrl, hwid, ...keys }
  const env = { ...process.env, PYTHONPATH: resolve('sdks/python') }
  const python = process.env['SIGNET_PYTHON'] ?? 'python3'
  const { stdout } = await run(python, ['-c', source, JSON.stringify([given, name, args])], { env })
  return stdout.trim()
}

const ask = async (page: Page, search: string) => {
  await page.getByRole('searchbox').fill(search)
  await page.getByRole('searchbox').press('Enter')
}
const newest = (page: Page) => page.getByRole('region', { name: 'What happened' }).getByRole('listitem').first()

test('a Python program is refused for five reasons, and each is explained, dated and led to its remedy', async ({
  app,
  page,
  owner,
}) => {
  test.slow()
  const [banned = '', bound = ''] = await newLicenses(owner, 2)
  const act = owner.visitor
  await page.goto('/why')
  await expect(page.getByText('Who was rejected?')).toBeVisible()
  await expectNoAxeViolations(page)
  await ask(page, 'nobody-knows-this')
  await expect(page.getByText('No match for “nobody-knows-this”')).toBeVisible()

  // 1: a ban
  await act.call('POST /toggle_ban_license', { body: { licenseKey: banned } })
  expect(await program(app, owner, 'license', [banned])).toBe('LICENSE_BANNED')
  await ask(page, banned)
  await expect(newest(page)).toContainText(`License banned by ${owner.username}`)
  await expect(newest(page)).toContainText('Would be rejected again')
  const help = await newest(page).getByRole('link', { name: 'Cause and remedy' }).getAttribute('href')
  const helpPage = await (await page.request.get(help ?? '')).text()
  expect(helpPage).toMatch(/<h1[^>]*>LICENSE_BANNED<\/h1>/)
  await expectNoAxeViolations(page)
  await newest(page).getByRole('link', { name: 'Open the license' }).click()
  await expect(page.getByRole('dialog')).toContainText(banned)
  await act.call('POST /toggle_ban_license', { body: { licenseKey: banned } })
  await page.goto(`/why?q=${banned}`)
  await expect(page.getByText(`License unbanned by ${owner.username}`).first()).toBeVisible()
  await expect(page.getByText('No longer rejected for this reason')).toBeVisible()

  // 2: a different machine
  expect(await program(app, owner, 'license', [bound])).toBe('welcome')
  expect(await program(app, owner, 'license', [bound], 'machine of a friend')).toBe('HWID_MISMATCH')
  await ask(page, 'machine of a friend')
  await expect(newest(page)).toContainText('Requesting machine')
  await newest(page).getByRole('link', { name: 'Reset HWID' }).click()
  await expect(page.getByRole('dialog')).toContainText(bound)

  // 3: an unknown license, found with the command palette
  expect(await program(app, owner, 'license', ['NO-SUCH-KEY'])).toBe('LICENSE_NOT_FOUND')
  await page.goto('/users')
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Go to a page').fill('NO-SUCH-KEY')
  await page.getByRole('option', { name: 'Why was “NO-SUCH-KEY” rejected?' }).click()
  await expect(newest(page)).toContainText('The app has no license with this key.')
  await expect(newest(page).getByRole('link', { name: 'Create licenses' })).toBeVisible()

  // 4: a paused user
  const marta = await newSubscriber(owner, { username: 'marta' })
  await act.call('POST /toggle_pause_user', { body: { username: marta } })
  expect(await program(app, owner, 'login', [marta, userPassword])).toBe('USER_PAUSED')
  await ask(page, marta)
  await expect(newest(page)).toContainText(`User paused by ${owner.username}`)
  await newest(page).getByRole('link', { name: 'Open the user' }).click()
  await expect(page).toHaveURL(/\/users\?q=marta/)
  await expect(page.getByRole('row').filter({ hasText: marta })).toContainText('Paused')

  // 5: a setting of the app, found by the address from the log's menu
  await act.call('POST /update_app', { body: { settings: { appStatus: false } } })
  expect(await program(app, owner, 'license', [bound])).toBe('APP_DISABLED')
  await page.goto('/logs')
  await page
    .getByRole('row')
    .filter({ hasText: 'App disabled' })
    .first()
    .getByRole('button', { name: /^Actions for / })
    .click()
  await page.getByRole('menuitem', { name: 'Why was this rejected?' }).click()
  await expect(page).toHaveURL(/\/why\?q=127\.0\.0\.1/)
  await expect(newest(page)).toContainText(`App settings saved by ${owner.username}`)
  await expect(newest(page)).toContainText('Would be rejected again')
  await newest(page).getByRole('link', { name: 'Open Settings' }).click()
  await expect(page.getByRole('heading', { name: 'App Settings' })).toBeVisible()
})

test('another app is asked anew, and nothing of the first is shown there', async ({ app, page, owner }) => {
  expect(await program(app, owner, 'license', ['NO-SUCH-KEY'])).toBe('LICENSE_NOT_FOUND')
  await page.goto('/why?q=NO-SUCH-KEY')
  await expect(newest(page)).toContainText('License not found')
  await owner.visitor.call('POST /create_app', { body: { appName: 'Second', version: '1.0' } })
  await page.reload()
  await expect(newest(page)).toContainText('License not found')
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Go to a page').fill('Second')
  await page.getByRole('option', { name: 'Second', exact: true }).click()
  // The search of the first app is cleared when another app is selected.
  await expect(page.getByText('Who was rejected?')).toBeVisible()
  await ask(page, 'NO-SUCH-KEY')
  await expect(page.getByText('No match for “NO-SUCH-KEY”')).toBeVisible()
})
