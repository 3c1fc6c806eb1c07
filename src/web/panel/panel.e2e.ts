import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { newSubscriber, signedIn, userPassword } from '#testing/people/end-users.ts'
import { newLicenses, newOwnerWithApp } from '#testing/people/people.ts'
import { newAlert } from '#testing/busy-app.ts'
import { newReseller, newSellingReseller } from '#testing/people/resellers.ts'
import { Program } from '#testing/people/program.ts'
import { activityLog } from '#features/logs/logs.actions.ts'

/** The panel of a license, user, session, machine, or IP address, over any page. */

const panel = (page: Page) => page.locator('[data-side-panel]')
const title = (page: Page) => panel(page).getByRole('heading', { level: 2 }).first()
const tab = (page: Page, name: string) => panel(page).getByRole('tab', { name })
const row = (page: Page, name: string) => page.getByRole('row', { name })
const inPanel = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true })

test('leads from a license to its user, machine, and session; Back returns, and Escape gives the row the focus', async ({
  app,
  page,
  owner,
}) => {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).status).toBe(200)
  await page.goto('/licenses')
  await row(page, key).getByRole('cell').nth(3).click()
  await expect(title(page)).toContainText(key)
  await expect(panel(page)).toBeFocused()
  await expect(row(page, key)).toHaveAttribute('aria-current', 'true')
  await expectNoAxeViolations(page)

  await panel(page).getByRole('link', { name: key }).click()
  await expect(title(page)).toContainText('User')
  await tab(page, 'Licenses').click()
  await expect(panel(page).getByRole('link', { name: key })).toBeVisible()
  const tabs = panel(page).getByRole('tab')
  for (const [pressed, chosen] of [
    ['End', tabs.last()],
    ['ArrowRight', tabs.first()],
    ['ArrowLeft', tabs.last()],
    ['Home', tabs.first()],
    ['ArrowRight', tabs.nth(1)],
  ] as const) {
    await page.keyboard.press(pressed)
    await expect(chosen).toBeFocused()
    await expect(chosen).toHaveAttribute('aria-selected', 'true')
    await expect(panel(page).locator('[role=tab][tabindex="0"]')).toHaveCount(1)
  }
  await tab(page, 'Sessions').click()
  await expectNoAxeViolations(page)
  await panel(page).getByRole('link').first().click()
  await expect(title(page)).toContainText('Session')
  await panel(page).getByRole('link', { name: key }).click()
  await tab(page, 'Details').click()
  await panel(page).locator('dd').nth(1).getByRole('link').click()
  await expect(title(page)).toContainText('Machine')
  await expect(panel(page).getByRole('link', { name: key })).toHaveCount(2)
  await tab(page, 'History').click()
  await expect(panel(page)).toContainText('Signed in with a license key')

  await page.goBack()
  await expect(title(page)).toContainText('User')
  await page.reload()
  await expect(title(page)).toContainText(key)
  await page.goto('/licenses')
  await row(page, key).getByRole('cell').nth(3).click()
  await expect(panel(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(row(page, key)).toBeFocused()
})

test('leads from a license to the reseller who sold it, and back to what the reseller sold', async ({
  app,
  page,
  owner,
}) => {
  const reseller = await newSellingReseller(app, {}, owner)
  const { licenses } = (await reseller.sell({ amount: 2 })).body as unknown as { licenses: string[] }
  const [key = '', other = ''] = licenses
  await page.goto('/licenses')
  await row(page, key).getByRole('link', { name: reseller.username }).click()
  await expect(title(page)).toContainText(reseller.username)
  await expect(panel(page)).toContainText('2 sold in all apps')
  await expect(panel(page)).toContainText('90 credits')
  await expectNoAxeViolations(page)
  await tab(page, 'Payments').click()
  await expect(panel(page)).toContainText('-10')
  await tab(page, 'Sales').click()
  await expect(panel(page).getByRole('listitem')).toHaveCount(2)
  await expectNoAxeViolations(page)
  await panel(page).getByRole('link', { name: other }).click()
  await expect(title(page)).toContainText(other)
  await page.goto('/manage-resellers')
  await expect(page.locator('tr[data-row]')).toHaveCount(1)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(title(page)).toContainText(reseller.username)
  await inPanel(page, 'Credits').click()
  await page.getByRole('dialog').getByRole('spinbutton', { name: 'Credits' }).fill('5')
  await page.getByRole('dialog').getByRole('button', { name: 'Add credits' }).click()
  await expect(panel(page)).toContainText('95 credits')
})

