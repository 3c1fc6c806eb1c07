import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { setPlan } from '#testing/people/people.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const choose = async (page: Page, name: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
const add = ({ visitor }: SignedInOwner, variableName: string, variableData: string) =>
  visitor.call('POST /modify_app_var', { body: { variableName, variableData } })
const variables = async ({ visitor }: SignedInOwner) =>
  (await visitor.call('POST /getAllAppVar', { body: {} })).body.vars.map(
    ({ variableName, variableData, authenticated }) => [variableName, variableData, authenticated],
  )

test('a variable can be added, edited, and deleted, and no name is used twice', async ({ page, owner }) => {
  await page.goto('/variables')
  await expect(page.getByRole('heading', { name: 'Variables Management' })).toBeVisible()
  await expect(page.getByText('No variables found yet.')).toBeVisible()
  await expectNoAxeViolations(page)

  await page.getByRole('button', { name: 'Add Variable' }).first().click()
  const submit = dialog(page).getByRole('button', { name: 'Add Variable' })
  await submit.click()
  await expect(dialog(page).getByText('Variable name and data are required')).toBeVisible()
  const name = dialog(page).getByRole('textbox', { name: 'Variable Name' })
  await expect(name).toHaveAttribute('placeholder', 'api_key')
  await name.fill('api_key')
  await dialog(page).getByRole('textbox', { name: 'Variable Data' }).fill('first value')
  await expectNoAxeViolations(page)
  await submit.click()
  await expectToast(page, 'Variable created successfully')
  await expect(row(page, 'api_key')).not.toContainText('first value')
  await expect(row(page, 'api_key')).toContainText('Signed in')

  await page.getByRole('button', { name: 'Add Variable' }).first().click()
  await dialog(page).getByRole('textbox', { name: 'Variable Name' }).fill('api_key')
  await dialog(page).getByRole('textbox', { name: 'Variable Data' }).fill('other')
  await submit.click()
  await expect(dialog(page).getByText('A variable with this name already exists')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()

  await choose(page, 'api_key', 'Edit Variable')
  await expect(dialog(page).getByRole('textbox', { name: 'Variable Name' })).not.toBeEditable()
  await dialog(page).getByRole('textbox', { name: 'Variable Data' }).fill('second value')
  await dialog(page).getByRole('checkbox', { name: 'Only when signed in' }).uncheck()
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Variable updated successfully')
  expect(await variables(owner)).toEqual([['api_key', 'second value', false]])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Variable restored')
  expect(await variables(owner)).toEqual([['api_key', 'first value', true]])
  await expect(row(page, 'api_key')).toContainText('Signed in')

  await choose(page, 'api_key', 'Delete Variable')
  await dialog(page).getByRole('button', { name: 'Confirm' }).click()
  await expectToast(page, 'Variable deleted successfully')
  expect(await variables(owner)).toEqual([])
})

test('a variable overwritten by mistake comes back from the activity, unless it was changed since', async ({
  page,
  owner,
}) => {
  await add(owner, 'api_key', 'the right one')
  await add(owner, 'api_key', 'by mistake')
  await add(owner, 'api_key', 'once more')
  await page.goto('/variables')
  await page.getByRole('button', { name: 'Activity' }).click()
  const drawer = page.getByRole('dialog', { name: 'Activity' })
  // By their buttons: an entry about an undo contains the name of what was undone.
  const undo = drawer.getByRole('button', { name: 'Undo: Variable changed' })
  await expect(undo).toHaveCount(2)
  await expect(drawer.getByText('Undo until')).not.toHaveCount(0)
  await expect(drawer).not.toContainText('the right one')
  await undo.nth(1).click()
  await expectToast(page, '1 has changed since and is left as is.')
  expect(await variables(owner)).toEqual([['api_key', 'once more', true]])
  await undo.first().click()
  await expectToast(page, 'Restored 1 item')
  expect(await variables(owner)).toEqual([['api_key', 'by mistake', true]])
})

test('data is hidden until it is asked for, is copied without being shown, and is never printed', async ({
  page,
  context,
  owner,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await add(owner, 'api_key', 'sk_live_4711')
  await add(owner, 'motd', 'Hello')
  await page.goto('/variables')
  await expect(row(page, 'api_key')).toContainText('Hidden')
  await expect(page.getByRole('main')).not.toContainText('sk_live_4711')
  await row(page, 'api_key').getByRole('button', { name: 'Copy data' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('sk_live_4711')
  await expect(page.getByRole('main')).not.toContainText('sk_live_4711')

  await page.getByRole('button', { name: 'Show data of api_key' }).click()
  await expect(row(page, 'api_key').getByText('sk_live_4711')).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('Hello')
  await expectNoAxeViolations(page)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('sk_live_4711')).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('button', { name: 'Hide data of api_key' }).click()
  await expect(page.getByRole('main')).not.toContainText('sk_live_4711')
  await choose(page, 'api_key', 'Edit Variable')
  await expect(dialog(page).getByRole('textbox', { name: 'Variable Data' })).toHaveValue('sk_live_4711')
  await page.keyboard.press('Escape')

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('list', { name: 'Variables' })).not.toContainText('sk_live_4711')
  await choose(page, 'motd', 'Copy data')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Hello')
  await choose(page, 'api_key', 'Show data')
  await expect(page.getByRole('list', { name: 'Variables' }).getByText('sk_live_4711')).toBeVisible()
  await page.goto('/users')
  await page.goBack()
  await expect(page.getByRole('list', { name: 'Variables' })).toContainText('api_key')
  await expect(page.getByRole('main')).not.toContainText('sk_live_4711')
})

test('typed text survives a server that is away', async ({ page, owner, server }) => {
  await page.goto('/variables')
  await page.getByRole('button', { name: 'Add Variable' }).first().click()
  await dialog(page).getByRole('textbox', { name: 'Variable Name' }).fill('kept')
  await dialog(page).getByRole('textbox', { name: 'Variable Data' }).fill('typed before')
  await server.stop()
  await dialog(page).getByRole('button', { name: 'Add Variable' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Failed to save variable')
  await expect(dialog(page).getByRole('textbox', { name: 'Variable Data' })).toHaveValue('typed before')
  await server.start()
  await dialog(page).getByRole('button', { name: 'Add Variable' }).click()
  await expectToast(page, 'Variable created successfully')
  expect(await variables(owner)).toEqual([['kept', 'typed before', true]])
})

test('saving a new variable again after its reply was lost is one variable, and another text says that it exists', async ({
  page,
  owner,
}) => {
  let calls = 0
  await page.route('**/modify_app_var', async (route) => {
    await route.fetch()
    if (++calls === 2) return route.fallback()
    await route.abort()
  })
  const save = async (name: string, data: string) => {
    await dialog(page).getByRole('textbox', { name: 'Variable Name' }).fill(name)
    await dialog(page).getByRole('textbox', { name: 'Variable Data' }).fill(data)
    await dialog(page).getByRole('button', { name: 'Add Variable' }).click()
  }
  await page.goto('/variables?dialog=create')
  await save('api_key', 'typed')
  await expect(dialog(page).getByRole('alert')).toHaveText('Failed to save variable')
  await save('api_key', 'typed')
  await expectToast(page, 'Variable created successfully')
  await expect(dialog(page)).toBeHidden()
  expect(await variables(owner)).toEqual([['api_key', 'typed', true]])

  await page.getByRole('button', { name: 'Add Variable' }).first().click()
  await save('motd', 'first')
  await expect(dialog(page).getByRole('alert')).toHaveText('Failed to save variable')
  await page.unroute('**/modify_app_var')
  await save('motd', 'second')
  await expect(dialog(page).getByText('A variable with this name already exists')).toBeVisible()
  expect(await variables(owner)).toContainEqual(['motd', 'first', true])
})

test('an edit shows a value stored by somebody meanwhile instead of overwriting it', async ({ page, owner }) => {
  await add(owner, 'shared', 'seen')
  await page.goto('/variables')
  await choose(page, 'shared', 'Edit Variable')
  await dialog(page).getByRole('textbox', { name: 'Variable Data' }).fill('mine')
  await add(owner, 'shared', 'theirs')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog(page)).toContainText('theirs')
  await dialog(page).getByRole('button', { name: 'Keep mine' }).click()
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Variable updated successfully')
  expect(await variables(owner)).toEqual([['shared', 'mine', true]])
})

test('selected variables can be deleted or exported, a search narrows the export, and all are deleted once the app is named', async ({
  page,
  owner,
}) => {
  for (const name of ['red', 'green', 'blue', 'gray']) await add(owner, name, `data of ${name}`)
  await page.goto('/variables')
  for (const name of ['red', 'blue']) await row(page, name).getByRole('checkbox').check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Confirm' }).click()
  await expectToast(page, 'Deleted 2 variables successfully')

  await page.getByRole('searchbox').fill('gree')
  await expect(row(page, 'gray')).toBeHidden()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Export' }).click()
  expect((await download).suggestedFilename()).toMatch(/^variables-.*\.csv$/)
  await page.getByRole('searchbox').fill('')
  await row(page, 'gray').getByRole('checkbox').check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Export' }).click()
  await dialog(page).getByRole('checkbox', { name: 'Access' }).uncheck()
  const selected = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Export' }).click()
  expect(await readFile(await (await selected).path(), 'utf8')).toBe(
    'Variable Name,Variable Data\r\ngray,data of gray\r\n',
  )

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete All' }).click()
  await dialog(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog(page).getByText('App name does not match')).toBeVisible()
  await dialog(page).getByRole('textbox', { name: 'App name' }).fill(owner.appName)
  await dialog(page).getByRole('button', { name: 'Confirm' }).click()
  await expectToast(page, 'All variables deleted successfully')
  expect(await variables(owner)).toEqual([])
})

test('"Failed to save variable: {message}" and similar errors give the reason of the server; a failure without one has none', async ({
  app,
  page,
  owner,
}) => {
  for (const name of ['red', 'green', 'blue']) await add(owner, name, 'data')
  const addVariable = async () => {
    await page.getByRole('button', { name: 'Add Variable' }).click()
    await dialog(page).getByRole('textbox', { name: 'Variable Name' }).fill('gray')
    await dialog(page).getByRole('textbox', { name: 'Variable Data' }).fill('data')
  }
  const edit = async () => {
    await choose(page, 'red', 'Edit Variable')
    await dialog(page).getByRole('textbox', { name: 'Variable Data' }).fill('other')
  }
  const remove = () => choose(page, 'green', 'Delete Variable')
  const deleteAll = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete All' }).click()
    await dialog(page).getByRole('textbox', { name: 'App name' }).fill(owner.appName)
  }
  const deleteElsewhere = () =>
    owner.visitor.call('POST /modify_app_var', { body: { variableName: 'green', deleteVariable: true } })
  await page.goto('/variables')
  await expectFailures(app, page, [
    { says: 'Failed to save variable', open: edit, press: 'Save Changes' },
    { says: 'Failed to delete variable', open: remove, press: 'Confirm' },
    { says: 'Failed to delete all variables', open: deleteAll, press: 'Confirm' },
    {
      says: 'Failed to save variable: Your plan allows 3 variables per app. Delete some or change your plan.',
      open: addVariable,
      press: 'Add Variable',
      meanwhile: () => setPlan(app, owner.id, 'Free'),
    },
    {
      says: 'Failed to delete variable: Variable not found',
      open: remove,
      press: 'Confirm',
      meanwhile: deleteElsewhere,
    },
  ])
})
