import type { Locator, Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'

const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
const dialog = (page: Page): Locator => page.getByRole('dialog')
/** After this many seconds, sensitive actions ask for the password again. */
const verificationSeconds = 301

async function choose(page: Page, name: string, item: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

async function newKey(owner: SignedInOwner, keyName: string, more: { permissions?: 'stats:read'[] } = {}) {
  const body = { keyName, permissions: [], ...more }
  return (await owner.visitor.call('POST /create_seller_key', { body })).body.sellerKey
}

const keys = async (owner: SignedInOwner) =>
  (await owner.visitor.call('GET /seller_keys', { query: {} })).body.sellerKeys

/** The status code that a shop gets with this key. */
const asShop = async (url: string, key: string) =>
  (await fetch(`${url}/api/1.0/seller/stats`, { headers: { authorization: `Bearer ${key}` } })).status

const shownKey = (page: Page) => dialog(page).getByRole('textbox', { name: 'Seller key' }).inputValue()

test('asks for the password again, shows the new key once, and keeps only its start and end', async ({
  app,
  page,
  owner,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/sellerapi')
  await expect(page.getByRole('heading', { level: 1, name: 'Seller API Keys', exact: true })).toBeVisible()
  await expect(page.getByText('Nenhuma chave encontrada ainda.')).toHaveAttribute('lang', 'pt-BR')
  app.advance(verificationSeconds)
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
  await expect(dialog(page).getByText('Key name is required')).toBeVisible()
  await dialog(page).getByRole('textbox', { name: 'Key name' }).fill('Shop')
  await dialog(page).getByRole('textbox', { name: 'Whitelisted IPs' }).fill(' 127.0.0.1 \n\n10.0.0.0/8\n')
  await dialog(page).getByRole('checkbox', { name: 'stats:read' }).check()
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()

  const passwordDialog = page.getByRole('dialog', { name: 'Please confirm your password' })
  await passwordDialog.getByRole('textbox', { name: 'Password' }).fill('not the password')
  await passwordDialog.getByRole('button', { name: 'Continue' }).click()
  await expect(passwordDialog.getByRole('alert')).toBeVisible()
  expect(await keys(owner)).toEqual([])
  await passwordDialog.getByRole('textbox', { name: 'Password' }).fill(owner.password)
  await passwordDialog.getByRole('button', { name: 'Continue' }).click()

  await expect(page.getByRole('dialog', { name: 'Your seller key' })).toBeVisible()
  const key = await shownKey(page)
  // It is never shown again, so only "Done" closes the dialog.
  await page.mouse.click(4, 4)
  await page.keyboard.press('Escape')
  expect(await shownKey(page)).toBe(key)
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('button', { name: 'Copy' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  expect(await asShop(app.url, key)).toBe(200)
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await expectToast(page, 'Seller key created successfully')
  await expect(row(page, 'Shop')).toContainText(key.slice(-4))
  await expect(row(page, 'Shop')).toContainText('127.0.0.1, 10.0.0.0/8')
  expect(await page.content()).not.toContain(key)
})

test('edits the name, addresses, and permissions, never the key', async ({ page, owner }) => {
  await newKey(owner, 'Shop')
  await page.goto('/sellerapi')
  await expect(row(page, 'Shop')).toContainText('Full access')
  await choose(page, 'Shop', 'Edit')
  await expect(dialog(page).getByRole('textbox', { name: 'Seller key' })).not.toBeEditable()
  await dialog(page).getByRole('textbox', { name: 'Key name' }).fill('Web shop')
  await dialog(page).getByRole('textbox', { name: 'Whitelisted IPs' }).fill('300.1.1.1')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  const wrong = '300.1.1.1 is not an IP address or a network such as 203.0.113.0/24'
  await expect(dialog(page).getByRole('textbox', { name: 'Whitelisted IPs' })).toHaveAccessibleDescription(
    new RegExp(wrong),
  )
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('textbox', { name: 'Whitelisted IPs' }).fill('192.0.2.7')
  await dialog(page).getByRole('radio', { name: 'Only what is selected' }).check()
  await dialog(page).getByRole('checkbox', { name: 'licenses:read' }).check()
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Seller key updated successfully')
  expect(await keys(owner)).toMatchObject([
    { keyName: 'Web shop', whitelistedIPs: ['192.0.2.7'], permissions: ['licenses:read'] },
  ])
})

test('full access is chosen, never the result of selecting nothing', async ({ page, owner }) => {
  await page.goto('/sellerapi?dialog=create')
  await dialog(page).getByRole('textbox', { name: 'Key name' }).fill('Shop')
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Select at least one permission, or choose full access.')
  expect(await keys(owner)).toEqual([])
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('radio', { name: 'Full access' }).check()
  await expect(dialog(page).getByRole('checkbox')).toHaveCount(0)
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Your seller key' })).toBeVisible()
  // A click beside it must not lose the key, which is shown only once.
  await page.mouse.click(5, 5)
  await expect(page.getByRole('dialog', { name: 'Your seller key' })).toBeVisible()
  expect(await keys(owner)).toMatchObject([{ keyName: 'Shop', permissions: [] }])
})

test('a name changed in another tab is shown beside mine, and mine is kept only if I say so', async ({
  page,
  owner,
}) => {
  await newKey(owner, 'Shop')
  await page.goto('/sellerapi')
  await choose(page, 'Shop', 'Edit')
  const [{ sellerKey = '' } = {}] = await keys(owner)
  await owner.visitor.call('POST /update_seller_key', {
    body: { sellerKey, keyName: 'Theirs', whitelistedIPs: ['192.0.2.7'] },
  })
  await dialog(page).getByRole('textbox', { name: 'Key name' }).fill('Mine')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  const conflict = dialog(page).getByRole('group', { name: 'Changed in the meantime' })
  await expect(conflict).toContainText('Theirs')
  expect(await keys(owner)).toMatchObject([{ keyName: 'Theirs' }])
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Seller key updated successfully')
  // This form did not change the IP list, so it keeps the value from the other tab.
  expect(await keys(owner)).toMatchObject([{ keyName: 'Mine', whitelistedIPs: ['192.0.2.7'] }])
})

test('a key is paused, and rotated', async ({ app, page, owner }) => {
  const key = await newKey(owner, 'Shop')
  await page.goto('/sellerapi')
  await test.step('a paused key is rejected until it is active again', async () => {
    const request = page.waitForRequest('**/toggle_seller_key_status')
    await choose(page, 'Shop', 'Pause')
    expect((await request).postDataJSON()).toMatchObject({ status: 'paused' })
    await expectToast(page, 'Seller key paused successfully')
    await expect(row(page, 'Shop')).toContainText('Paused')
    expect(await asShop(app.url, key)).not.toBe(200)
    await choose(page, 'Shop', 'Activate')
    await expect(row(page, 'Shop')).toContainText('Active')
    await expectToast(page, 'Seller key activated successfully')
    expect(await asShop(app.url, key)).toBe(200)
  })

  await test.step('rotates a key: the new one works, the old one only until the overlap ends', async () => {
    await choose(page, 'Shop', 'Rotate')
    await dialog(page).getByRole('spinbutton', { name: 'Overlap in hours' }).fill('0')
    await dialog(page).getByRole('button', { name: 'Rotate' }).click()
    await expect(page.getByRole('dialog', { name: 'Your seller key' })).toBeVisible()
    const fresh = await shownKey(page)
    expect(fresh).not.toBe(key)
    expect(await asShop(app.url, fresh)).toBe(200)
    expect(await asShop(app.url, key)).toBe(401)
    // Copied by hand, the key may be left.
    await dialog(page).getByRole('textbox').selectText()
    await page.keyboard.press('ControlOrMeta+c')
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await expect(dialog(page)).toHaveCount(0)
  })
})

test('a key sent in a URL is marked until it is rotated', async ({ app, page, owner }) => {
  const key = await newKey(owner, 'Shop')
  expect((await fetch(`${app.url}/api/1.0/seller/stats?key=${key}`)).status).not.toBe(200)
  await page.goto('/sellerapi')
  const mark = row(page, 'Shop').getByText('Exposed', { exact: true })
  await expect(mark).toBeVisible()
  await expect(row(page, 'Shop').getByText('Active', { exact: true })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'was sent in a URL' })).toBeVisible()
  await expectNoAxeViolations(page)
  await choose(page, 'Shop', 'Rotate')
  await dialog(page).getByRole('button', { name: 'Rotate' }).click()
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await expect(mark).toBeHidden()
})

test('deletes one key, the selected keys, and all keys once the app is named', async ({ page, owner }) => {
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) await newKey(owner, name)
  await page.goto('/sellerapi')
  await choose(page, 'One', 'Delete')
  await expect(dialog(page)).toContainText('Delete One?')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Seller key deleted successfully')
  await expect(row(page, 'One')).toBeHidden()

  await page.getByRole('checkbox', { name: 'Select Two' }).check()
  await page.getByRole('checkbox', { name: 'Select Three' }).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, '2 seller keys deleted')
  expect((await keys(owner)).map(({ keyName }) => keyName).toSorted()).toEqual(['Five', 'Four'])

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete all' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page).getByText('App name does not match')).toBeVisible()
  await dialog(page).getByRole('textbox', { name: 'App name' }).fill(owner.appName)
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Nenhuma chave encontrada ainda.')).toBeVisible()
  expect(await keys(owner)).toEqual([])
})

test('deleting all keys is about all of the app, whatever the search, and counts again when the list has changed', async ({
  page,
  owner,
}) => {
  for (const name of ['One', 'Two', 'Three']) await newKey(owner, name)
  await page.goto('/sellerapi?q=nothing-like-this')
  const deleteAll = page.getByRole('menuitem', { name: 'Delete all' })
  await expect(page.getByRole('checkbox', { name: 'Select One' })).toHaveCount(0)
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(deleteAll).not.toContainText('There are no seller keys')
  await deleteAll.click()
  await expect(dialog(page)).toContainText('Delete 3 seller keys?')
  await page.route('**/website/live?**', (route) => route.abort())
  await newKey(owner, 'Four')
  await dialog(page).getByRole('textbox', { name: 'App name' }).fill(owner.appName)
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page)).toContainText('Delete 4 seller keys?')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, '4 seller keys deleted')
  expect(await keys(owner)).toEqual([])
})

