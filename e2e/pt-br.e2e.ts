import { newSubscriber } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { withoutTable } from '#testing/faults/without-table.ts'
import { pt } from './catalog.ts'
import { expect } from './fixtures.ts'
import { day, redeem } from './license-screen.ts'
import { test } from './portuguese-reader.ts'

test.use({ locale: 'pt-BR' })
const ownerPages = [
  '/dashboard',
  '/connect',
  '/licenses',
  '/users',
  '/subscriptions',
  '/sellerapi',
  '/manage-apps',
  '/create-app',
  '/profile',
  '/sessions',
  '/variables',
  '/downloads',
  '/webhooks',
  '/manage-resellers',
  '/overview',
  '/logs',
  '/alerts',
]

test('the shell, every empty screen, and the not-found pages are in Portuguese', async ({ page, reader }) => {
  await page.goto('/licenses')
  await reader.shows('Licenses')
  for (const address of ownerPages) {
    await reader.go(address)
    await expect(page.getByRole('heading').first()).toBeVisible()
  }
  for (const address of ['/licenses', '/users', '/subscriptions', '/sellerapi', '/manage-apps']) {
    await reader.go(address)
    await reader.openMenus()
    await reader.go(`${address}?q=nothing+like+it`)
  }
  reader.data.add('nothing like it')
  for (const address of [
    '/no/such/page',
    '/terms',
    '/status',
    '/reseller/setup/abc',
    '/admin/owners',
    '/reseller/users',
  ]) {
    await reader.go(address)
    await expect(page.getByRole('heading').first()).toBeVisible()
  }

  await reader.go('/licenses')
  const header = page.getByRole('banner')
  for (const menu of await header.locator('[aria-haspopup=menu]').all()) await reader.openMenu(menu)
  await reader.openMenu(page.locator('[aria-haspopup=dialog]').first())
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('zzzz')
  reader.data.add('zzzz')
  await expect(page.getByRole('option')).toHaveText([pt('Why was “{search}” rejected?').replace('{search}', 'zzzz')])
  await page.keyboard.press('Escape')
  reader.data.add('Ctrl')
  await page.keyboard.press('?')
  await expect(reader.dialog).toBeVisible()
  await page.keyboard.press('Escape')

  await page.setViewportSize({ width: 390, height: 800 })
  await reader.button('Open navigation').click()
  await expect(reader.dialog).toBeVisible()
})

test('licenses in every state, their actions, and rejections are in Portuguese', async ({
  app,
  page,
  owner,
  reader,
}) => {
  const lengths = [
    { expiryUnit: 'lifetime', duration: 0 },
    { expiryUnit: 'hours', duration: 25 },
    { expiryUnit: 'days', duration: 400 },
    { expiryUnit: 'days', duration: 1 },
  ]
  const keys = (await Promise.all(lengths.map((length) => newLicenses(owner, 1, length)))).flat()
  const [used = '', soon = '', over = '', banned = '', ...rest] = await newLicenses(owner, 8)
  for (const key of [...keys, used, soon, over, banned, ...rest]) reader.data.add(key)
  for (const [key, left] of [
    [used, 30 * day],
    [soon, 5400],
    [over, -3 * day],
  ] as const) {
    await redeem(app, key, 'marta.dev')
    const at = { used_at: app.now() - 10 * day, expires_at: app.now() + left }
    await app.db.write(({ db }) => db.updateTable('licenses').set(at).where('license', '=', key).execute())
  }
  reader.data.add('marta.dev')
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: banned, banned: true } })

  await page.goto('/licenses?limit=50')
  await expect(page.locator('tbody tr')).not.toHaveCount(0)
  await reader.settled()
  await reader.openMenus(8)
  for (const key of [used, soon, over, banned, rest[0]]) {
    for (const name of ['edit', 'ban', 'delete']) {
      await reader.openDialog(`/licenses?dialog=${name}&row=${key}`)
    }
    for (const part of ['', 'history', 'raw']) {
      await reader.go(`/licenses?panel=license:${key}&part=${part}`)
      await expect(page.locator('[data-side-panel]')).toContainText(key ?? '')
      await reader.settled()
    }
  }
  await reader.openDialog(`/licenses?dialog=edit&row=${rest[0]}`)
  await reader.field('Expiry in days').fill('')
  await reader.submit()
  await reader.openDialog('/licenses?dialog=export')
  for (const name of ['delete-unused', 'delete-used', 'delete-all']) {
    await reader.openDialog(`/licenses?dialog=${name}`)
    await reader.submit()
  }
  await reader.openDialog('/licenses?dialog=create')
  await reader.dialog.getByRole('tab').last().click()
  await reader.dialog.getByRole('tab').first().click()
  await reader.field('Amount').fill('0')
  await reader.field('License mask').fill('####')
  await reader.submit()
  await reader.field('Amount').fill('1')
  await reader.field('License mask').fill('NEW-######-######')
  await reader.field('Subscription').selectOption('1')
  await reader.submit()
  const { body } = await owner.visitor.call('GET /licenses', { query: { search: 'NEW-', appId: owner.appId } })
  for (const { license } of body.licenses) reader.data.add(license)
  await reader.button('Done').click()
  await reader.go('/licenses?dialog=edit&row=none')
  await reader.shows('License not found')

  await reader.go('/licenses?limit=50')
  await reader.button('Add time').click()
  await reader.shows('No licenses selected')
  const selectAll = page.getByRole('checkbox', { name: pt('Select all rows on this page') })
  for (const name of ['ban-selected', 'unban-selected', 'add-time', 'delete-selected']) {
    await reader.go('/licenses?limit=50')
    await selectAll.check()
    await reader.openDialog(`/licenses?limit=50&dialog=${name}`)
    await expect(page.getByText(pt('Counting…'))).toHaveCount(0)
  }
})

