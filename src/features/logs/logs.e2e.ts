import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, signIn, test } from '#e2e/fixtures.ts'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import { eventStreams } from '#server/http/event-stream.ts'
import { newLicenses } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const choose = async (page: Page, text: string, action: string) => {
  await row(page, text)
    .getByRole('button', { name: /^Actions for / })
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}
const option = (page: Page, name: RegExp | string) => page.getByRole('menuitemcheckbox', { name })
const filterBy = async (page: Page, filter: string, ...values: string[]) => {
  await page.getByRole('button', { name: filter }).click()
  for (const value of values) await option(page, value).click()
  await page.keyboard.press('Escape')
}
const messages = async ({ visitor }: SignedInOwner) =>
  (await visitor.call('GET /logs', { query: { limit: 100 } })).body.logs.map(({ message }) => message)

test('successful calls, rejections, and messages of a program are listed, filtered, explained, and deleted', async ({
  app,
  page,
  owner,
}) => {
  test.slow()
  await page.goto('/logs')
  await expect(page.getByText('Nenhum log encontrado ainda.')).toHaveAttribute('lang', 'pt-BR')
  await expect(page.getByText('Only the newest 1,000,000 entries are kept.')).toBeVisible()
  await expectNoAxeViolations(page)

  const [license = ''] = await newLicenses(owner, 1)
  const program = await signedIn(app, owner, await newSubscriber(owner, { username: 'marta' }))
  await program.send('log', { message: 'anti-tamper check passed' })
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: license, banned: true } })
  const rejected = await Program.of(app, owner)
  await rejected.init()
  await rejected.license(license)
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(row(page, 'anti-tamper check passed')).toContainText('marta')
  await expect(row(page, 'License banned')).toContainText(license)

  await row(page, 'License banned')
    .getByRole('button', { name: /^Details of / })
    .click()
  await expect(page.getByText('The license is banned. Unban it on Licenses to let it in.')).toBeVisible()
  await expect(page.getByText('LICENSE_BANNED')).toBeVisible()
  await expectNoAxeViolations(page)
  await row(page, 'License banned')
    .first()
    .getByRole('button', { name: /^Details of / })
    .click()

  await filterBy(page, 'Result', 'Rejected')
  await expect(row(page, 'anti-tamper')).toBeHidden()
  await expect(row(page, 'License banned')).toBeVisible()
  await page.goto('/logs')
  await choose(page, 'anti-tamper', 'Only this credential')
  await expect(row(page, 'License banned')).toBeHidden()
  await expect(row(page, 'Signed in')).toBeVisible()
  await page.goto('/logs')
  await page.getByRole('searchbox').fill('tamper')
  await expect(row(page, 'License banned')).toBeHidden()
  await choose(page, 'anti-tamper', 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Log deleted successfully')
  expect(await messages(owner)).not.toContain('anti-tamper check passed')
})

test('deletes selected rows, deletes all once the app is named, and shows how long rows are kept', async ({
  app,
  page,
  owner,
}) => {
  const program = await Program.of(app, owner)
  await program.init()
  for (const message of ['one', 'two', 'three', 'four']) await program.send('log', { message })
  await page.goto('/logs')
  for (const text of ['one', 'two']) await row(page, text).getByRole('checkbox').check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Deleted 2 logs successfully')
  expect(await messages(owner)).toEqual(['four', 'three', 'Started'])

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Log retention' }).click()
  await expect(dialog(page).getByRole('spinbutton')).toHaveValue('90')
  await dialog(page).getByRole('spinbutton').fill('0')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog(page).getByText('Logs are stored for 1 to 3650 days')).toBeVisible()
  await dialog(page).getByRole('spinbutton').fill('30')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Logs are stored for 30 days')

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Export' }).click()
  expect((await download).suggestedFilename()).toMatch(/^logs-.*\.csv$/)
  await row(page, 'four').getByRole('checkbox').check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Export' }).click()
  await dialog(page).getByRole('checkbox', { name: 'All columns' }).uncheck()
  await dialog(page).getByRole('checkbox', { name: 'Log Data' }).check()
  const selected = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Export' }).click()
  expect(await readFile(await (await selected).path(), 'utf8')).toBe('Log Data\r\nfour\r\n')

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete All' }).click()
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('textbox', { name: 'App name' }).fill(owner.appName)
  await dialog(page).getByRole('button', { name: 'Delete All' }).click()
  await expectToast(page, 'All logs deleted successfully')
  await expect(page.getByText('Nenhum log encontrado ainda.')).toBeVisible()
  expect(await messages(owner)).toEqual([])
})