test('a failed action on a key is reported by name', async ({ app, page, owner }) => {
  await newKey(owner, 'Shop')
  await page.goto('/sellerapi')
  const create = async () => {
    await page.getByRole('button', { name: 'Create key' }).click()
    await dialog(page).getByRole('textbox', { name: 'Key name' }).fill('Web shop')
    await dialog(page).getByRole('radio', { name: 'Full access' }).check()
  }
  const edit = async () => {
    await choose(page, 'Shop', 'Edit')
    await dialog(page).getByRole('textbox', { name: 'Key name' }).fill('Web shop')
  }
  const openMenu = () => page.getByRole('button', { name: 'Actions for Shop' }).click()
  const pause = page.getByRole('menuitem', { name: 'Pause' })
  await expectFailures(app, page, [
    { says: 'Failed to create seller key', open: create, press: 'Create' },
    { says: 'Failed to update seller key', open: edit, press: 'Save Changes' },
    { says: 'Failed to delete seller key', open: () => choose(page, 'Shop', 'Delete'), press: 'Delete' },
    { says: 'Failed to update seller key status', open: openMenu, press: pause },
  ])
})

test('on phones, the number of scopes is never cut: the key gives way', async ({ app, page, owner }) => {
  const permissions: ('licenses:read' | 'licenses:write')[] = ['licenses:read', 'licenses:write']
  const body = { keyName: 'Shop', permissions }
  expect((await owner.visitor.call('POST /create_seller_key', { body })).status).toBe(200)
  const used = { last_used_at: app.now() - 200 * 86_400 }
  await app.db.write(({ db }) => db.updateTable('seller_keys').set(used).where('app_id', '=', owner.appId).execute())
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/sellerapi')
  const facts = page.getByRole('list', { name: 'Seller API Keys' }).getByRole('definition')
  await expect(facts).toHaveCount(3)
  const cut = await facts.evaluateAll((all) => all.map((fact) => fact.scrollWidth > fact.clientWidth))
  expect(cut).toEqual([false, false, true])
})

