import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { isFollowing } from '#e2e/followed-list.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'
import type { Visitor } from '#testing/people/visitor.ts'

/** The panel of a file. */

const panel = (page: Page) => page.locator('[data-side-panel]')
const title = (page: Page) => panel(page).getByRole('heading', { level: 2 }).first()
const inPanel = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const upload = async ({ visitor }: { visitor: Visitor }, name: string, body = {}) =>
  (await visitor.call('POST /downloads/upload', { body: { name, ...body }, file: new File(['bytes'], `${name}.zip`) }))
    .body.download.downloadId
const files = async ({ visitor }: SignedInOwner) => (await visitor.call('GET /downloads')).body.downloads

test('a file opens from its row with its hash and link, from the data of the list; j and k walk through it', async ({
  app,
  page,
  context,
  owner,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  for (const name of ['Alpha', 'Beta', 'Gamma']) await upload(owner, name, { description: `About ${name}` })
  await page.goto('/downloads?sort=name')
  await expect(row(page, 'Alpha')).toBeVisible()
  await isFollowing(app)
  // The rows would be loaded again if nothing followed them.
  await page.evaluate(() => {
    const now = Date.now.bind(Date)
    Date.now = () => now() + 60_000
  })
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/') && pathname.includes('/downloads')) asked.push(pathname)
  })
  await row(page, 'Beta').getByRole('cell').first().click()
  await expect(title(page)).toContainText('Beta')
  await expect(panel(page)).toContainText('About Beta')
  await expect(panel(page)).toContainText('Beta.zip')
  await expect(panel(page)).toContainText('5 B')
  await expect(panel(page)).toContainText('Anyone with the link can download it.')
  await expectNoAxeViolations(page)
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await inPanel(page, 'Copy SHA-256').click()
  await expect.poll(copied).toBe(createHash('sha256').update('bytes').digest('hex'))
  await inPanel(page, 'Copy link').click()
  await expect.poll(copied).toMatch(/\/api\/1\.0\/download\/[^/]+$/)
  expect(await (await fetch(await copied())).text()).toBe('bytes')

  await page.keyboard.press('j')
  await expect(title(page)).toContainText('Gamma')
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await expect(title(page)).toContainText('Alpha')
  expect(asked).toEqual([])
  await panel(page).getByRole('tab', { name: 'Statistics' }).click()
  await expect(panel(page)).toContainText('No downloads yet.')
  await expectNoAxeViolations(page)
  await page.goBack()
  await expect(panel(page)).toHaveCount(0)
})

test('a file is edited, disabled, and deleted with Undo in its panel, over any page', async ({ app, page, owner }) => {
  const id = await upload(owner, 'Alpha')
  await page.goto(`/overview?panel=file:${id}`)
  await expect(title(page)).toContainText('Alpha')
  await isFollowing(app)
  const body = { description: 'Changed elsewhere' }
  await owner.visitor.call('PUT /downloads/file/{name}', { params: { name: id }, body })
  await expect(panel(page)).toContainText('Changed elsewhere')

  await page.keyboard.press('e')
  await page.getByRole('dialog').getByLabel('Name').fill('Omega')
  await page.getByRole('dialog').getByLabel('Require Authentication').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Download updated successfully')
  await expect(title(page)).toContainText('Omega')
  await expect(panel(page)).toContainText('after a user has signed in')
  await inPanel(page, 'Disable').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await expectToast(page, 'Download disabled successfully')
  await expect(panel(page)).toContainText('Inactive')
  expect(await files(owner)).toMatchObject([{ name: 'Omega', authenticated: true, active: false }])

  await inPanel(page, 'Delete').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Download deleted successfully')
  await expect(panel(page)).toHaveCount(0)
  await page
    .locator('[data-print=no] > [role=status] > *')
    .filter({ hasText: 'Download deleted successfully' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expectToast(page, 'Restored 1 item')
  await page.goto(`/overview?panel=file:${id}`)
  await expect(title(page)).toContainText('Omega')
})

test('an upload that was not completed is completed in the panel, and has no link before', async ({ page, owner }) => {
  const id = await upload(owner, 'Alpha', { complete: false })
  await page.goto(`/downloads?panel=file:${id}`)
  await expect(panel(page)).toContainText('Nobody can download it until the upload is completed.')
  await expect(inPanel(page, 'Copy link')).toHaveCount(0)
  await inPanel(page, 'Complete upload').click()
  await expectToast(page, 'File uploaded successfully')
  await expect(inPanel(page, 'Copy link')).toBeVisible()
  await expect(panel(page)).toContainText('Active')
})

test("a deleted file and another owner's look like missing ones in the panel", async ({ app, page, owner }) => {
  const deleted = await upload(owner, 'Alpha')
  await owner.visitor.call('DELETE /downloads/file/{name}', { params: { name: deleted }, body: {} })
  const others = await upload(await newOwnerWithApp(app), 'Theirs')
  for (const id of [deleted, others, 'nothing']) {
    await page.goto(`/downloads?panel=file:${id}`)
    await expect(panel(page)).toContainText('Download not found')
    await expect(panel(page)).not.toContainText('Theirs')
    await expect(inPanel(page, 'Delete')).toHaveCount(0)
  }
})

test('a tap on the card of a file opens the panel over the page', async ({ page, owner }) => {
  await upload(owner, 'a-very-long-name-of-an-installer-without-a-single-space-in-it-1.0.0-windows-x64')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/downloads')
  await page.getByRole('list', { name: 'Downloads' }).getByText('5 B').click()
  expect(await panel(page).boundingBox()).toMatchObject({ x: 0, width: 390, height: 844 })
  for (const name of ['Details', 'Statistics', 'Raw']) {
    await panel(page).getByRole('tab', { name }).click()
    expect(await panel(page).evaluate((frame) => frame.scrollWidth)).toBe(390)
  }
  await inPanel(page, 'Close').click()
  await expect(panel(page)).toHaveCount(0)
})