test('two tabs: a retention that both changed asks for a decision', async ({ page, owner }) => {
  await page.goto('/logs?dialog=retention')
  await dialog(page).getByRole('spinbutton').fill('30')
  await owner.visitor.call('POST /log_retention', { body: { days: 365 } })
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  const conflict = dialog(page).getByRole('group', { name: 'Changed in the meantime' })
  await expect(conflict).toContainText(/Theirs.*365.*Yours.*30/)
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Logs are stored for 30 days')
})

test('finds rejections by license key and by the whole hardware ID', async ({ app, page, owner }) => {
  await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  program.hwid = 'the whole hardware id'
  await program.init()
  await program.license('NO-SUCH-KEY')
  await page.goto('/logs?f.result=refused')
  await expect(row(page, 'License not found')).toBeVisible()
  await expect(row(page, 'Started')).toBeHidden()
  for (const search of ['no-such-key', 'the whole hardware id']) {
    await page.getByRole('searchbox').fill(search)
    await expect(page).toHaveURL(new RegExp(`q=${search.slice(0, 3)}`))
    await expect(row(page, 'License not found')).toBeVisible()
  }
  await row(page, 'License not found')
    .getByRole('button', { name: /^Details of / })
    .click()
  await expect(page.getByText('The app has no license with this key.')).toBeVisible()
})

/** Streams of the page besides the log's. */
const followed = 1

test('new rows appear at the top, wait while somebody reads, and appear again after the server was away', async ({
  app,
  page,
  owner,
  server,
}) => {
  test.slow()
  const program = await Program.of(app, owner)
  await program.init()
  const write = (message: string) => program.send('log', { message })
  await write('from before')
  await page.goto('/logs')
  await expect(row(page, 'from before')).toBeVisible()
  const live = page.getByRole('button', { name: 'Live', exact: true })
  await expect(live).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText('Connecting…')).toBeHidden()
  await expect.poll(() => eventStreams(app.services).size).toBe(followed + 1)
  await write('as it happens')
  await expect(page.getByRole('row').nth(1)).toContainText('as it happens')

  // Rows do not move while the pointer is over one.
  await row(page, 'from before').hover()
  await write('one that waits')
  await expect(page.getByRole('button', { name: '1 new entry' })).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toContainText('as it happens')
  await page.getByRole('heading', { name: 'Logs' }).hover()
  await expect(page.getByRole('row').nth(1)).toContainText('one that waits')
  await row(page, 'from before').getByRole('checkbox').check()
  await page.getByRole('heading', { name: 'Logs' }).hover()
  await write('one more that waits')
  await expect(page.getByRole('button', { name: '1 new entry' })).toBeVisible()
  await row(page, 'from before').getByRole('checkbox').uncheck()
  await page.getByRole('heading', { name: 'Logs' }).hover()
  await expect(row(page, 'one more that waits')).toBeVisible()
  await row(page, 'from before')
    .getByRole('button', { name: /^Details of / })
    .click()
  await expect(page.locator('[data-side-panel]')).toContainText('from before')
  await page.getByRole('heading', { name: 'Logs' }).hover()
  await write('while an entry is read')
  await expect(page.getByRole('button', { name: '1 new entry' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(row(page, 'while an entry is read')).toBeVisible()

  // More than a page of them are counted, and the newest are loaded.
  await row(page, 'while an entry is read').hover()
  const guest = { appId: owner.appId, at: app.now(), call: 'login', ip: '::1' } as const
  for (let n = 1; n <= 130; n++) activityLog(app.services).record({ ...guest, username: `guest ${n}` })
  await activityLog(app.services).flush()
  await expect(page.getByRole('button', { name: '130 new entries' })).toBeVisible()
  await page.getByRole('heading', { name: 'Logs' }).hover()
  await expect(page.getByRole('row').nth(1)).toContainText('guest 130')

  await server.stop()
  await expect(page.getByText(/^Reconnecting since /)).toBeVisible()
  await server.start()
  await expect(page.getByText(/^Reconnecting since /)).toBeHidden()
  await write('after it was away')
  await expect(page.getByRole('row').nth(1)).toContainText('after it was away')

  // The filter also applies to new rows.
  await page.goto('/logs?f.result=refused')
  await expect(live).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => eventStreams(app.services).size).toBe(followed + 1)
  await write('no rejection')
  await program.license('NO-SUCH-KEY')
  await expect(row(page, 'License not found')).toBeVisible()
  await expect(row(page, 'no rejection')).toBeHidden()
  await live.click()
  await expect.poll(() => eventStreams(app.services).size).toBe(followed)
})

test("reports logs that couldn't be deleted, with the server's reason if there is one", async ({
  app,
  page,
  owner,
}) => {
  const program = await signedIn(app, owner, await newSubscriber(owner, { username: 'marta' }))
  await program.send('log', { message: 'from the program' })
  await page.goto('/logs')
  const remove = () => choose(page, 'from the program', 'Delete')
  const deleteAll = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete All' }).click()
    await dialog(page).getByRole('textbox', { name: 'App name' }).fill(owner.appName)
  }
  const deleteElsewhere = () => owner.visitor.call('POST /delete_all_logs', { body: {} })
  await expectFailures(app, page, [
    { says: 'Failed to delete log', open: remove, press: 'Delete' },
    { says: 'Failed to delete all logs', open: deleteAll, press: 'Delete All' },
    { says: 'Failed to delete log: Log not found', open: remove, press: 'Delete', meanwhile: deleteElsewhere },
  ])
})