test('opens from names in lists', async ({ app, page, owner }) => {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).status).toBe(200)
  await test.step('opens from the machine and the address of a user in the list', async () => {
    const { hwid = '' } = (await owner.visitor.call('GET /users', { query: {} })).body.users[0] ?? {}
    await page.goto('/users')
    for (const name of [hwid.slice(0, 8), '127.0.0.1']) {
      await page.getByRole('table').getByRole('link', { name, exact: true }).click()
      await expect(title(page)).toContainText(name)
      await expect(panel(page)).toContainText(key)
      await page.keyboard.press('Escape')
      await expect(panel(page)).toHaveCount(0)
    }
  })

  await test.step('opens from names in the log, the audit, and alerts', async () => {
    await newAlert(app, owner, { ip: '203.0.113.7' })
    await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key, banned: true } })
    await page.goto('/logs')
    await page.getByRole('table').getByRole('link', { name: key }).first().click()
    await expect(title(page)).toContainText(key)
    await page.goto('/audit')
    await page
      .getByRole('row', { name: /License banned/ })
      .getByRole('link', { name: key })
      .click()
    await expect(title(page)).toContainText(key)
    await page.goto('/alerts')
    await page.getByRole('table').getByRole('link', { name: '203.0.113.7' }).click()
    await expect(title(page)).toContainText('203.0.113.7')
    await expect(panel(page)).toContainText('Nothing is known about this IP address')
  })
})

test('a machine is acted on in its panel: its user is banned and reset, its sessions end, and numbers lead to their lists', async ({
  app,
  page,
  owner,
}) => {
  const username = await newSubscriber(owner, { username: 'elena' })
  const program = await signedIn(app, owner, username)
  const hwid = (await owner.visitor.call('GET /users', { query: {} })).body.users[0]?.hwid ?? ''
  expect((await (await Program.of(app, owner)).init()).status).toBe(200)
  await page.goto(`/users?panel=device:${hwid}`)
  const sessions = panel(page).getByRole('link', { name: '1 session' })
  await expect(sessions).toHaveAttribute('href', new RegExp(`/sessions\\?f\\.hwid=${hwid}$`))
  await expectNoAxeViolations(page)
  await panel(page).getByRole('link', { name: '1 log entry' }).click()
  await expect(page).toHaveURL(new RegExp(`/logs\\?f\\.hwid=${hwid}$`))
  await expect(page.locator('tr[data-row]')).toHaveCount(1)
  await page.goBack()

  await inPanel(page, 'Delete 1 session').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expectToast(page, 'Deleted 1 session successfully')
  expect((await program.heartbeat()).body.success).toBe(false)
  await expect(panel(page)).toContainText('0 sessions')
  await expect(inPanel(page, 'Delete 1 session')).toHaveCount(0)
  await inPanel(page, 'Ban 1 user').click()
  await page.getByRole('dialog', { name: 'Ban elena?' }).getByRole('button', { name: 'Ban', exact: true }).click()
  await expectToast(page, 'User banned successfully')
  await expect(inPanel(page, 'Unban')).toBeVisible()
  await inPanel(page, 'Reset HWID').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset HWID' }).click()
  await expectToast(page, 'HWID reset successfully')
  await expect(inPanel(page, 'Reset HWID')).toHaveCount(0)
  await expect(page).not.toHaveURL(/action=/)
  const { user } = (await owner.visitor.call('GET /user/{username}', { params: { username }, query: {} })).body
  expect(user).toMatchObject({ banned: true, hwid: '' })
})

