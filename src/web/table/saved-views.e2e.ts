import type { Browser, Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, signIn, test } from '#e2e/fixtures.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { noColumns } from '#testing/people/saved-views.ts'
import type { Visitor } from '#testing/people/visitor.ts'
import type { TestApp } from '#testing/start-test-app.ts'

const chip = (page: Page) => page.getByRole('button', { name: 'Views' })
const view = (page: Page, name: string) => page.getByRole('menuitemradio', { name, exact: true })
const menuItem = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name })
const headers = (page: Page) => page.getByRole('columnheader')
const paused = '/subscriptions?f.status=paused'

async function choose(page: Page, name: string | RegExp): Promise<void> {
  await chip(page).click()
  await menuItem(page, name).click()
}

async function saveAs(page: Page, name: string): Promise<void> {
  await choose(page, 'Save view…')
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('button', { name: 'Save view' }).click()
}

const views = async ({ visitor }: { visitor: Visitor }) =>
  (await visitor.call('GET /views', { query: { table: 'subscriptions' } })).body.views

const newView = ({ visitor }: { visitor: Visitor }, name: string, query: string) =>
  visitor.call('POST /views', { body: { table: 'subscriptions', name, query, columns: noColumns } })

/** The same person in another browser. */
async function otherBrowser(browser: Browser, app: TestApp, visitor: Visitor): Promise<Page> {
  const context = await browser.newContext({ baseURL: app.url })
  await signIn(context, app, visitor)
  return context.newPage()
}

test('a view is saved, marked while the address equals it, and used in a second browser', async ({
  app,
  page,
  owner,
  browser,
}) => {
  await page.goto('/subscriptions')
  await chip(page).focus()
  await page.keyboard.press('Enter')
  const save = menuItem(page, /^Save view…/)
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await expect(save).toContainText('Search, filter, sort, or arrange the columns first.')
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')
  await expect(chip(page)).toBeFocused()

  await page.goto(`${paused}&limit=25&page=1`)
  await saveAs(page, 'On hold')
  await expectToast(page, 'View saved successfully')
  await expect(chip(page)).toHaveText('ViewsOn hold')
  expect(await views(owner)).toMatchObject([{ name: 'On hold', query: 'f.status=paused&limit=25', columns: noColumns }])
  await chip(page).click()
  await expect(view(page, 'On hold')).toBeChecked()
  await expectNoAxeViolations(page)
  await view(page, 'No view').click()
  await expect(page).not.toHaveURL(/f\.status/)
  await expect(chip(page)).toHaveText('Views')
  await page.goBack()
  await expect(chip(page)).toHaveText('ViewsOn hold')

  const other = await otherBrowser(browser, app, owner.visitor)
  await other.goto('/subscriptions?q=Basic&page=2')
  await chip(other).click()
  await expect(view(other, 'On hold')).not.toBeChecked()
  await view(other, 'On hold').press('Enter')
  await expect(other).toHaveURL(/subscriptions\?f\.status=paused&limit=25$/)
  await expect(other.getByRole('searchbox')).toHaveValue('')
  await other.context().close()
})

test('a changed view is updated, renamed and deleted, each with a way back', async ({ page, owner }) => {
  await newView(owner, 'On hold', 'f.status=paused')
  await page.goto(paused)
  await expect(chip(page)).toHaveText('ViewsOn hold')
  await page.getByRole('searchbox').fill('bas')
  await page.getByRole('searchbox').press('Enter')
  await expect(chip(page)).toHaveText('ViewsOn hold, changed')
  await choose(page, 'Update “On hold”')
  await expectToast(page, 'View updated successfully')
  await expect(chip(page)).toHaveText('ViewsOn hold')
  expect(await views(owner)).toMatchObject([{ query: 'f.status=paused&q=bas' }])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(chip(page)).toHaveText('ViewsOn hold, changed')
  expect(await views(owner)).toMatchObject([{ query: 'f.status=paused' }])

  await choose(page, 'Rename “On hold”…')
  const dialog = page.getByRole('dialog', { name: 'Rename view' })
  await expect(dialog.getByRole('textbox')).toHaveValue('On hold')
  await dialog.getByRole('textbox').fill('Paused')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await expect(chip(page)).toHaveText('ViewsPaused, changed')

  await choose(page, 'Delete “Paused”')
  await expectToast(page, 'View deleted successfully')
  await expect(chip(page)).toHaveText('Views')
  // The rows stay as they are filtered.
  await expect(page).toHaveURL(/q=bas/)
  expect(await views(owner)).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(chip(page)).toHaveText('ViewsPaused, changed')
  expect(await views(owner)).toMatchObject([{ name: 'Paused', query: 'f.status=paused' }])
})