test('a new key is not lost by Back, another page, a reload, or its close button, until it is copied', async ({
  page,
  owner,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/licenses')
  await page.getByRole('link', { name: 'Seller API' }).click()
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await dialog(page).getByRole('textbox', { name: 'Key name' }).fill('Shop')
  await dialog(page).getByRole('radio', { name: 'Full access' }).check()
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Your seller key' })
  await expect(sheet).toBeVisible()
  const key = await shownKey(page)
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })

  await page.goBack()
  await expect(question).toBeVisible()
  await expectNoAxeViolations(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await shownKey(page)).toBe(key)

  await page.evaluate(() => history.go(-2))
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await shownKey(page)).toBe(key)

  await sheet.getByRole('button', { name: 'Close' }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await shownKey(page)).toBe(key)

  const asked = page.waitForEvent('dialog')
  const reload = page.evaluate(() => location.reload()).catch(() => undefined)
  const unload = await asked
  expect(unload.type()).toBe('beforeunload')
  await unload.dismiss()
  await reload
  expect(await shownKey(page)).toBe(key)

  await sheet.getByRole('button', { name: 'Copy' }).click()
  await expect(sheet.getByRole('button', { name: 'Copied' })).toBeVisible()
  await page.goBack()
  await expect(sheet).toHaveCount(0)
  await expect(question).toHaveCount(0)
  expect(await keys(owner)).toHaveLength(1)
})

test('Back while the password is asked for cancels that only, and keeps what was typed', async ({
  app,
  page,
  owner,
}) => {
  await page.goto('/licenses')
  await page.getByRole('link', { name: 'Seller API', exact: true }).click()
  await page.getByRole('button', { name: 'Create key' }).first().click()
  app.advance(verificationSeconds)
  const name = dialog(page).getByRole('textbox', { name: 'Key name' })
  await name.fill('Shop')
  await dialog(page).getByRole('checkbox', { name: 'stats:read' }).check()
  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
  const passwordDialog = page.getByRole('dialog', { name: 'Please confirm your password' })
  await expect(passwordDialog).toBeVisible()
  await page.goBack()
  await expect(passwordDialog).toHaveCount(0)
  await expect(name).toHaveValue('Shop')
  await expect(dialog(page).getByRole('button', { name: 'Create', exact: true })).toBeEnabled()
  expect(await keys(owner)).toEqual([])

  await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
  await passwordDialog.getByRole('textbox', { name: 'Password' }).fill(owner.password)
  await passwordDialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('dialog', { name: 'Your seller key' })).toBeVisible()
})
