import { hashSync } from 'bcryptjs'
import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { setVisibility } from '#e2e/followed-list.ts'
import { PendingRequests } from '#e2e/pending-requests.ts'
import { newUser, userOf } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'

const keysFile = (keys: readonly string[]) =>
  ['License,Level,Expiry,Notes', ...keys.map((key) => `${key},1,30 days,of the file`)].join('\n')
const numbered = (prefix: string) => Array.from({ length: 1100 }, (_, at) => `${prefix}-${String(at).padStart(4, '0')}`)
const found = async (owner: SignedInOwner, search: string) =>
  (await owner.visitor.call('GET /licenses', { query: { search } })).body.total
const notesOf = async (owner: SignedInOwner, license: string) =>
  (await owner.visitor.call('GET /license/{license}', { params: { license } })).body.license?.notes

/** Holds the `nth` request to this address. Returns its arrival, how many have arrived, and its release. */
async function holdNth(page: Page, url: string, nth: number) {
  const arrival = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  let count = 0
  await page.route(url, async (route) => {
    if (++count === nth) {
      arrival.resolve()
      await release.promise
    }
    // The page may have aborted it.
    await route.continue().catch(() => {})
  })
  return { arrived: arrival.promise, count: () => count, release: release.resolve }
}

const choose = (page: Page, name: string, content: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) })

test("KeyAuth's users are checked, imported, shown, and undone", async ({ page, owner }) => {
  await newUser(owner, 'taken')
  const password = hashSync('Correct7Horse', 4)
  const expiry = String(Math.floor(Date.now() / 1000) + 30 * 86_400)
  const users = ['anna', 'ben', 'taken'].map((username) => ({ username, password, banned: null, hwid: 'S-1-5-21' }))
  const subscription = [
    { user: 'anna', subscription: 'default', expiry },
    { user: 'ben', subscription: 'Gold', expiry },
  ]
  await page.goto('/users')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Import' }).click()
  await expect(page.getByRole('heading', { name: 'Import', level: 1 })).toBeVisible()
  await choose(page, 'broken.json', '{"users":[')
  await expect(page.getByText('The file is not valid JSON. It may be incomplete.')).toBeVisible()
  await choose(page, 'users.json', JSON.stringify({ users, subscription }))

  await expect(page.getByText('3 users from KeyAuth')).toBeVisible()
  await page.getByLabel('default').selectOption({ label: 'Basic' })
  await page.getByLabel('Gold').selectOption({ label: 'Create “Gold”' })
  await page.getByRole('button', { name: 'Check file' }).click()
  await expect(page.getByText('2 users will be created')).toBeVisible()
  const results = page.getByRole('region', { name: 'Rows to look at' })
  await expect(results.getByRole('row').nth(1)).toContainText('taken')
  await expectNoAxeViolations(page)
  expect(await userOf(owner, 'anna')).toBeUndefined()

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible()
  const past = page.getByRole('list', { name: 'Imports of the last 30 days' })
  await expect(past).toContainText('2 users created · 1 skipped')
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Show users' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'anna' })).toContainText('Basic')
  expect((await userOf(owner, 'ben'))?.subscriptions).toMatchObject({ 2: { name: 'Gold' } })

  await page.goto('/import')
  await page.getByRole('button', { name: 'Undo the import of users.json' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expectToast(page, 'Undid 2 rows')
  await expect(past).toContainText('Undone')
  expect(await userOf(owner, 'anna')).toBeUndefined()
  expect(await userOf(owner, 'taken')).toBeDefined()
})

test('an import that is cut off continues where it stopped, on the page and after a reload with the same file', async ({
  page,
  owner,
}) => {
  const file = keysFile(numbered('CUT'))
  const imported = () => found(owner, 'CUT-')
  let batches = 0
  let lastBatch = 1
  await page.route('**/imports/rows', (route) => (++batches > lastBatch ? route.abort() : route.continue()))
  await page.goto('/import')
  await choose(page, 'keys.csv', file)
  await page.getByRole('button', { name: 'Check file' }).click()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const stopped = page
    .getByRole('alert')
    .filter({ hasText: 'Failed to import. 500 are already done. Try again to finish the rest.' })
  await expect(stopped).toBeVisible()
  expect(await imported()).toBe(500)

  lastBatch = batches + 1
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: '1,000 are already done.' })).toBeVisible()
  expect(await imported()).toBe(1000)

  lastBatch = Infinity
  await page.reload()
  await choose(page, 'keys.csv', file)
  await expect(page.getByText('1,000 licenses created · stopped after 1,000 of 1,100 rows').first()).toBeVisible()
  await page.getByRole('button', { name: 'Continue this import' }).click()
  await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: '1,100 licenses created' })).toBeVisible()
  expect(await imported()).toBe(1100)

  // Its undo stops as well.
  const [row] = (await owner.visitor.call('GET /imports')).body.imports
  const undone = { undoId: row?.importId ?? '', maxRows: 1 }
  expect((await owner.visitor.call('POST /imports/undo', { body: undone })).body).toMatchObject({
    restored: 100,
    next: 2,
  })
  await page.goto('/import')
  const past = page.getByRole('list', { name: 'Imports of the last 30 days' })
  await expect(past).toContainText('Not finished')
  await page.getByRole('button', { name: 'Undo the import of keys.csv' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect(past).toContainText('Undone')
  expect(await imported()).toBe(0)
})