test('the histogram counts what the list shows, and a bar narrows the list to its time', async ({
  app,
  page,
  owner,
}) => {
  const log = activityLog(app.services)
  const { appId } = owner
  const noon = app.now() - (app.now() % 86_400) - 43_200
  const record = (at: number, code?: string) =>
    log.record({ appId, at, call: 'login', username: `user ${at - noon}`, ip: '::1', ...(code && { code }) })
  record(noon - 86_400)
  for (const at of [5, 65]) record(noon + at)
  record(noon + 70, 'USER_BANNED')
  await log.flush()
  await page.goto('/logs')
  const card = page.getByRole('region', { name: 'Entries over time' })
  await expect(card).toContainText('4 entries, 1 rejected')
  await card.getByRole('button', { name: 'Actions for Entries over time' }).click()
  await page.getByRole('menuitem', { name: 'View as table' }).click()
  await expect(card.getByRole('row')).toContainText([/Time.*Allowed.*Rejected/])
  await card.getByRole('button', { name: 'Actions for Entries over time' }).click()
  await page.getByRole('menuitem', { name: 'View as chart' }).click()

  await filterBy(page, 'Result', 'Rejected')
  await expect(card).toContainText('1 entry, 1 rejected')

  const day = new Date((noon - 43_200) * 1000).toISOString().slice(0, 10)
  await page.goto(`/logs?f.days=${day}..${day}`)
  await expect(card).toContainText('3 entries, 1 rejected')
  const slider = card.getByRole('slider', { name: 'Entries over time' })
  // Again from the first bar if others have replaced the bars meanwhile.
  const reach = (text: RegExp) =>
    expect(async () => {
      await slider.focus()
      await page.keyboard.press('Home')
      for (let steps = 0; !text.test((await slider.getAttribute('aria-valuetext')) ?? ''); steps += 1) {
        expect(steps).toBeLessThan(100)
        await page.keyboard.press('ArrowRight')
      }
    }).toPass()
  await reach(/3 entries; 1 rejected/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`f.days=${day}T12(:|%3A)00Z..${day}T12(:|%3A)15Z`))
  await expect(card).toContainText('3 entries, 1 rejected')
  await reach(/2 entries; 1 rejected/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`f.days=${day}T12(:|%3A)01Z..${day}T12(:|%3A)02Z`))
  await expect(card).toContainText('2 entries, 1 rejected')
  await expect(row(page, 'user 65')).toBeVisible()
  await expect(row(page, 'user 70')).toBeVisible()
  await expect(row(page, 'user 5')).toHaveCount(0)
  await page.reload()
  await expect(card).toContainText('2 entries, 1 rejected')
  await page.goBack()
  await expect(card).toContainText('3 entries, 1 rejected')
  await card.getByRole('img').click({ position: { x: 30, y: 60 } })
  await expect(page).toHaveURL(new RegExp(`f.days=${day}T12(:|%3A)00Z..${day}T12(:|%3A)01Z`))
  await expect(row(page, 'user 65')).toBeHidden()
  await expect(row(page, 'user 5')).toBeVisible()
})

