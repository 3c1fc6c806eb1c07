import type { Page } from '@playwright/test'
import { newSubscriber, signedIn } from '#testing/people/end-users.ts'
import { insertLogRows } from '#testing/log-rows.ts'
import { Program } from '#testing/people/program.ts'
import type { TestApp } from '#testing/start-test-app.ts'
import { expect, expectToast, type SignedInOwner, test } from './fixtures.ts'

/** Rows that are stored after a deletion of all rows has asked are never deleted unasked. */

interface World {
  app: TestApp
  page: Page
  owner: SignedInOwner
}

const dialog = (page: Page) => page.getByRole('dialog')

/** Selects all rows of the list at this address, beyond the page, and opens the deletion, which asks `question`. */
async function askToDeleteAll(page: Page, address: string, question: string): Promise<void> {
  const toolbar = page.getByRole('toolbar')
  await page.goto(address)
  await page.getByRole('checkbox', { name: /^Select all/ }).check()
  await toolbar.getByRole('button', { name: /select all/ }).click()
  await toolbar.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page)).toContainText(question)
}

const press = (page: Page, name: string) => dialog(page).getByRole('button', { name }).click()

async function keepsLaterLogs({ app, page, owner }: World): Promise<void> {
  const seen = Array.from({ length: 12 }, () => ({ username: 'ana' }))
  await insertLogRows(app, owner, seen)
  await askToDeleteAll(page, '/logs?q=ana', 'Delete 12 logs?')
  await insertLogRows(app, owner, [{ username: 'ana', ago: 90 }, ...seen])
  await press(page, 'Delete')
  await expectToast(page, 'Deleted 12 logs successfully')
  const { body } = await owner.visitor.call('GET /logs', { query: { search: 'ana' } })
  expect(body.total).toBe(13)
}

async function asksAgainForVariables({ page, owner: { visitor } }: World): Promise<void> {
  const add = (variableName: string) =>
    visitor.call('POST /modify_app_var', { body: { variableName, variableData: 'data' } })
  const variables = async () =>
    (await visitor.call('POST /getAllAppVar', { body: {} })).body.vars.map(
      ({ variableName, variableData, authenticated }) => [variableName, variableData, authenticated],
    )
  for (let n = 10; n < 22; n++) await add(`color_${n}`)
  await add('other')
  await askToDeleteAll(page, '/variables?q=color', 'Delete 12 variables?')
  await add('color_22')
  await press(page, 'Confirm')
  await expect(dialog(page)).toContainText('The list has changed: 13 rows now match. Please check again.')
  await expect(dialog(page)).toContainText('Delete 13 variables?')
  expect(await variables()).toHaveLength(14)
  await press(page, 'Confirm')
  await expectToast(page, 'Deleted 13 variables successfully')
  expect(await variables()).toEqual([['other', 'data', true]])
}

async function keepsLaterSessions({ app, page, owner }: World): Promise<void> {
  const program = await Program.of(app, owner)
  for (let n = 0; n < 12; n++) await program.init()
  await askToDeleteAll(page, '/sessions', 'Delete 12 sessions?')
  app.advance(2)
  const later = await signedIn(app, owner, await newSubscriber(owner, { username: 'ivy' }))
  await press(page, 'Delete')
  await expectToast(page, 'Deleted 12 sessions successfully')
  const { sessions } = (await owner.visitor.call('GET /sessions')).body
  expect(sessions.map(({ verifiedUser }) => verifiedUser)).toEqual(['ivy'])
  expect((await later.heartbeat()).body.code ?? 'OK').toBe('OK')
}

/** Opens the deletion of everything in the app, and types what it wants. */
async function askToDeleteEverything(page: Page, owner: SignedInOwner, address: string, item: string): Promise<void> {
  await page.goto(address)
  await expect(page.locator('tr[data-row]').first()).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: item }).click()
  await dialog(page).getByRole('textbox', { name: 'App name' }).fill(owner.appName)
}

async function keepsLaterLogsOfAll({ app, page, owner }: World): Promise<void> {
  await insertLogRows(app, owner, [{ username: 'ana' }])
  await askToDeleteEverything(page, owner, '/logs', 'Delete All')
  await insertLogRows(app, owner, [{ username: 'bea' }])
  await press(page, 'Delete All')
  await expectToast(page, 'All logs deleted successfully')
  const { body } = await owner.visitor.call('GET /logs', { query: {} })
  expect(body.logs.map(({ username }) => username)).toEqual(['bea'])
}

async function keepsLaterSessionsOfAll({ app, page, owner }: World): Promise<void> {
  await askToDeleteEverything(page, owner, '/sessions', 'Delete all')
  app.advance(2)
  await signedIn(app, owner, await newSubscriber(owner, { username: 'joe' }))
  await press(page, 'Delete all')
  await expectToast(page, 'All sessions deleted successfully')
  const { sessions } = (await owner.visitor.call('GET /sessions')).body
  expect(sessions.map(({ verifiedUser }) => verifiedUser)).toEqual(['joe'])
}

const lists: [promise: string, check: (world: World) => Promise<void>][] = [
  ['log entries that are stored while a deletion asks stay', keepsLaterLogs],
  ['log entries that are stored while the deletion of all asks stay', keepsLaterLogsOfAll],
  ['a deletion asks again when other variables match than those that it asked about', asksAgainForVariables],
  // The last ones, because they advance the clock.
  ['sessions that start while a deletion asks go on', keepsLaterSessions],
  ['and so do those that start while the deletion of all asks', keepsLaterSessionsOfAll],
]

test('rows that are stored while a deletion of all rows asks are not deleted unasked', async ({ app, page, owner }) => {
  for (const [promise, check] of lists) await test.step(promise, () => check({ app, page, owner }))
})