test('subscriptions and seller keys are in Portuguese', async ({ page, owner, reader }) => {
  for (const name of ['Gold', 'Silver', 'Loja', 'Bot', 'stats:read', '10.0.0.0/8', '127.0.0.1', 'ana'])
    reader.data.add(name)
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Gold', active: false } })
  await newSubscriber(owner, { username: 'ana' })
  const made = [
    { keyName: 'Loja', permissions: [] },
    { keyName: 'Bot', permissions: ['stats:read'], whitelistedIPs: ['10.0.0.0/8', '127.0.0.1'] },
  ]
  for (const body of made) await owner.visitor.call('POST /create_seller_key', { body })
  await page.goto('/subscriptions')
  await expect(page.locator('tbody tr')).toHaveCount(2)
  await reader.openMenus(2)
  for (const name of ['edit&row=1', 'delete&row=1', 'delete-all', 'create']) {
    await reader.openDialog(`/subscriptions?dialog=${name}`)
    if (name !== 'edit&row=1') await reader.submit()
  }
  await reader.field('Name').fill('Silver')
  await reader.confirm()
  const status = page.getByRole('menuitem', { name: pt('Pause'), exact: true })
  await reader.button('Actions for {name}', 'Silver').click()
  await status.click()
  await reader.shows('Undo')
  await reader.openDialog('/subscriptions?dialog=delete&row=2')
  await reader.confirm()

  await reader.go('/sellerapi')
  await expect(page.locator('tbody tr')).toHaveCount(2)
  await reader.openMenus(2)
  await reader.openDialog('/sellerapi?dialog=delete-all')
  await reader.submit()
  for (const name of ['Edit', 'Rotate', 'Delete']) {
    await reader.go('/sellerapi')
    await reader.button('Actions for {name}', 'Loja').click()
    await page.getByRole('menuitem', { name: pt(name), exact: true }).click()
    await expect(reader.dialog).toBeVisible()
  }
  await reader.confirm()
  await reader.openDialog('/sellerapi?dialog=create')
  await reader.submit()
  await reader.field('Key name').fill('Bot')
  await reader.field('Whitelisted IPs').fill('300.1.1.1')
  await reader.submit()
  await reader.field('Whitelisted IPs').fill('127.0.0.1')
  await reader.submit()
  await reader.settled()
})

test('apps and their settings are in Portuguese', async ({ page, owner, reader }) => {
  for (const name of ['Second App', 'v1.0.0']) reader.data.add(name)
  await page.goto('/create-app')
  await reader.button('Create').click()
  const name = page.getByLabel(pt('App Name'), { exact: true })
  for (const wrong of ['ab', 'a/b/c', 'a'.repeat(51)]) await name.fill(wrong)
  await name.fill(owner.appName)
  await reader.button('Create').click()
  await reader.settled()
  await name.fill('Second App')
  await reader.button('Create').click()
  await expect(page).toHaveURL(/connect$/)
  await reader.settled()
  await reader.go('/dashboard')
  for (const toggle of await page.getByRole('switch').all()) if (await toggle.isEnabled()) await toggle.click()
  for (const field of await page
    .locator('form :is(input[type=text], input[type=number], input:not([type])):not([readonly])')
    .all()) {
    await field.fill('')
  }
  await reader.button('Save Changes').click()
  await reader.settled()
  await page.getByRole('link', { name: pt('Users'), exact: true }).click()
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog')).first()).toBeVisible()
  await page.locator('[role=dialog] button, [role=alertdialog] button').last().click()

  await reader.go('/manage-apps')
  await expect(page.locator('tbody tr')).toHaveCount(2)
  await reader.openMenus()
  for (const dialog of ['disable-app', 'delete-app']) {
    await reader.openDialog(`/manage-apps?dialog=${dialog}&row=${owner.appId}`)
    await reader.submit()
  }
  await page.keyboard.press('Escape')
  await reader.button('Select {appName}', owner.appName).click()
  await reader.settled()
  await reader.openDialog('/dashboard?dialog=delete-app')
  await reader.field('App name').fill(owner.appName)
  await reader.submit()
})