test('a taken name is said at its field, and what was typed stays while the server is away', async ({
  page,
  owner,
  connection,
}) => {
  await newView(owner, 'On hold', 'f.status=paused')
  await page.goto(`${connection.url}/subscriptions?f.status=active`)
  await saveAs(page, 'on HOLD')
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  const name = dialog.getByRole('textbox', { name: 'Name' })
  await expect(dialog).toContainText('You already have a view with this name')
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await name.fill(' ')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(dialog).toContainText('View name is required')
  await expectNoAxeViolations(page)

  await name.fill('Active ones')
  await connection.reject()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(name).toHaveValue('Active ones')
  await connection.restore()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(dialog).toBeHidden()
  await expect(chip(page)).toHaveText('ViewsActive ones')
  expect(await views(owner)).toMatchObject([{ name: 'Active ones' }, { name: 'On hold' }])
})

test('the views of a page are in its command palette, and so is saving one', async ({ page, owner }) => {
  await newView(owner, 'On hold', 'f.status=paused')
  await page.goto('/subscriptions?f.status=active')
  await expect(headers(page).first()).toBeVisible()
  const search = page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox')
  await page.keyboard.press('Control+k')
  await search.fill('on hold')
  await page.getByRole('option', { name: 'View: On hold' }).click()
  await expect(page).toHaveURL(/f\.status=paused/)
  await page.keyboard.press('Control+k')
  await search.fill('save view')
  await page.getByRole('option', { name: 'Save view…' }).click()
  await expect(page.getByRole('dialog', { name: 'Save view' })).toBeVisible()
})

async function setHeight(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Row height' }).click()
  await page.getByRole('menuitemradio', { name }).click()
}

async function expectHeight(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Row height' }).click()
  await expect(page.getByRole('menuitemradio', { name })).toBeChecked()
  await page.keyboard.press('Escape')
}

test('columns and row height chosen in one browser appear in another; the last choice counts', async ({
  app,
  page,
  owner,
  browser,
}) => {
  await page.goto('/subscriptions')
  await page.getByRole('button', { name: 'Columns' }).click()
  const panel = page.getByRole('dialog', { name: 'Columns' })
  await panel.getByRole('checkbox', { name: 'Users' }).press('Space')
  await panel.getByRole('button', { name: 'Move Status up' }).click()
  await expect(headers(page)).toContainText(['Name', 'Level', 'Status'])
  await page.keyboard.press('Escape')
  await setHeight(page, 'Relaxed')
  const saved = async () => (await owner.visitor.call('GET /preferences')).body
  await expect.poll(saved).toMatchObject({
    density: 'relaxed',
    columns: [{ table: 'subscriptions', columns: { hidden: ['users'] } }],
  })

  const other = await otherBrowser(browser, app, owner.visitor)
  await other.goto('/subscriptions')
  await expect(other.getByRole('columnheader', { name: 'Users' })).toBeHidden()
  await expectHeight(other, 'Relaxed')
  await setHeight(other, 'Compact')
  await other.getByRole('button', { name: 'Columns' }).click()
  await other.getByRole('dialog', { name: 'Columns' }).getByRole('button', { name: 'Reset' }).click()
  await expect(other.getByRole('columnheader', { name: 'Users' })).toBeVisible()
  await expect.poll(saved).toMatchObject({ density: 'compact', columns: [] })
  await other.context().close()

  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Users' })).toBeVisible()
  await expectHeight(page, 'Compact')
})

test('a view brings its columns', async ({ page, owner }) => {
  const columns = { ...noColumns, hidden: ['users'] }
  const body = { table: 'subscriptions' as const, name: 'Without users', query: '', columns }
  await owner.visitor.call('POST /views', { body })
  await page.goto('/subscriptions')
  await expect(page.getByRole('columnheader', { name: 'Users' })).toBeVisible()
  await chip(page).click()
  await view(page, 'Without users').click()
  await expect(page.getByRole('columnheader', { name: 'Users' })).toBeHidden()
  await expect(chip(page)).toHaveText('ViewsWithout users')
})

test('what the server cannot save stays in this browser, and is saved after the next start', async ({
  page,
  owner,
  connection,
}) => {
  await page.goto(`${connection.url}/subscriptions`)
  await expect(headers(page).first()).toBeVisible()
  await page.getByRole('button', { name: 'Columns' }).click()
  const panel = page.getByRole('dialog', { name: 'Columns' })
  await expect(panel).toBeVisible()
  await connection.reject()
  await panel.getByRole('checkbox', { name: 'Users' }).press('Space')
  await expect(page.getByRole('columnheader', { name: 'Users' })).toBeHidden()
  await expectToast(page, 'The server could not save how the table looks. This browser keeps it.')
  const saved = async () => (await owner.visitor.call('GET /preferences')).body.columns
  expect(await saved()).toEqual([])

  await connection.restore()
  await page.goto(`${connection.url}/subscriptions`)
  await expect(page.getByRole('columnheader', { name: 'Users' })).toBeHidden()
  await expect.poll(saved).toMatchObject([{ table: 'subscriptions', columns: { hidden: ['users'] } }])
})

