import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { makeAdmin, newAdmin, newLicenses, newOwner, newOwnerWithApp } from '#testing/people/people.ts'
import { activityLog } from '#features/logs/logs.actions.ts'
import { Program } from '#testing/people/program.ts'

/** The panel of an entry of the log or of the audit. */

const panel = (page: Page) => page.locator('[data-side-panel]')
const title = (page: Page) => panel(page).getByRole('heading', { level: 2 }).first()
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const inPanel = (page: Page, name: string) => panel(page).getByRole('link', { name, exact: true })
const details = { name: /^Details of/ }

test('an entry of the log opens in the panel, whose names lead on, and j and k walk through the list', async ({
  app,
  page,
  owner,
}) => {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).status).toBe(200)
  await program.send('log', { message: 'anti-tamper check passed' })
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey: key, banned: true } })
  const rejected = await Program.of(app, owner)
  await rejected.init()
  await rejected.license(key)
  await page.goto('/logs')
  await row(page, 'License banned').getByRole('button', details).click()
  await expect(page).toHaveURL(/panel=log(:|%3A)\d+/)
  await expect(title(page)).toContainText('License banned')
  await expect(panel(page)).toContainText('The license is banned. Unban it on Licenses to let it in.')
  await expect(panel(page).getByRole('link', { name: 'Cause and remedy' })).toBeVisible()
  await expect(panel(page)).toContainText('LICENSE_BANNED')
  await expectNoAxeViolations(page)
  await panel(page).getByRole('tab', { name: 'Why' }).click()
  await expect(panel(page)).toContainText('Rejected on')
  await panel(page).getByRole('tab', { name: 'Details' }).click()

  await page.keyboard.press('j')
  await expect(title(page)).toContainText('Started')
  await page.keyboard.press('j')
  await expect(title(page)).toContainText('Program message')
  await expect(panel(page).locator('pre')).toHaveText('anti-tamper check passed')
  await page.keyboard.press('k')
  await expect(title(page)).toContainText('Started')
  await page.keyboard.press('k')
  await expect(title(page)).toContainText('License banned')
  await inPanel(page, key).click()
  await expect(title(page)).toContainText(key)
  await page.goBack()
  await inPanel(page, '127.0.0.1').click()
  await expect(title(page)).toContainText('127.0.0.1')
})

test('a link opens an entry of the log that the list does not show; deleting it closes the panel', async ({
  app,
  page,
  owner,
}) => {
  const log = activityLog(app.services)
  const { appId } = owner
  const record = (at: number) => log.record({ appId, at, call: 'login', username: `user ${at}`, ip: '::1' })
  record(1)
  for (let n = 0; n < 30; n++) record(app.now() - n)
  await log.flush()
  const { logs } = (await owner.visitor.call('GET /logs', { query: { sort: 'date', limit: 1, page: 1 } })).body
  const id = String(logs[0]?.id)
  await page.goto(`/logs?panel=log:${id}`)
  await expect(inPanel(page, 'user 1')).toBeVisible()
  await expect(row(page, 'user 1').filter({ hasText: /user 1$/ })).toHaveCount(0)
  await panel(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Log deleted successfully')
  await expect(panel(page)).toHaveCount(0)
  await page.goto(`/overview?panel=log:${id}`)
  await expect(panel(page)).toContainText('Log not found')
})

test('an entry of the audit opens in the panel with its values before and after, and is undone there', async ({
  page,
  owner,
}) => {
  const [licenseKey = ''] = await newLicenses(owner, 1)
  for (const notes of ['First note', 'Second note'])
    await owner.visitor.call('POST /update_license', { body: { licenseKey, notes } })
  await owner.visitor.call('POST /toggle_ban_license', { body: { licenseKey, banned: true } })
  await page.goto('/audit')
  await row(page, 'License banned').getByRole('cell').nth(1).click()
  await expect(page).toHaveURL(/panel=audit(:|%3A)\d+/)
  await expect(title(page)).toContainText('License banned')
  await expectNoAxeViolations(page)
  await page.keyboard.press('j')
  await expect(title(page)).toContainText('License changed')
  const changes = panel(page).getByRole('table', { name: 'Recorded details' }).getByRole('row')
  await expect(changes.filter({ hasText: 'Notes' })).toContainText('First note')
  await expect(changes.filter({ hasText: 'Notes' })).toContainText('Second note')
  await page.keyboard.press('k')
  await panel(page).getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Undone successfully')
  await expect(panel(page)).toContainText('Undone')
  await expect(panel(page).getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await inPanel(page, licenseKey).click()
  await expect(title(page)).toContainText('License')
  await page.goBack()
  await inPanel(page, '127.0.0.1').click()
  await expect(title(page)).toContainText('IP Address')
})

test('a link opens an entry of the audit over any page; those of others look like missing ones', async ({
  app,
  page,
  owner,
}) => {
  const admin = await newAdmin(app)
  const params = { id: owner.id }
  await admin.visitor.call('POST /admin/owners/{id}/plan', { params, body: { planType: 'Developer' } })
  const { entries } = (await owner.visitor.call('GET /audit', { query: { act: 'owner.change-plan' } })).body
  await page.goto(`/licenses?panel=audit:${entries[0]?.id}`)
  await expect(title(page)).toContainText('Owner plan changed')
  await expect(panel(page)).toContainText('An administrator')
  await expect(panel(page)).not.toContainText(admin.username)
  await expect(panel(page)).not.toContainText('127.0.0.1')

  const stranger = await newOwnerWithApp(app)
  const foreign = (await stranger.visitor.call('GET /audit', { query: {} })).body.entries[0]?.id
  await page.goto(`/audit?panel=audit:${foreign}`)
  await expect(panel(page)).toContainText('Audit entry not found')
  await (await Program.of(app, stranger)).init()
  const { logs } = (await stranger.visitor.call('GET /logs')).body
  await page.goto(`/logs?panel=log:${logs[0]?.id}`)
  await expect(panel(page)).toContainText('Log not found')
  await page.goto('/logs?panel=log:nothing')
  await expect(panel(page)).toContainText('Log not found')
})

test('an administrator reads an entry of any account in the panel, and undoes the ban of an owner', async ({
  app,
  page,
  owner,
}) => {
  await makeAdmin(app, owner)
  const other = await newOwner(app)
  const params = { id: other.id }
  await owner.visitor.call('POST /admin/owners/{id}/ban', { params, body: { banned: true } })
  await page.goto('/admin/audit')
  await row(page, 'Owner banned').filter({ hasText: other.username }).getByRole('button', details).click()
  await expect(title(page)).toContainText('Owner banned')
  await expect(panel(page)).toContainText('127.0.0.1')
  await expectNoAxeViolations(page)
  await panel(page).getByRole('button', { name: 'Undo' }).click()
  await expect(panel(page)).toContainText('Undone')
  await page.reload()
  await expect(title(page)).toContainText('Owner banned')
  await panel(page).getByRole('link', { name: other.username }).last().click()
  await expect(page).toHaveURL(/admin\/owners\?q=/)
})

test.describe('on phones', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('a tap on the card of an entry opens the panel over the page', async ({ app, page, owner }) => {
    const program = await Program.of(app, owner)
    await program.init()
    await program.license('NO-SUCH-KEY')
    for (const [path, text] of [
      ['/logs', 'License not found'],
      ['/audit', 'App created'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('listitem').filter({ hasText: text }).getByText(text).tap()
      await expect(page.getByRole('dialog')).toContainText(text)
      await page.getByRole('button', { name: 'Close' }).tap()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
  })
})