test('app variables and their dialogs are in Portuguese', async ({ page, owner, reader }) => {
  for (const name of ['api_key', 'motd']) {
    const body = { variableName: name, variableData: 'https://example.com', authenticated: name === 'api_key' }
    await owner.visitor.call('POST /modify_app_var', { body })
    reader.data.add(name)
  }
  reader.data.add('https://example.com')
  await page.goto('/variables')
  await expect(page.locator('tbody tr')).toHaveCount(2)
  await reader.openMenus(3)
  for (const address of ['create', 'export', 'delete-all', 'edit&row=motd', 'delete&row=motd']) {
    await reader.openDialog(`/variables?dialog=${address}`)
  }
  await reader.openDialog('/variables?dialog=create')
  await reader.submit()
  await reader.field('Variable Name').fill('motd')
  await reader.field('Variable Data').fill('https://example.com')
  await reader.submit()
  await reader.openDialog('/variables?dialog=delete&row=motd')
  await reader.submit()
  await reader.shows('Variable deleted successfully')
})

test('logs and their dialogs are in Portuguese', async ({ app, page, owner, reader }) => {
  const program = await Program.of(app, owner)
  await program.init()
  await program.send('log', { message: 'written-by-the-program' })
  await program.license('no-such-key')
  const { logs } = (await owner.visitor.call('GET /logs')).body
  for (const { message, credential, session, device, ip } of logs) {
    for (const text of [message, credential, session, device, ip]) reader.data.add(text)
  }
  await page.goto('/logs')
  await expect(page.locator('tbody tr')).toHaveCount(3)
  await reader.openMenus(3)
  const panel = page.locator('[data-side-panel]')
  for (const row of (await page.locator('tbody tr').all()).toReversed()) {
    await row.getByRole('button', { name: /^Detalhes/ }).click()
    await expect(panel.getByRole('tab')).not.toHaveCount(0)
    await reader.settled()
  }
  const row = logs[0]?.id
  for (const address of ['export', 'retention', 'delete-all', `delete&row=${row}`]) {
    await reader.openDialog(`/logs?dialog=${address}`)
  }
  await reader.openDialog(`/logs?dialog=delete&row=${row}`)
  await reader.submit()
  await reader.shows('Log deleted successfully')
})

test('webhooks and their dialogs are in Portuguese', async ({ app, page, owner, reader }) => {
  const url = 'https://hooks.example.com/'
  const body = { url, events: ['user.banned' as const] }
  const { webhookId } = (await owner.visitor.call('POST /create_webhook', { body })).body
  await owner.visitor.call('POST /test_webhooks', { body: {} })
  for (const text of [url, 'hooks.example.com', webhookId, 'Mozilla/5.0', 'https://example.com/hook', owner.appName])
    reader.data.add(text)
  await page.goto('/webhooks')
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await reader.openMenus(2)
  for (const address of [
    'chat',
    'delete-all',
    ...['edit', 'deliveries', 'rotate', 'delete'].map((name) => `${name}&row=${webhookId}`),
  ]) {
    await reader.openDialog(`/webhooks?dialog=${address}`)
  }
  await reader.openDialog('/webhooks?dialog=create')
  await reader.submit()
  await reader.openDialog(`/webhooks?dialog=delete&row=${webhookId}`)
  await reader.submit()
  await reader.shows('Webhook deleted successfully')
  await app.jobsDone()
})

test('failures and a lost connection are reported in Portuguese', async ({ app, page, owner, connection, reader }) => {
  const [key = ''] = await newLicenses(owner, 1)
  reader.data.add(key)
  await page.goto(`${connection.url}/licenses`)
  const lists = [
    { address: '/licenses', table: 'licenses' },
    { address: '/users', table: 'users' },
    { address: '/subscriptions', table: 'subscriptions' },
    { address: '/sellerapi', table: 'seller_keys' },
  ]
  for (const { address, table } of lists) {
    await reader.go('/profile')
    await withoutTable(app.db, table, async () => {
      await reader.go(`${address}?q=x`)
      await expect(page.getByRole('main').getByRole('button', { name: pt('Retry'), exact: true })).toBeVisible()
    })
  }
  await reader.go('/licenses')
  await reader.openDialog(`/licenses?dialog=ban&row=${key}`)
  await connection.reject()
  await reader.submit()
  await reader.shows('Try again')
  await reader.button('Try again').click()
  await connection.restore()
  await reader.button('Try again').click()
  await reader.shows('Connected again.')
})
