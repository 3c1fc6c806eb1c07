import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { activityLog } from '#features/logs/logs.actions.ts'
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
    print(error.code, error.request_id)
`

/** Runs a real program with the Python client; returns `welcome`, or the error's code with its request ID. */
async function start(app: TestApp, owner: SignedInOwner, name: string, args: string[], hwid = 'machine of the shop') {
  const options = await clientOptions(app, owner)
  const { ownerId, appName, version, serverUrl, verificationKey, sealingKey } = options
  const keys = { verification_key: verificationKey, sealing_key: sealingKey }
  const given = { owner_id: ownerId, app_name: appName, version, server_url: serverUrl, hwid, ...keys }
  const env = { ...process.env, PYTHONPATH: resolve('sdks/python') }
  const python = process.env['SIGNET_PYTHON'] ?? 'python3'
  const { stdout } = await run(python, ['-c', source, JSON.stringify([given, name, args])], { env })
  return stdout.trim()
}

/** `welcome`, or the error's code. */
const program = async (...args: Parameters<typeof start>) => (await start(...args)).split(' ')[0]

const ask = async (page: Page, search: string) => {
  await page.getByRole('searchbox').fill(search)
  await page.getByRole('searchbox').press('Enter')
}
const answer = (page: Page) => page.getByRole('region', { name: 'Answer' })
const customer = (page: Page) => page.getByRole('region', { name: 'Customer' })
const timeline = (page: Page) => page.getByRole('region', { name: 'What happened' })
const newest = (page: Page) => timeline(page).getByRole('listitem').first()
const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click()

const isTooWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)

test('a banned customer reads out the code, and is let in with the keyboard alone; Undo takes it back', async ({
  app,
  page,
  owner,
}) => {
  test.slow()
  const [key = ''] = await newLicenses(owner, 1)
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
  const [code, requestId = ''] = (await start(app, owner, 'license', [key])).split(' ')
  expect(code).toBe('LICENSE_BANNED')

  await page.goto('/why')
  await expect(page.getByText('Who was rejected?')).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type(requestId.toLowerCase().replace('-', ' '))
  await page.keyboard.press('Enter')
  await expect(answer(page).getByRole('heading')).toContainText(/^Rejected on .*: this license is banned$/)
  await expect(answer(page)).toContainText(requestId)
  await expect(answer(page)).toContainText(`License banned by ${owner.username}`)
  await expect(customer(page)).toContainText(key)
  await expect(newest(page)).toContainText('This rejection')
  await expectNoAxeViolations(page)

  for (let tabs = 0; tabs < 20; tabs++) {
    await page.keyboard.press('Tab')
    if (
      await answer(page)
        .getByRole('button', { name: 'Unban the license' })
        .evaluate((one) => one === document.activeElement)
    )
      break
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText(key)
  await expectNoAxeViolations(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(answer(page).getByRole('heading')).toHaveText('Fixed: this customer can start now')
  expect(await program(app, owner, 'license', [key])).toBe('welcome')

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(answer(page).getByRole('heading')).toContainText(/this license is banned$/)
  expect(await program(app, owner, 'license', [key])).toBe('LICENSE_BANNED')

  await page.goto(`/logs?q=${requestId.toLowerCase()}`)
  const row = page.getByRole('row').filter({ hasText: 'License banned' })
  await expect(row).toHaveCount(1)
  await row.getByRole('button', { name: /details/i }).click()
  await expect(page.getByText('Support code')).toBeVisible()
  await expect(page.getByText(requestId, { exact: true })).toBeVisible()
})

test('a customer is let in by what the answer offers', async ({ app, page, owner }) => {
  test.slow()
  await test.step('a customer with another machine is let in, and the page follows each try', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    expect(await program(app, owner, 'license', [key])).toBe('welcome')
    expect(await program(app, owner, 'license', [key], 'machine of a friend')).toBe('HWID_MISMATCH')
    await page.goto('/why')
    await ask(page, 'machine of a friend')
    await expect(answer(page).getByRole('heading')).toContainText(/this user is bound to another machine$/)
    await expect(answer(page)).toContainText('Requesting machine')
    await answer(page).getByRole('button', { name: 'Reset HWID' }).click()
    await confirm(page, 'Reset HWID')
    await expect(answer(page).getByRole('heading')).toHaveText('Fixed: this customer can start now')
    expect(await program(app, owner, 'license', [key], 'machine of a friend')).toBe('welcome')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(newest(page)).toContainText('Signed in with a license key')
  })

  await test.step('a customer without time gets some, and other reasons are fixed one after the other', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    const visitor = owner.visitor
    expect(await program(app, owner, 'license', [key])).toBe('welcome')
    const params = { username: key, id: 1 }
    await visitor.call('PUT /user/{username}/subscriptions/{id}', { params, body: { active: false } })
    await visitor.call('POST /toggle_pause_user', { body: { username: key, paused: true } })
    expect(await program(app, owner, 'license', [key])).toBe('USER_PAUSED')
    await page.goto(`/why?q=${key}`)
    await expect(answer(page).getByRole('heading')).toContainText(/^Rejected since .*: this user is paused$/)
    await answer(page).getByRole('button', { name: 'Unpause the user' }).click()
    await confirm(page, 'Unpause the user')
    await expect(answer(page).getByRole('heading')).toContainText(/^Rejected since .*: no time is left$/)
    await answer(page).getByRole('button', { name: 'Add time' }).click()
    const days = page.getByRole('spinbutton', { name: 'Days' })
    await days.fill('0')
    await confirm(page, 'Add time')
    await expect(page.getByRole('dialog')).toContainText('Enter 1 to 3650 days')
    await days.fill('7')
    await confirm(page, 'Add time')
    await expect(answer(page).getByRole('heading')).toHaveText('Fixed: this customer can start now')
    await expect(customer(page)).toContainText('7 days left')
    expect(await program(app, owner, 'license', [key])).toBe('welcome')
  })
})

test('time whose reply is lost is added once, and another number of days is another request', async ({
  page,
  owner,
}) => {
  await newSubscriber(owner, { username: 'ana', days: 1 })
  const params = { username: 'ana', id: 1 }
  await owner.visitor.call('PUT /user/{username}/subscriptions/{id}', { params, body: { active: false } })
  const keys: (string | undefined)[] = []
  await page.route('**/user/ana/subscriptions', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 2) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await page.goto('/why?q=ana')
  await answer(page).getByRole('button', { name: 'Add time' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add time for ana?' })
  const add = async (days: string, calls: number) => {
    await dialog.getByRole('spinbutton', { name: 'Days' }).fill(days)
    await dialog.getByRole('button', { name: 'Add time' }).click()
    await expect.poll(() => keys.length).toBe(calls)
  }
  await add('7', 1)
  await expect(dialog.getByRole('alert')).toHaveText('Failed to add time')
  await add('7', 2)
  await expect(dialog.getByRole('alert')).toHaveText('Failed to add time')
  await add('8', 3)
  // The first request has added it.
  await expect(dialog.getByRole('alert')).toHaveText('The user already has this subscription')
  const [first, again, other] = keys
  expect(again).toBe(first)
  expect(other).not.toBe(first)
})

test('names lead to what they name, and no address or key is cut or widens the page on a phone', async ({
  app,
  page,
  owner,
}) => {
  const mask = Array.from({ length: 16 }, () => '#######').join('-')
  const licenses = { amount: 1, mask, subscription: 1, duration: 30, expiryUnit: 'days' } as const
  const made = await owner.visitor.call('POST /create_licenses', { body: licenses })
  const key = made.body.licenses[0] ?? ''
  expect(key).toHaveLength(127)
  const row = { appId: owner.appId, call: 'license', code: 'LICENSE_BANNED', license: key, username: key }
  const ip = '2001:0db8:85a3:1234:5678:8a2e:0370:7334'
  const noon = Math.floor(app.now() / 86_400) * 86_400 - 43_200
  for (let n = 0; n < 14; n++) {
    activityLog(app.services).record({ ...row, at: noon + n * 60, hwidHash: 'm'.repeat(43), ip })
  }
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key } })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/why?q=${key}`)
  await expect(answer(page).getByRole('heading')).toContainText(/this license is banned$/)
  await expect(timeline(page)).toContainText('14 times between 12:00')
  await expect(timeline(page)).toContainText(ip)
  await expect(customer(page)).toContainText(key)
  expect(await isTooWide(page)).toBe(false)
  await expectNoAxeViolations(page)
  await timeline(page).getByRole('link', { name: ip }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Show in the log' }).click()
  await expect(page).toHaveURL(/\/logs\?f\.ip=2001/)
  await page.goBack()
  await page.goBack()
  await customer(page).getByRole('link', { name: key }).click()
  await expect(page.getByRole('dialog')).toContainText(key)
})