test('all users bound to a machine are banned at once, and only the sessions of exactly an address end', async ({
  app,
  page,
  owner,
}) => {
  const { appId } = owner
  for (const username of ['elena', 'marco']) {
    await newSubscriber(owner, { username })
    const program = await Program.of(app, owner)
    program.hwid = 'BFEBFBFF000906EA-S4EVNX0N'
    await program.init()
    expect((await program.login(username, userPassword)).status).toBe(200)
  }
  // A part of the other address.
  const ip = '27.0.0.1'
  const { sessions } = (await owner.visitor.call('GET /sessions', { query: {} })).body
  await app.db.write(async ({ db }) => {
    const handle = sessions[0]?.session_id ?? ''
    await db
      .updateTable('client_sessions')
      .set({ ip })
      .where('app_id', '=', appId)
      .where('handle', '=', handle)
      .execute()
  })
  activityLog(app.services).record({ appId, at: app.now(), call: 'login', username: 'elena', ip })
  await app.db.write(async ({ db }) => {
    const stored = await db.selectFrom('client_sessions').selectAll().where('app_id', '=', appId).execute()
    const copies = stored.flatMap((session) =>
      Array.from({ length: 110 }, (_, n) => {
        const id = `${session.handle}-${n}`
        return { ...session, token_hash: id, handle: id }
      }),
    )
    await db.insertInto('client_sessions').values(copies).execute()
  })
  await page.goto(`/overview?panel=address:${ip}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await expect(panel(page).getByRole('link', { name: '111 sessions' })).toBeVisible()
  await expectNoAxeViolations(page)
  await panel(page).getByRole('link', { name: '111 sessions' }).click()
  await expect(page).toHaveURL(new RegExp(`/sessions\\?f\\.ip=${ip}$`))
  await expect(page.getByRole('button', { name: `IP Address ${ip}` })).toBeVisible()
  await page.goBack()
  const deleteAll = async () => {
    await inPanel(page, 'Delete 111 sessions').click()
    const dialog = page.getByRole('dialog', { name: 'Delete 111 sessions?' })
    await dialog.getByLabel('App name').fill(owner.appName)
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await expectToast(page, 'Deleted 111 sessions successfully')
    await expect(inPanel(page, 'Delete 111 sessions')).toHaveCount(0)
  }
  await deleteAll()
  const { body: left } = await owner.visitor.call('GET /sessions', { query: { page: 1, limit: 100 } })
  expect(left.total).toBe(111)
  expect(new Set(left.sessions.map((each) => each.ip))).toEqual(new Set(['127.0.0.1']))

  const hwid = (await owner.visitor.call('GET /users', { query: {} })).body.users[0]?.hwid ?? ''
  await page.goto(`/overview?panel=device:${hwid}`)
  await deleteAll()
  expect((await owner.visitor.call('GET /sessions', { query: {} })).body.total).toBe(0)
  await inPanel(page, 'Ban 2 users').click()
  await page.getByRole('dialog', { name: 'Ban 2 users?' }).getByRole('button', { name: 'Ban', exact: true }).click()
  await expectToast(page, 'Banned 2 users successfully')
  const banned = await owner.visitor.call('GET /users', { query: { status: 'banned' } })
  expect(banned.body.total).toBe(2)
})

test('j and k walk through the list with the panel open, and Enter opens it', async ({ page, owner }) => {
  await newLicenses(owner, 3)
  await page.goto('/licenses')
  await expect(page.locator('tr[data-row]')).toHaveCount(3)
  const keys = await page
    .locator('tr[data-row]')
    .evaluateAll((rows) => rows.map((each) => each.getAttribute('data-row') ?? ''))
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(title(page)).toContainText(keys[0] as string)
  await page.keyboard.press('j')
  await expect(title(page)).toContainText(keys[1] as string)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(title(page)).toContainText(keys[2] as string)
  await page.keyboard.press('k')
  await expect(title(page)).toContainText(keys[1] as string)
  // One step back leaves the panel, however many rows it showed.
  await page.goBack()
  await expect(panel(page)).toHaveCount(0)
  await page.goForward()
  await expect(title(page)).toContainText(keys[1] as string)
  await page.keyboard.press('b')
  await page.getByRole('dialog').getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(panel(page)).toContainText('Banned')
})

test('a customer is acted on from any page, and only what is theirs is listed', async ({ app, page, owner }) => {
  await test.step('acts on a customer from any page, and the history follows', async () => {
    const username = await newSubscriber(owner, { username: 'elena' })
    const program = await Program.of(app, owner)
    await program.init()
    expect((await program.login(username, userPassword)).status).toBe(200)
    await page.goto('/sessions')
    await page.getByRole('table', { name: 'Sessions' }).getByRole('link', { name: username }).click()
    await tab(page, 'Devices').click()
    await expect(panel(page).getByRole('listitem').filter({ hasText: 'Bound' })).toContainText('1 log entry')
    await tab(page, 'Why').click()
    await expect(panel(page)).toContainText('Nothing keeps this customer out now')
    await inPanel(page, 'Ban').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ban', exact: true }).click()
    await expectToast(page, 'User banned successfully')
    await expect(panel(page)).toContainText('Banned')
    await expect(panel(page)).toContainText('Rejected since')
    expect((await program.heartbeat()).body.success).toBe(false)
    await inPanel(page, 'Unban').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unban', exact: true }).click()
    await expect(panel(page)).toContainText('Nothing keeps this customer out now')
    await tab(page, 'History').click()
    await expect(panel(page)).toContainText(/unbanned by/i)
    await inPanel(page, 'Edit').click()
    await page.getByRole('dialog').getByLabel('Email').fill('elena@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Save Changes' }).click()
    await tab(page, 'Details').click()
    await expect(panel(page)).toContainText('elena@example.com')
  })

  await test.step('lists the licenses and sessions of exactly the user, however many others have its name in theirs', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    const username = await newSubscriber(owner, { username: 'mar' })
    const program = await signedIn(app, owner, username)
    expect((await program.send('upgrade', { licenseKey: key })).status).toBe(200)
    const others = {
      amount: 30,
      mask: 'mar-####-####-####-####',
      subscription: 1,
      expiryUnit: 'days',
      duration: 1,
    } as const
    expect((await owner.visitor.call('POST /create_licenses', { body: others })).status).toBe(200)
    await page.goto('/users?panel=user:mar&part=licenses')
    await expect(panel(page).getByRole('listitem')).toHaveText([new RegExp(key)])
    await tab(page, 'Sessions').click()
    await expect(panel(page).getByRole('listitem')).toHaveCount(1)
  })
})

test('what is deleted or of another owner is missing', async ({ page, owner, app }) => {
  await test.step('deleting what the panel shows closes it', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await page.goto(`/overview?panel=license:${key}`)
    await inPanel(page, 'Delete').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete license' }).click()
    await expect(panel(page)).toHaveCount(0)
    await page.goto(`/overview?panel=license:${key}`)
    await expect(panel(page)).toContainText('License not found')
    await expect(inPanel(page, 'Delete')).toHaveCount(0)
  })

  await test.step("another owner's license, user, and reseller look like missing ones", async () => {
    expect(owner.appId).not.toBe('')
    const stranger = await newOwnerWithApp(app)
    const [key = ''] = await newLicenses(stranger, 1)
    const username = await newSubscriber(stranger)
    await page.goto(`/licenses?panel=license:${key}`)
    await expect(panel(page)).toContainText('License not found')
    await page.goto(`/licenses?panel=user:${username}`)
    await expect(panel(page)).toContainText('User not found')
    const reseller = await newReseller(app, stranger)
    await page.goto(`/licenses?panel=reseller:${reseller.username}`)
    await expect(panel(page)).toContainText('Reseller not found')
    await page.goto('/licenses?panel=nothing')
    await expect(page.getByRole('heading', { name: 'Licenses', level: 1 })).toBeVisible()
    await expect(panel(page)).toHaveCount(0)
  })
})

test('on phones it covers the page, and a tap on a card opens it', async ({ page, owner }) => {
  const username = await newSubscriber(owner, {
    username: 'a-very-long-name-that-does-not-fit-beside-its-badge@example.com',
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/users')
  await page.getByRole('list', { name: 'Users' }).getByText('Basic').click()
  const dialog = page.getByRole('dialog', { name: `User ${username}` })
  await expect(dialog).toBeVisible()
  expect(await dialog.boundingBox()).toMatchObject({ x: 0, width: 390, height: 844 })
  for (const name of ['Details', 'History', 'Licenses', 'Sessions', 'Devices', 'Why', 'Raw']) {
    await tab(page, name).click()
    expect(await panel(page).evaluate((frame) => frame.scrollWidth)).toBe(390)
  }
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toHaveCount(0)
})

test('without the server it keeps what it shows, says so, and loads the rest when it is back', async ({
  page,
  owner,
  connection,
}) => {
  const [key = '', other = ''] = await newLicenses(owner, 2)
  await page.goto(`${connection.url}/licenses`)
  await row(page, key).getByRole('cell').nth(3).click()
  await expect(panel(page)).toContainText('Generated by')
  await connection.reject()
  await row(page, other).getByRole('cell').nth(3).click()
  await expect(panel(page)).toContainText('Failed to load the license')
  await page.keyboard.press('j')
  await expect(title(page)).toContainText(key)
  await expect(panel(page)).toContainText('Generated by')
  await connection.restore()
  await page.keyboard.press('k')
  await expect(title(page)).toContainText(other)
  await expect(panel(page)).toContainText('Generated by')
})
