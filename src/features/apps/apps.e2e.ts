import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

const field = (page: Page, name: string): Locator => page.getByRole('textbox', { name, exact: true })
const number = (page: Page, name: string): Locator => page.getByRole('spinbutton', { name, exact: true })
const toggle = (page: Page, name: string): Locator => page.getByRole('switch', { name, exact: true })
const heading = (page: Page, name: string): Locator => page.getByRole('heading', { name, level: 1, exact: true })
/** The header's buttons come first in the page, followed by the floating copies. */
const saveButton = (page: Page): Locator => page.getByRole('button', { name: 'Save Changes' }).first()
const floating = (page: Page): Locator => page.getByRole('group', { name: 'Page actions' })

async function typeAppName(page: Page, name: string) {
  await page.getByRole('dialog').getByRole('textbox', { name: 'App name' }).fill(name)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete App' }).click()
}

test('saves the settings, sending the keys swapped and leaving them unchanged over two saves', async ({
  page,
  owner,
}) => {
  const before = (await owner.visitor.call('GET /active_app')).body.app!.settings
  await page.goto('/dashboard')
  await expect(field(page, 'Hash to check')).toBeHidden()
  await toggle(page, 'HWID lock').uncheck()
  await expect(number(page, 'Minimum HWID length')).toBeHidden()
  await toggle(page, 'HWID lock').check()
  await number(page, 'Minimum HWID length').fill('12')
  await toggle(page, 'Hash check').check()
  await field(page, 'Hash to check').fill('AB'.repeat(32))
  await field(page, 'Auto update link').fill('https://example.com/update')
  await number(page, 'Session expiry').fill('5400')
  await expect(page.getByText('1 hour 30 minutes')).toBeVisible()
  await field(page, 'App name').fill('Prism Renamed')
  await expectNoAxeViolations(page)

  const request = page.waitForRequest('**/update_app')
  await saveButton(page).click()
  await expectToast(page, 'Settings saved successfully!')
  expect((await request).postDataJSON()).toMatchObject({
    appId: owner.appId,
    appName: 'Prism Renamed',
    settings: {
      sessionExpiryDuration: 5400,
      minimumHwidLength: 12,
      clientObfuscationKey: before.serverObfuscationKey,
      serverObfuscationKey: before.clientObfuscationKey,
    },
  })
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Prism Renamed')

  await page.reload()
  const again = page.waitForResponse('**/update_app')
  await saveButton(page).click()
  expect((await again).status()).toBe(200)
  const after = (await owner.visitor.call('GET /active_app')).body.app!
  expect(after.appName).toBe('Prism Renamed')
  expect(after.settings).toMatchObject({
    minimumHwidLength: 12,
    hashCheck: true,
    hashToCheck: 'ab'.repeat(32),
    autoUpdateDownloadLink: 'https://example.com/update',
    sessionExpiryDuration: 5400,
    clientObfuscationKey: before.clientObfuscationKey,
    serverObfuscationKey: before.serverObfuscationKey,
  })
  await expect(field(page, 'Client obfuscation key')).toHaveValue(before.clientObfuscationKey)
  await expect(field(page, 'Server obfuscation key')).toHaveValue(before.serverObfuscationKey)
  await expect(field(page, 'Server obfuscation key')).not.toBeEditable()
})

test('two tabs: a save changes only its own fields, and asks about a value that both changed', async ({
  page,
  owner,
}) => {
  const elsewhere = (body: object) =>
    owner.visitor.call('POST /update_app', { body: { appId: owner.appId, ...body } }).then(({ status }) => status)
  const stored = async () => (await owner.visitor.call('GET /active_app')).body.app!
  const conflict = page.getByRole('group', { name: 'Changed in the meantime' })
  await page.goto('/dashboard')
  await toggle(page, 'VPN block').check()
  expect(await elsewhere({ description: 'Theirs', settings: { sessionExpiryDuration: 900 } })).toBe(200)
  await saveButton(page).click()
  await expectToast(page, 'Settings saved successfully!')
  expect(await stored()).toMatchObject({
    description: 'Theirs',
    settings: { vpnBlock: true, sessionExpiryDuration: 900 },
  })

  await field(page, 'App version').fill('3.0')
  await field(page, 'Description').fill('Mine')
  await toggle(page, 'One session per credential').uncheck()
  expect(await elsewhere({ version: '2.0', description: 'Theirs again' })).toBe(200)
  await saveButton(page).click()
  await expect(conflict).toHaveCount(2)
  await expect(conflict.first()).toContainText(/Theirs\s*2\.0.*Yours\s*3\.0/s)
  await expect(conflict.first().getByRole('button', { name: 'Take theirs' })).toBeFocused()
  expect(await stored()).toMatchObject({ version: '2.0', settings: { oneSessionPerCredential: true } })
  await expectNoAxeViolations(page)

  await conflict.first().getByRole('button', { name: 'Keep mine' }).click()
  await saveButton(page).click()
  await expect(conflict.getByRole('button', { name: 'Take theirs' })).toBeFocused()
  await conflict.getByRole('button', { name: 'Take theirs' }).click()
  await expect(field(page, 'Description')).toHaveValue('Theirs again')
  await expect(conflict).toBeHidden()
  await saveButton(page).click()
  await expect(floating(page)).toBeHidden()
  expect(await stored()).toMatchObject({
    version: '3.0',
    description: 'Theirs again',
    settings: { oneSessionPerCredential: false, vpnBlock: true, sessionExpiryDuration: 900 },
  })
})

