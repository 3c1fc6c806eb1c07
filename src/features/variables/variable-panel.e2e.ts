import type { Page, Route } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { isFollowing } from '#e2e/followed-list.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'

/** The panel of a variable. */

const panel = (page: Page) => page.locator('[data-side-panel]')
const title = (page: Page) => panel(page).getByRole('heading', { level: 2 }).first()
const inPanel = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const dialog = (page: Page) => page.getByRole('dialog')
const tabsOf = (page: Page) => panel(page).getByRole('tab').allInnerTexts()

type Owner = Pick<SignedInOwner, 'visitor'>
const add = ({ visitor }: Owner, variableName: string, variableData: string, fields = {}) =>
  visitor.call('POST /modify_app_var', { body: { variableName, variableData, ...fields } })
const remove = ({ visitor }: Owner, variableName: string) =>
  visitor.call('POST /modify_app_var', { body: { variableName, deleteVariable: true } })
const variables = async ({ visitor }: Owner) =>
  (await visitor.call('POST /getAllAppVar', { body: {} })).body.vars.map(
    ({ variableName, variableData, authenticated }) => [variableName, variableData, authenticated],
  )

/** Calls for variables from now on. */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.endsWith('/getAllAppVar')) calls.push(search)
  })
  return calls
}

test('a variable opens from its row with its data hidden, which is shown, copied, never printed, and hidden again', async ({
  page,
  context,
  owner,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await add(owner, 'api_key', 'sk_live_4711\nsecond line')
  await add(owner, 'motd', 'Hello', { authenticated: false })
  await page.goto('/variables')
  await row(page, 'api_key').getByRole('cell').nth(1).click()
  await expect(page).toHaveURL(/panel=variable(:|%3A)api_key/)
  await expect(title(page)).toContainText('api_key')
  await expect(panel(page)).toContainText('Only your program can read it, after a user has signed in.')
  await expect(panel(page)).toContainText('Hidden')
  expect(await tabsOf(page)).toEqual(['Details', 'History'])
  await expectNoAxeViolations(page)
  await inPanel(page, 'Copy data').click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toBe('sk_live_4711\nsecond line')
  expect(await page.content()).not.toContain('sk_live_4711')

  await inPanel(page, 'Show data of api_key').click()
  await expect(panel(page).getByText('sk_live_4711')).toBeVisible()
  await expect(row(page, 'api_key')).not.toContainText('sk_live_4711')
  await expectNoAxeViolations(page)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('sk_live_4711')).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await inPanel(page, 'Hide data of api_key').click()
  await expect(panel(page)).not.toContainText('sk_live_4711')

  await inPanel(page, 'Show data of api_key').click()
  await expect(panel(page)).toContainText('sk_live_4711')
  await page.keyboard.press('j')
  await expect(title(page)).toContainText('motd')
  await expect(panel(page)).toContainText('Every copy of your program can read it before anyone has signed in.')
  await expect(panel(page)).not.toContainText('Hello')
  await page.keyboard.press('k')
  await expect(title(page)).toContainText('api_key')
  await expect(panel(page)).not.toContainText('sk_live_4711')
  await inPanel(page, 'Show data of api_key').click()
  await expect(panel(page)).toContainText('sk_live_4711')
  await inPanel(page, 'Close').click()
  await expect(panel(page)).toHaveCount(0)
  await row(page, 'api_key').getByRole('cell').nth(1).click()
  await expect(panel(page)).toContainText('Hidden')
  await page.goto('/variables?panel=variable:api_key&part=raw')
  await expect(panel(page)).toContainText('Hidden')
  expect(await page.content()).not.toContain('sk_live_4711')
})

test('j and k walk through the variables of the list, each shown before its reply is there', async ({
  page,
  owner,
}) => {
  for (let n = 10; n < 22; n++) await add(owner, `name_${n}`, `Data ${n}`)
  await page.goto('/variables?limit=10&sort=name')
  await expect(row(page, 'name_19')).toBeVisible()
  const waiting: Route[] = []
  await page.route(/getAllAppVar\?limit=1&name=/, (route) => void waiting.push(route))
  await row(page, 'name_18').getByRole('cell').nth(1).click()
  await expect(title(page)).toContainText('name_18')
  for (const [key, name] of ['k17', 'k16', 'j17', 'j18', 'j19'].map((step) => [step.slice(0, 1), step.slice(1)])) {
    await page.keyboard.press(key ?? '')
    await expect(title(page)).toContainText(`name_${name}`)
    await expect(panel(page)).toContainText('Hidden')
  }
  expect(waiting.length).toBeGreaterThan(0)
  await page.unroute(/getAllAppVar\?limit=1&name=/)
  await page.keyboard.press('j')
  await expect(title(page)).toContainText('name_20')
  await expect(page).toHaveURL(/page=2/)
  await page.goBack()
  await expect(panel(page)).toHaveCount(0)
})