test('recent look-ups are offered until the owner signs out, and are never stored', async ({ page, owner }) => {
  const [key = ''] = await newLicenses(owner, 1)
  await page.goto('/why')
  await ask(page, 'nobody-knows-this')
  await expect(page.getByText('No match for “nobody-knows-this”')).toBeVisible()
  await ask(page, key)
  await expect(answer(page).getByRole('heading')).toHaveText('Nothing keeps this customer out now')
  await ask(page, '')
  const recent = page.getByRole('region', { name: 'Recent look-ups' })
  await expect(recent.getByRole('button')).toHaveCount(1)
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).not.toContain(key)
  await expectNoAxeViolations(page)
  await recent.getByRole('button').click()
  await expect(answer(page)).toBeVisible()

  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Username', { exact: true }).fill(owner.username)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Logs' }).click()
  await page.getByRole('link', { name: 'Why was this rejected?' }).click()
  await expect(page.getByText('Who was rejected?')).toBeVisible()
  await expect(recent).toBeHidden()
})

test('while the server is stopped, a look-up says so, and Retry repeats it', async ({ page, owner, server }) => {
  const [key = ''] = await newLicenses(owner, 1)
  await page.goto('/why')
  await expect(page.getByText('Who was rejected?')).toBeVisible()
  await server.stop()
  await ask(page, key)
  await expect(page.getByText('Failed to load the history')).toBeVisible()
  await server.start()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(answer(page).getByRole('heading')).toHaveText('Nothing keeps this customer out now')
})