test('the columns of somebody else who used this browser do not stay', async ({ page, owner }) => {
  await page.addInitScript(() => {
    localStorage.setItem('signet.columns.subscriptions', '{"users":false}')
    localStorage.setItem('signet.preferences', '{"of":"somebody-else","unsaved":["subscriptions"]}')
  })
  await page.goto('/subscriptions')
  await expect(page.getByRole('columnheader', { name: 'Users' })).toBeVisible()
  expect((await owner.visitor.call('GET /preferences')).body.columns).toEqual([])
})

test('a reseller has views, too', async ({ app, page, owner, context }) => {
  const reseller = await newSellingReseller(app, {}, owner)
  await context.clearCookies()
  await signIn(context, app, reseller.visitor)
  await page.goto('/reseller/licenses?q=x')
  await saveAs(page, 'With x')
  await expect(chip(page)).toHaveText('ViewsWith x')
  const { body } = await reseller.visitor.call('GET /reseller/views', { query: { table: 'reseller-licenses' } })
  expect(body.views).toMatchObject([{ name: 'With x', query: 'q=x' }])
})

test('a reseller who uses the same browser takes nothing of the columns in an open tab of an owner', async ({
  app,
  page,
  owner,
  context,
}) => {
  const reseller = await newSellingReseller(app, {}, owner)
  await page.goto('/subscriptions')
  await page.getByRole('button', { name: 'Columns' }).click()
  const box = (name: string) => page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name })
  await box('Users').press('Space')
  const saved = async () => (await owner.visitor.call('GET /preferences')).body.columns
  await expect.poll(saved).toMatchObject([{ columns: { hidden: ['users'] } }])

  await signIn(context, app, reseller.visitor)
  const other = await context.newPage()
  await other.goto('/reseller/licenses')
  const columns = () => other.evaluate(() => localStorage.getItem('signet.reseller.columns.subscriptions'))
  const marks = () => other.evaluate(() => localStorage.getItem('signet.reseller.preferences'))
  await expect.poll(marks).toContain(`"of":"${reseller.id}"`)
  await expect.poll(columns).toBe(null)
  await box('Status').press('Space')
  await expect.poll(saved).toMatchObject([{ columns: { hidden: ['users', 'status'] } }])
  await expect(page.getByRole('columnheader', { name: 'Users' })).toBeHidden()
})

test('an owner and a reseller in one browser each keep their columns and row height, which their other tabs follow', async ({
  app,
  page,
  owner,
  context,
}) => {
  const reseller = await newSellingReseller(app, {}, owner)
  const second = await context.newPage()
  for (const tab of [page, second]) {
    await tab.goto('/subscriptions')
    await expect(tab.getByRole('columnheader', { name: 'Users' })).toBeVisible()
  }
  await signIn(context, app, reseller.visitor)
  const resellers = await context.newPage()
  const heightOf = async (visitor: Visitor, path: 'GET /preferences' | 'GET /reseller/preferences') =>
    (await visitor.call(path)).body.density
  await resellers.goto('/reseller/licenses')
  await setHeight(resellers, 'Relaxed')
  await expect.poll(() => heightOf(reseller.visitor, 'GET /reseller/preferences')).toBe('relaxed')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: 'Users' }).press('Space')
  await expect(second.getByRole('columnheader', { name: 'Users' })).toBeHidden()
  await page.keyboard.press('Escape')
  await setHeight(page, 'Compact')
  await expectHeight(second, 'Compact')
  await expectHeight(resellers, 'Relaxed')
})

test('what a reseller chose and the server could not save is kept from before values were apart', async ({
  app,
  page,
  owner,
  context,
}) => {
  const reseller = await newSellingReseller(app, {}, owner)
  await signIn(context, app, reseller.visitor)
  await page.goto('/docs/')
  await page.evaluate((of) => {
    localStorage.setItem('signet.density', 'relaxed')
    localStorage.setItem('signet.preferences', JSON.stringify({ of, unsaved: ['density'] }))
  }, reseller.id)
  await page.goto('/reseller/licenses')
  const saved = async () => (await reseller.visitor.call('GET /reseller/preferences')).body.density
  await expect.poll(saved).toBe('relaxed')
})

test('on a phone it is a chip in the line of the toolbar', async ({ page, owner }) => {
  await newView(owner, 'On hold', 'f.status=paused')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/subscriptions')
  const line = await page.getByRole('searchbox').boundingBox()
  const box = await chip(page).boundingBox()
  expect(Math.abs((line?.y ?? 0) - (box?.y ?? 1000))).toBeLessThan(12)
  await chip(page).click()
  await view(page, 'On hold').click()
  await expect(page).toHaveURL(/f\.status=paused/)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