test('what others change or delete is not taken from the list as it was', async ({ app, page, owner }) => {
  for (const name of ['alpha', 'beta']) await add(owner, name, `Data of ${name}`)
  await page.goto('/variables?sort=name&panel=variable:alpha')
  await expect(panel(page)).toContainText('Hidden')
  await isFollowing(app)
  await add(owner, 'alpha', 'Changed elsewhere')
  await inPanel(page, 'Show data of alpha').click()
  await expect(panel(page)).toContainText('Changed elsewhere')
  await remove(owner, 'beta')
  await expect(row(page, 'beta')).toContainText('Deleted')
  await row(page, 'beta').getByRole('cell').nth(1).click()
  await expect(panel(page)).toContainText('Variable not found')
  await remove(owner, 'alpha')
  await page.goto('/overview?panel=variable:alpha')
  await expect(panel(page)).toContainText('Variable not found')
})

test('a variable is edited and deleted with Undo in its panel, over any page', async ({ page, owner }) => {
  await add(owner, 'api_key', 'first')
  await page.goto('/overview?panel=variable:api_key')
  await expect(title(page)).toContainText('api_key')
  await inPanel(page, 'Show data of api_key').click()
  await page.keyboard.press('e')
  await expect(dialog(page).getByRole('textbox', { name: 'Variable Name' })).not.toBeEditable()
  await dialog(page).getByRole('textbox', { name: 'Variable Data' }).fill('second')
  await dialog(page).getByRole('checkbox', { name: 'Only when signed in' }).uncheck()
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Variable updated successfully')
  await expect(panel(page)).toContainText('second')
  await expect(panel(page)).toContainText('Public')
  expect(await variables(owner)).toEqual([['api_key', 'second', false]])
  await panel(page).getByRole('tab', { name: 'History' }).click()
  await expect(panel(page).getByRole('listitem').filter({ hasText: 'Variable changed' })).toContainText(
    'Only after sign-in',
  )
  await expectNoAxeViolations(page)

  await inPanel(page, 'Delete Variable').click()
  await dialog(page).getByRole('button', { name: 'Confirm' }).click()
  await expectToast(page, 'Variable deleted successfully')
  await expect(panel(page)).toHaveCount(0)
  expect(await variables(owner)).toEqual([])
  await page
    .locator('[data-print=no] > [role=status] > *')
    .filter({ hasText: 'Variable deleted successfully' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expectToast(page, 'Restored 1 item')
  await page.goto('/overview?panel=variable:api_key')
  await expect(title(page)).toContainText('api_key')
  await expect(panel(page)).toContainText('Public')
})

test('a link opens exactly the variable of its name, also among many similar ones', async ({ page, owner }) => {
  for (let n = 0; n < 101; n++) await add(owner, `a_key_${n}`, 'key')
  await add(owner, 'key', 'The one')
  await add(owner, 'KEY: 100% [a/b]?', 'Strange')
  const calls = callsOf(page)
  await page.goto('/variables?panel=variable:key')
  await inPanel(page, 'Show data of key').click()
  await expect(panel(page)).toContainText('The one')
  expect(calls.filter((search) => search.includes('name=key'))).toEqual(['?limit=1&name=key'])
  await page.goto(`/overview?panel=${encodeURIComponent('variable:KEY: 100% [a/b]?')}`)
  await inPanel(page, 'Show data of KEY: 100% [a/b]?').click()
  await expect(panel(page)).toContainText('Strange')
})

test("a deleted variable and another owner's look like missing ones in the panel", async ({ app, page, owner }) => {
  await add(owner, 'deleted', 'Was mine')
  await remove(owner, 'deleted')
  await add(owner, 'x'.repeat(100), 'Mine')
  await add(await newOwnerWithApp(app), 'theirs', 'Not mine')
  for (const name of ['deleted', 'theirs', 'nothing', 'x'.repeat(99), 'x'.repeat(101), 'x'.repeat(3000)]) {
    await page.goto(`/variables?panel=variable:${name}`)
    await expect(panel(page)).toContainText('Variable not found')
    await expect(inPanel(page, 'Delete Variable')).toHaveCount(0)
    await expect(inPanel(page, 'Copy data')).toHaveCount(0)
  }
  await expectNoAxeViolations(page)
})

test('a tap on the card of a variable opens the panel over the page, also with long data', async ({ page, owner }) => {
  const name = 'a_very_long_name_of_a_variable_'.repeat(3)
  await add(owner, name, 'x'.repeat(10_000))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/variables')
  await page.getByRole('list', { name: 'Variables' }).getByText(name).click()
  expect(await panel(page).boundingBox()).toMatchObject({ x: 0, width: 390, height: 844 })
  await inPanel(page, `Show data of ${name}`).click()
  for (const tab of ['History', 'Details']) {
    await panel(page).getByRole('tab', { name: tab }).click()
    expect(await panel(page).evaluate((frame) => frame.scrollWidth)).toBe(390)
  }
  await inPanel(page, 'Close').click()
  await expect(panel(page)).toHaveCount(0)
})