test('a Python program is rejected for five reasons, and each is explained, dated and led to its remedy', async ({
  app,
  page,
  owner,
}) => {
  test.slow()
  const [banned = '', bound = ''] = await newLicenses(owner, 2)
  const visitor = owner.visitor

  // 1: a ban
  await visitor.call('POST /toggle_ban_license', { body: { licenseKey: banned } })
  expect(await program(app, owner, 'license', [banned])).toBe('LICENSE_BANNED')
  await page.goto(`/why?q=${banned}`)
  await expect(newest(page)).toContainText('Decides')
  await newest(page).getByRole('button', { name: 'Rule' }).click()
  await expect(newest(page)).toContainText(`License banned by ${owner.username}`)
  await expect(newest(page)).toContainText('Would be rejected again')
  for (const place of [newest(page), answer(page)]) {
    const help = await place.getByRole('link', { name: 'Cause and remedy' }).getAttribute('href')
    const helpPage = await (await page.request.get(help ?? '')).text()
    expect(helpPage).toMatch(/<h1[^>]*>LICENSE_BANNED<\/h1>/)
  }
  await expectNoAxeViolations(page)
  await answer(page).getByRole('link', { name: 'Open the license' }).click()
  await expect(page.getByRole('region', { name: `License ${banned}` })).toBeVisible()
  await visitor.call('POST /toggle_ban_license', { body: { licenseKey: banned } })
  await page.goto(`/why?q=${banned}`)
  await expect(newest(page)).toContainText(`License unbanned by ${owner.username}`)
  await expect(answer(page).getByRole('heading')).toHaveText('Nothing keeps this customer out now')

  // 2: a different machine
  expect(await program(app, owner, 'license', [bound])).toBe('welcome')
  expect(await program(app, owner, 'license', [bound], 'machine of a friend')).toBe('HWID_MISMATCH')
  await ask(page, bound)
  await expect(answer(page)).toContainText('Requesting machine')
  await expect(customer(page)).toContainText('Bound machine')

  // 3: an unknown license, found with the command palette
  expect(await program(app, owner, 'license', ['NO-SUCH-KEY'])).toBe('LICENSE_NOT_FOUND')
  await page.goto('/users')
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Go to a page').fill('NO-SUCH-KEY')
  await page.getByRole('option', { name: 'Why was “NO-SUCH-KEY” rejected?' }).click()
  await expect(answer(page)).toContainText('this app has no license with this key')
  await expect(answer(page).getByRole('link', { name: 'Create licenses' })).toBeVisible()

  // 4: a paused user
  const marta = await newSubscriber(owner, { username: 'marta' })
  await visitor.call('POST /toggle_pause_user', { body: { username: marta } })
  expect(await program(app, owner, 'login', [marta, userPassword])).toBe('USER_PAUSED')
  await ask(page, marta)
  await expect(answer(page)).toContainText(`User paused by ${owner.username}`)
  await answer(page).getByRole('link', { name: 'Open the user' }).click()
  await expect(page).toHaveURL(/\/users\?q=marta/)
  await expect(page.getByRole('row').filter({ hasText: marta })).toContainText('Paused')

  // 5: a setting of the app, found by the address from the log's menu
  await visitor.call('POST /update_app', { body: { settings: { appStatus: false } } })
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
  await expect(answer(page)).toContainText(`App settings saved by ${owner.username}`)
  await expect(answer(page).getByRole('heading')).toContainText(/this app is turned off$/)
  await answer(page).getByRole('link', { name: 'Open Settings' }).click()
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

test('the log and this page are two tabs of one place, which the rail marks', async ({ page, owner }) => {
  expect(owner.appId).not.toBe('')
  await page.goto('/why')
  const rail = page.getByRole('complementary').getByRole('link', { name: 'Logs' })
  await expect(rail).toHaveAttribute('aria-current', 'page')
  const tabs = page.getByRole('navigation', { name: 'Logs' })
  await expect(tabs.getByRole('link', { name: 'Why was this rejected?' })).toHaveAttribute('aria-current', 'page')
  await tabs.getByRole('link', { name: 'Log', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible()
  await expect(rail).toHaveAttribute('aria-current', 'page')
  await expect(tabs.getByRole('link', { name: 'Why was this rejected?' })).not.toHaveAttribute('aria-current')
})