test('shows each error at its field, keeps steppers in range, and reports a failed save', async ({
  server,
  page,
  owner,
}) => {
  await page.goto('/dashboard')
  await expect(page.getByText('Minimum: 300 seconds', { exact: true })).toBeVisible()
  const decrease = page.getByRole('button', { name: 'Decrease Session expiry' })
  await number(page, 'Session expiry').fill('330')
  await decrease.click()
  await expect(number(page, 'Session expiry')).toHaveValue('300')
  await expect(decrease).toBeDisabled()
  await expect(decrease).toBeFocused()
  await page.getByRole('button', { name: 'Increase Session expiry' }).click()
  await expect(number(page, 'Session expiry')).toHaveValue('360')
  await number(page, 'Session expiry').fill('299')
  await field(page, 'Chat webhook link').fill('http://chat.example')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByText('Session expiry must be between 300 and 86400')).toBeVisible()
  await expect(page.getByText('Chat webhook link must be an https:// URL')).toBeVisible()
  await expectNoAxeViolations(page)
  await expect(field(page, 'Chat webhook link')).toBeFocused()
  await floating(page).getByRole('button', { name: 'Discard' }).click()
  await expect(number(page, 'Session expiry')).toHaveValue('3600')

  await server.stop()
  await toggle(page, 'HWID lock').uncheck()
  await page.keyboard.press('ControlOrMeta+s')
  await expectToast(page, 'Error: Failed to save settings')
  await expect(toggle(page, 'HWID lock')).not.toBeChecked()
  await server.start()
  expect((await owner.visitor.call('GET /active_app')).body.app!.settings.hwidLock).toBe(true)
})

test('floats the buttons while they are out of view, names unsaved changes, and warns on leaving', async ({
  page,
  owner,
}) => {
  await page.goto('/dashboard')
  await expect(heading(page, 'App Settings')).toBeVisible()
  await expect(floating(page)).toBeHidden()
  await toggle(page, 'One session per credential').scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 2000)
  await expect(floating(page).getByRole('button', { name: 'Save Changes' })).toBeVisible()
  await expect(floating(page).getByRole('button', { name: 'Delete App' })).toBeVisible()

  await toggle(page, 'One session per credential').uncheck()
  await expect(floating(page)).toContainText('Unsaved: One session per credential')
  await page.getByRole('link', { name: 'Resellers', exact: true }).click()
  const warning = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(warning).toContainText('One session per credential')
  await warning.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(toggle(page, 'One session per credential')).not.toBeChecked()

  await floating(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Settings saved successfully!')
  await page.getByRole('link', { name: 'Resellers', exact: true }).click()
  await expect(page).toHaveURL(/\/manage-resellers$/)
  expect((await owner.visitor.call('GET /active_app')).body.app!.settings.oneSessionPerCredential).toBe(false)
})