test('a failed reload of subscriptions or imports takes nothing of a checked file away, and an undone import says so', async ({
  page,
  owner,
}) => {
  await page.clock.install()
  await page.goto('/import')
  await choose(page, 'keys.csv', keysFile(['KEPT-1']))
  await page.getByRole('button', { name: 'Check file' }).click()
  const checked = page.getByText('1 license will be created')
  await expect(checked).toBeVisible()
  const reloads = /\/(subscriptions|imports)(\?|$)/
  await page.route(reloads, (route) => route.fulfill({ status: 500, json: {} }))
  const failed = page.waitForResponse((response) => response.url().includes('/subscriptions'))
  await page.clock.fastForward(61_000)
  await setVisibility(page, 'hidden')
  await setVisibility(page, 'visible')
  await failed
  await new PendingRequests(page).settled()
  await expect(checked).toBeVisible()
  await page.unroute(reloads)

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible()
  expect(await found(owner, 'KEPT-')).toBe(1)
  const undo = page.getByRole('button', { name: 'Undo the import of keys.csv' }).first()
  await undo.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expectToast(page, 'Undid 1 row')
  await expect(page.getByRole('status').filter({ hasText: '1 license created' })).toContainText('Undone')
  await expect(undo).toBeDisabled()
})

test('a check shows what is chosen: changed meanwhile, it ends, and nothing is imported on its result', async ({
  page,
  owner,
}) => {
  const [mine = ''] = await newLicenses(owner, 1, { notes: 'mine' })
  const pending = new PendingRequests(page)
  const held = await holdNth(page, '**/imports/check', 1)
  await page.goto('/import')
  await choose(page, 'keys.csv', keysFile([mine, ...numbered('NEW')]))
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/imports/check'))
  await page.getByRole('button', { name: 'Check file' }).click()
  await held.arrived
  await page.getByRole('radio', { name: 'Overwrite' }).check()
  await aborted
  held.release()
  await pending.settled()
  await expect(page.getByRole('heading', { name: 'Check' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeHidden()
  expect(held.count()).toBe(1)

  await page.getByRole('button', { name: 'Check file' }).click()
  await expect(page.getByText('1 will be overwritten')).toBeVisible()
  await page.getByRole('radio', { name: 'Skip the row' }).check()
  await expect(page.getByText('1 will be overwritten')).toBeHidden()
  await page.getByRole('button', { name: 'Check file' }).click()
  await expect(page.getByText('1 row will be skipped')).toBeVisible()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible()
  expect(await notesOf(owner, mine)).toBe('mine')
})

test('leaving an import asks, and stops it after the rows that are being sent', async ({ page, owner }) => {
  const pending = new PendingRequests(page)
  const held = await holdNth(page, '**/imports/rows', 2)
  await page.goto('/import')
  await choose(page, 'keys.csv', keysFile(numbered('STOP')))
  await page.getByRole('button', { name: 'Check file' }).click()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await held.arrived
  await page.getByRole('link', { name: 'Licenses', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Stop the import?' })
  await expect(question).toContainText('Choose the same file again to continue it.')
  await expectNoAxeViolations(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('progressbar', { name: 'Import' })).toBeVisible()
  await page.getByRole('link', { name: 'Licenses', exact: true }).click()
  await question.getByRole('button', { name: 'Stop and leave' }).click()
  await expect(page.getByRole('heading', { name: 'Licenses', level: 1 })).toBeVisible()
  held.release()
  await pending.settled()
  expect(held.count()).toBe(2)
  expect(await found(owner, 'STOP-')).toBe(1000)
  await page.goto('/import')
  await expect(page.getByText('1,000 licenses created · stopped after 1,000 of 1,100 rows')).toBeVisible()
})

test('an import whose page is loaded anew in another language stops', async ({ page, owner }) => {
  const pending = new PendingRequests(page)
  const held = await holdNth(page, '**/imports/rows', 1)
  await page.goto('/import')
  await choose(page, 'keys.csv', keysFile(numbered('LANG')))
  await page.getByRole('button', { name: 'Check file' }).click()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await held.arrived
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('Português')
  await page.getByRole('option', { name: 'Português', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Importar', level: 1 })).toBeVisible()
  held.release()
  await expect(page.getByText('parou após 500 de 1.100 linhas')).toBeVisible()
  await pending.settled()
  expect(held.count()).toBe(1)
  expect(await found(owner, 'LANG-')).toBe(500)
})

test('a start whose reply is lost is repeated once, and other choices start another import', async ({
  page,
  owner,
}) => {
  const [mine = ''] = await newLicenses(owner, 1, { notes: 'mine' })
  let lost = 0
  await page.route('**/imports/start', async (route) => {
    if (++lost > 2) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await page.goto('/import')
  await choose(page, 'keys.csv', keysFile([mine]))
  await page.getByRole('button', { name: 'Check file' }).click()
  const start = page.getByRole('button', { name: 'Import', exact: true })
  const failed = page.getByRole('alert').filter({ hasText: 'Failed to import' })
  await start.click()
  await expect(failed).toBeVisible()
  await start.click()
  await expect.poll(() => lost).toBe(2)
  await expect(failed).toBeVisible()
  await page.getByRole('radio', { name: 'Overwrite' }).check()
  await page.getByRole('button', { name: 'Check file' }).click()
  await start.click()
  await expect(page.getByRole('heading', { name: 'Import finished' })).toBeVisible()
  expect(await notesOf(owner, mine)).toBe('of the file')
  // In any order, as both may have started in the same second.
  const { imports } = (await owner.visitor.call('GET /imports')).body
  expect(imports.map(({ doneRows }) => doneRows).toSorted()).toEqual([0, 1])
})

test('a chosen file with a check or with changed options is left only after a question', async ({ page, owner }) => {
  const [mine = ''] = await newLicenses(owner, 1)
  const question = page.getByRole('dialog', { name: 'Leave without importing?' })
  const leave = () => page.getByRole('link', { name: 'Licenses', exact: true }).click()
  const isLeft = () => expect(page.getByRole('heading', { name: 'Licenses', level: 1 })).toBeVisible()
  await page.goto('/licenses')
  const open = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Import' }).click()
    await choose(page, 'keys.csv', keysFile([mine]))
    await expect(page.getByText('1 license', { exact: false }).first()).toBeVisible()
  }
  await open()
  await leave()
  await isLeft()

  await open()
  await page.getByRole('radio', { name: 'Overwrite' }).check()
  await leave()
  await expect(question).toContainText('The file and its options are discarded.')
  await expectNoAxeViolations(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('radio', { name: 'Overwrite' })).toBeChecked()
  await leave()
  await question.getByRole('button', { name: 'Leave' }).click()
  await isLeft()

  await open()
  await page.getByRole('button', { name: 'Check file' }).click()
  await expect(page.getByText('1 row will be skipped')).toBeVisible()
  await page.goBack()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('1 row will be skipped')).toBeVisible()
})