test('results, reasons, and calls are filtered by several values, each with the number of its entries', async ({
  app,
  page,
  owner,
}) => {
  const log = activityLog(app.services)
  const rows = [
    ['init', ''],
    ['init', ''],
    ['login', ''],
    ['login', 'USER_BANNED'],
    ['license', 'LICENSE_BANNED'],
    ['license', 'LICENSE_BANNED'],
    ['license', 'HWID_MISMATCH'],
  ] as const
  const { appId } = owner
  for (const [call, code] of rows) log.record({ appId, at: app.now(), call, code, username: 'ivy', ip: '::1' })
  await log.flush()
  await page.goto('/logs')
  await expect(page.locator('tr[data-row]')).toHaveCount(7)
  await page.getByRole('button', { name: 'Reason' }).click()
  await expect(option(page, /^License banned/)).toHaveText(/2$/)
  await expect(option(page, /^User banned/)).toHaveText(/1$/)
  await expectNoAxeViolations(page)
  await option(page, 'License banned').click()
  await option(page, 'User banned').click()
  await expect(page).toHaveURL(/f\.code=[A-Z_]+(,|%2C)[A-Z_]+/)
  await page.keyboard.press('Escape')
  await expect(page.locator('tr[data-row]')).toHaveCount(3)
  // The other filters count among what is left, and this one still offers the rest.
  await page.getByRole('button', { name: 'Call' }).click()
  await expect(option(page, /^Sign-in with a license key/)).toHaveText(/2$/)
  await expect(option(page, /^Start/)).toHaveText(/0$/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Reason/ }).click()
  await expect(option(page, /^Another machine/)).toHaveText(/1$/)
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page.locator('tr[data-row]')).toHaveCount(3)
  await page.goto('/logs?f.result=refused,allowed')
  await expect(page.locator('tr[data-row]')).toHaveCount(7)
  await page.goto('/logs?f.code=NO_SUCH_CODE,HWID_MISMATCH')
  await expect(page.locator('tr[data-row]')).toHaveCount(1)
})

test('the log follows new entries until that is switched off, for the account in every browser', async ({
  app,
  browser,
  page,
  owner,
}) => {
  const live = (of: Page) => of.getByRole('button', { name: 'Live', exact: true })
  const saved = async () => (await owner.visitor.call('GET /preferences')).body.followLogs
  await page.goto('/logs')
  await expect(live(page)).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => eventStreams(app.services).size).toBe(followed + 1)
  await live(page).click()
  await expect(live(page)).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(saved).toBe(false)
  await page.reload()
  await expect(live(page)).toHaveAttribute('aria-pressed', 'false')

  const context = await browser.newContext({ baseURL: app.url })
  await signIn(context, app, owner.visitor)
  const other = await context.newPage()
  await other.goto('/logs')
  await expect(live(other)).toHaveAttribute('aria-pressed', 'false')
  await live(other).click()
  await expect.poll(saved).toBe(true)
  await page.reload()
  await expect(live(page)).toHaveAttribute('aria-pressed', 'true')
  await context.close()
})