test("shows the snippet with the app's values and reports when a program has started", async ({
  app,
  page,
  owner,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/dashboard')
  const { settings } = (await owner.visitor.call('GET /active_app')).body.app!
  const copied = () => page.evaluate(() => navigator.clipboard.readText())

  await page.getByRole('button', { name: 'Copy code' }).click()
  for (const line of [
    `owner_id="${owner.id}"`,
    'app_name="Prism Studio"',
    'version="1.0.0"',
    'hash_check=False',
    `server_url="${app.url}"`,
    'ssl_fingerprint="auto"',
    `sealing_key="${settings.clientObfuscationKey}"`,
    `verification_key="${settings.serverObfuscationKey}"`,
    'signet.license(input("Key: "))',
  ]) {
    expect(await copied()).toContain(line)
  }

  const code = page.getByRole('region', { name: 'Python client initialization' })
  await page.mouse.move(0, 0)
  await expect(code).toHaveCSS('filter', 'blur(5px)')
  await code.focus()
  await expect(code).toHaveCSS('filter', 'none')
  await page.getByRole('button', { name: 'Python client initialization' }).click()
  await expect(code).toBeHidden()

  await page.getByRole('tab', { name: 'curl' }).click()
  await page.getByRole('region', { name: "A program's first call" }).click()
  await expectToast(page, 'Copied')
  expect(await copied()).toContain(`X-Signet-App: ${owner.id}/Prism%20Studio`)

  await expect(page.getByText('Waiting for the first program…')).toBeVisible()
  const started = await (await Program.of(app, owner)).init()
  expect(started.status).toBe(200)
  await expect(page.getByText(/^Last program start: \d+ s ago$/)).toBeVisible({ timeout: 20_000 })
})

test('switches between apps, and deletes one only when its exact name is typed', async ({ app, page, owner }) => {
  // A new browser selects the oldest app.
  app.advance(5)
  await owner.visitor.call('POST /create_app', { body: { appName: 'Second App' } })
  await page.goto('/manage-apps')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(row('Second App')).toContainText('Enabled')
  await expect(page.getByRole('list', { name: 'Apps by status' })).toContainText(/Total Apps\s*2/)
  await expect(row('Second App').getByRole('button', { name: 'Settings of Second App' })).toBeHidden()

  await row('Second App').getByRole('button', { name: 'Select Second App' }).click()
  await expectToast(page, 'Switched to app: Second App')
  await expect(row('Second App').getByText('Current')).toBeVisible()
  await expect(row('Second App').getByRole('button', { name: 'Settings of Second App' })).toBeFocused()
  await expect(row('Prism Studio').getByText('Current')).toBeHidden()
  await expect(row('Prism Studio').getByRole('button', { name: 'Settings of Prism Studio' })).toBeHidden()

  await row('Second App').getByRole('button', { name: 'Delete Second App' }).click()
  await expect(page).toHaveURL(/dialog=delete-app/)
  await typeAppName(page, 'second app')
  await expect(page.getByRole('dialog').getByText('App name does not match')).toBeVisible()
  expect((await owner.visitor.call('GET /apps')).body.apps).toHaveLength(2)
  await expectNoAxeViolations(page)
  await typeAppName(page, 'Second App')
  await expectToast(page, 'App deleted successfully')
  await expect(row('Second App')).toBeHidden()
  await expect(heading(page, 'Manage Apps')).toBeFocused()
  expect((await owner.visitor.call('GET /apps')).body.apps.map(({ appName }) => appName)).toEqual(['Prism Studio'])

  // No app is selected, and none is selected automatically.
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByText('No App Selected').last()).toBeVisible()
  await expect(saveButton(page)).toBeHidden()
  await page.getByRole('link', { name: 'Licenses' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Licenses' })).toBeVisible()
  await expect(page.getByText('No App Selected').last()).toBeVisible()
  await page.getByRole('link', { name: 'Variables' }).click()
  const variables = 'Please select an app from the sidebar to manage its variables.'
  await expect(page.getByText(variables, { exact: true })).toBeVisible()
})

test('disables an app after asking, undoes that, and keeps the status when the call fails', async ({
  server,
  app,
  page,
  owner,
}) => {
  const program = await Program.of(app, owner)
  const row = page.getByRole('row').filter({ hasText: owner.appName })
  const button = (name: string) => row.getByRole('button', { name: `${name} ${owner.appName}` })
  const confirm = page.getByRole('dialog', { name: `Disable ${owner.appName}?` })
  await page.goto('/manage-apps')
  await button('Disable').click()
  await expect(confirm).toContainText('This app is disabled')
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  await expect(button('Disable')).toBeFocused()
  expect((await program.init()).status).toBe(200)

  await button('Disable').click()
  await confirm.getByRole('button', { name: 'Disable' }).click()
  await expectToast(page, `${owner.appName} is disabled`)
  await expect(row.getByText('Disabled', { exact: true })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Apps by status' })).toContainText(/Disabled Apps\s*1/)
  await expect(button('Enable')).toBeFocused()
  expect((await program.init()).body).toMatchObject({ success: false, message: 'This app is disabled' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, `${owner.appName} is enabled`)
  await expect(row.getByText('Enabled', { exact: true })).toBeVisible()
  expect((await program.init()).status).toBe(200)

  await server.stop()
  await button('Disable').click()
  await confirm.getByRole('button', { name: 'Disable' }).click()
  await expectToast(page, /^Failed to update app$/)
  await expect(row.getByText('Enabled', { exact: true })).toBeVisible()
  await server.start()
  expect((await owner.visitor.call('GET /active_app')).body.app!.settings.appStatus).toBe(true)
})

test("enables an app at once, and shows the server's reason if that fails", async ({ app, page, owner }) => {
  const { appId, appName } = owner
  // A new browser selects the oldest app, which must not be the deleted one.
  app.advance(5)
  await owner.visitor.call('POST /update_app', { body: { appId, settings: { appStatus: false } } })
  const row = page.getByRole('row').filter({ hasText: appName })
  await page.goto('/manage-apps')
  await expect(row.getByText('Disabled', { exact: true })).toBeVisible()
  const { body } = await owner.visitor.call('POST /create_app', { body: { appName: 'Gone', version: '1.0.0' } })
  const gone = { appId: body.appId, settings: { appStatus: false } }
  await owner.visitor.call('POST /update_app', { body: gone })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Enable Gone' })).toBeVisible()
  await owner.visitor.call('POST /delete_app', { body: { appId: body.appId } })
  await page.getByRole('button', { name: 'Enable Gone' }).click()
  await expectToast(page, 'App not found')
  await row.getByRole('button', { name: `Enable ${appName}` }).click()
  await expectToast(page, `${appName} is enabled`)
  await expect(row.getByText('Enabled', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(toggle(page, 'App status')).toBeChecked()
})

test('deleting the last app leads its owner to create a new one', async ({ page, owner }) => {
  await page.goto('/dashboard')
  await toggle(page, 'VPN block').check()
  await page.getByRole('button', { name: 'Delete App' }).first().click()
  await typeAppName(page, owner.appName)
  await expect(page).toHaveURL(/\/create-app$/)
  await expectToast(page, 'App deleted successfully')
  await expect(page.getByRole('region', { name: 'Steps to a running program' })).toContainText('create an app')
  await expectNoAxeViolations(page)
  await field(page, 'App Name').fill('Prism Studio')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page).toHaveURL(/\/connect$/)
  await page.goto('/dashboard')
  await expect(toggle(page, 'VPN block')).not.toBeChecked()
})

test('exports all data of the app as one JSON file; a rejection is reported, and nothing is saved', async ({
  page,
  owner,
  app,
}) => {
  const [key = ''] = await newLicenses(owner, 3)
  await page.goto('/dashboard')
  const button = page.getByRole('button', { name: 'Export Data' })
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  expect(download.suggestedFilename()).toMatch(/^app-.*-\d{4}-\d\d-\d\d\.json$/)
  const document = JSON.parse(await readFile(await download.path(), 'utf8')) as Record<string, unknown>
  expect(document).toMatchObject({ format: 'signet-app', app: { appId: owner.appId } })
  expect(document['licenses']).toHaveLength(3)
  expect(JSON.stringify(document)).toContain(key)
  await withoutTable(app.db, 'apps', async () => {
    await button.click()
    await expectToast(page, /went wrong|Failed to export the app's data/)
  })
})

test("reports an app that couldn't be selected or deleted, with the server's reason if there is one", async ({
  app,
  page,
  owner,
}) => {
  // A new browser selects the oldest app.
  app.advance(5)
  const { body } = await owner.visitor.call('POST /create_app', { body: { appName: 'Second App' } })
  await page.goto('/manage-apps')
  const remove = async () => {
    await page.getByRole('button', { name: 'Delete Second App' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'App name' }).fill('Second App')
  }
  const deleteElsewhere = () => owner.visitor.call('POST /delete_app', { body: { appId: body.appId } })
  const select = page.getByRole('button', { name: 'Select Second App' })
  await expect(select).toBeVisible()
  await withoutTable(app.db, 'apps', async () => {
    await select.click()
    await expectToast(page, /^Failed to select app$/)
  })
  await expectFailures(app, page, [
    { says: 'Failed to delete app', open: remove, press: 'Delete App' },
    { says: 'Failed to delete app: App not found', open: remove, press: 'Delete App', meanwhile: deleteElsewhere },
  ])
})
