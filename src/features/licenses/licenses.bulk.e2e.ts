import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { bulkBar, day, dialog, license, redeem, select, stat } from '#e2e/license-screen.ts'
import { newLicenses } from '#testing/people/people.ts'
import type { TestApp } from '#testing/start-test-app.ts'

/** Bulk actions on licenses: counted first, confirmed by typing, resumable, and undone exactly. */

/** Types the confirmation text of a bulk action, once the server has counted the affected rows. */
async function confirmWith(page: Page, word: string) {
  await expect(dialog(page)).not.toContainText('Counting')
  await dialog(page).getByLabel(`Type “${word}” to confirm`).fill(word)
}

const selectAll = async (page: Page, count: string) => {
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  await bulkBar(page)
    .getByRole('button', { name: `select all ${count}` })
    .click()
}

/** All stored columns of an owner's licenses. */
const rowsOf = (app: TestApp, owner: SignedInOwner) =>
  app.db.read.selectFrom('licenses').selectAll().where('app_id', '=', owner.appId).orderBy('id').execute()

test('adds time to selected rows on any page; lifetime licenses are skipped and counted', async ({ page, owner }) => {
  const [lifetime = ''] = await newLicenses(owner, 1, { expiryUnit: 'lifetime', duration: 0 })
  const [timed = ''] = await newLicenses(owner, 1)
  await newLicenses(owner, 10)
  await page.goto('/licenses')
  await page.getByRole('button', { name: 'Add time' }).click()
  await expectToast(page, 'No licenses selected')

  await page
    .getByRole('checkbox', { name: /^Select (?!all)/ })
    .first()
    .check()
  await page.getByRole('button', { name: 'Next page' }).click()
  await select(page, lifetime)
  await select(page, timed)
  await expect(bulkBar(page)).toContainText('3 selected')
  await bulkBar(page).getByRole('button', { name: 'Add time' }).click()
  await dialog(page).getByRole('spinbutton', { name: 'Duration' }).fill('2')
  await dialog(page).getByLabel('Unit').selectOption({ label: 'Weeks' })
  await dialog(page).getByRole('button', { name: 'Add time' }).click()
  await expectToast(page, /Time added to 2 licenses\. 1 was skipped/)
  await expect(bulkBar(page)).toBeHidden()
  expect((await license(owner, timed))?.expiry).toBe(44 * day)
  expect((await license(owner, lifetime))?.expiry).toBe(0)
})

test('bans everything that matches, and lists failures with their reasons', async ({ page, owner }) => {
  const batch = await newLicenses(owner, 12, { notes: 'launch' })
  const [other = ''] = await newLicenses(owner, 1, { notes: 'keep' })
  await page.goto('/licenses?q=launch')
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  await bulkBar(page).getByRole('button', { name: 'select all 12' }).click()
  await bulkBar(page).getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Ban 12 licenses?' })).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Ban' }).click()
  await expectToast(page, 'Banned 12 licenses successfully')
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(stat(page, 'Banned')).toContainText('12')
  expect((await license(owner, other))?.banned).toBe(false)

  // Another session deletes one of the selected licenses.
  const [gone = '', stays = ''] = batch.slice(-2)
  await page.goto('/licenses?q=launch')
  await select(page, gone)
  await select(page, stays)
  await owner.visitor.call('POST /delete_license', { body: { licenseKey: gone, appId: owner.appId } })
  await bulkBar(page).getByRole('button', { name: 'Delete selected' }).click()
  await dialog(page).getByRole('button', { name: 'Delete selected' }).click()
  await expect(page.getByRole('dialog', { name: '1 done · 1 failed' })).toBeVisible()
  await expect(dialog(page).getByRole('listitem')).toContainText([`${gone}License not found`])
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('button', { name: 'Close' }).last().click()
  expect(await license(owner, stays)).toBeUndefined()

  // For a single license, the dialog itself shows the reason.
  const [last = ''] = batch.slice(-3)
  await page.goto('/licenses?q=launch')
  await select(page, last)
  await bulkBar(page).getByRole('button', { name: 'Delete selected' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Delete selected' })).toBeEnabled()
  await owner.visitor.call('POST /delete_license', { body: { licenseKey: last, appId: owner.appId } })
  await dialog(page).getByRole('button', { name: 'Delete selected' }).click()
  await expect(dialog(page).getByRole('alert')).toHaveText('License not found')
})

test("deletes everything only after the app's name is typed, and users only there without being asked to", async ({
  page,
  app,
  owner,
}) => {
  const [used = ''] = await newLicenses(owner, 3)
  await redeem(app, used, 'marta.dev')
  await page.goto('/licenses')
  const users = dialog(page).getByRole('checkbox', { name: 'Also delete users' })
  await page.getByRole('button', { name: `Actions for ${used}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(users).not.toBeChecked()
  await expect(users).toHaveAccessibleDescription('marta.dev loses their account as well.')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  await bulkBar(page).getByRole('button', { name: 'Delete selected' }).click()
  await expect(users).not.toBeChecked()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete all' }).click()
  await expect(dialog(page)).toContainText(
    'Deletes 1 redeemed license; the access it granted ends now. Deletes 2 unredeemed licenses.',
  )
  await expect(users).toBeChecked()
  const refund = dialog(page).getByRole('checkbox', { name: 'Refund credits' })
  await expect(refund).toBeChecked()
  await expect(refund).toHaveAccessibleDescription(/Resellers get back the credits they paid/)
  await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog(page).getByRole('button', { name: 'Delete all licenses' }).click()
  await expect(dialog(page).getByText('App name does not match')).toBeVisible()
  expect(await license(owner, used)).toBeDefined()
  await dialog(page).getByLabel('App name').fill('Prism Studio')
  await dialog(page).getByRole('button', { name: 'Delete all licenses' }).click()
  await expectToast(page, 'Deleted 3 licenses successfully')
  await expect(page.getByText(/^No licenses found\.\.\./)).toBeVisible()
})

test('an action on thousands of rows shows its progress, and continues where it stopped', async ({
  connection,
  page,
  owner,
}) => {
  for (let calls = 0; calls < 3; calls++) await newLicenses(owner, 900, { notes: 'launch' })
  await page.goto(`${connection.url}/licenses?q=launch`)
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  await bulkBar(page).getByRole('button', { name: 'select all 2,700' }).click()
  await bulkBar(page).getByRole('button', { name: 'Ban', exact: true }).click()
  await confirmWith(page, 'ban')
  connection.rejectAt('POST /api/1.0/website/licenses/bulk', 3)
  await dialog(page).getByRole('button', { name: 'Ban' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('2,000 are already done. Try again to finish the rest.')
  await connection.restore()
  connection.stall()
  await dialog(page).getByRole('button', { name: 'Ban' }).click()
  await expect(dialog(page).getByText('2,000 of 2,700 done')).toBeVisible()
  await expectNoAxeViolations(page)
  await connection.restore()
  await expectToast(page, 'Banned 2,700 licenses successfully')
  await expect(stat(page, 'Banned')).toContainText('2,700')
  // One undo covers all batches, including the one after the failure.
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restoring: 0 of 2,700')
  await expectToast(page, 'Restored 2,700 licenses')
  await expect(stat(page, 'Unused')).toContainText('2,700')
})

test('a ban of hundreds is counted first, requires typing a word, and can be undone exactly', async ({
  page,
  app,
  owner,
}) => {
  const keys = await newLicenses(owner, 150)
  for (const key of keys.slice(0, 3)) await redeem(app, key, key)
  const banned = { action: 'ban' as const, licenses: keys.slice(2, 12), appId: owner.appId }
  await owner.visitor.call('POST /licenses/bulk', { body: banned })
  const before = await rowsOf(app, owner)
  await page.goto('/licenses')
  await selectAll(page, '150')
  await expect(bulkBar(page).getByRole('button', { name: 'Ban', exact: true })).toHaveAttribute(
    'data-variant',
    'danger',
  )
  await bulkBar(page).getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(dialog(page)).toContainText(
    '2 in use lose access now. 138 can no longer be redeemed. 10 are already banned.',
  )
  const confirm = dialog(page).getByRole('button', { name: 'Ban', exact: true })
  await expect(confirm).toHaveAttribute('data-variant', 'danger-solid')
  await confirm.click()
  await expect(dialog(page).getByText("The confirmation text doesn't match")).toBeVisible()
  await expectNoAxeViolations(page)
  expect(await rowsOf(app, owner)).toEqual(before)

  await page.keyboard.type(' BAN')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Banned 140 licenses successfully')
  await expect(stat(page, 'Banned')).toContainText('150')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restored 140 licenses')
  await expect(stat(page, 'Banned')).toContainText('10')
  expect(await rowsOf(app, owner)).toEqual(before)
})

test('undoes added time to the second, also for everything that matches', async ({ page, app, owner }) => {
  await newLicenses(owner, 60)
  await newLicenses(owner, 60, { expiryUnit: 'minutes', duration: 90 })
  await newLicenses(owner, 2, { expiryUnit: 'lifetime', duration: 0 })
  const before = await rowsOf(app, owner)
  await page.goto('/licenses')
  await selectAll(page, '122')
  await bulkBar(page).getByRole('button', { name: 'Add time' }).click()
  await dialog(page).getByLabel('Unit').selectOption({ label: 'Weeks' })
  await expect(dialog(page)).toContainText('120 get')
  await expect(dialog(page)).toContainText('2 never expire and are skipped.')
  await dialog(page).getByRole('button', { name: 'Add time' }).click()
  await expectToast(page, /Time added to 120 licenses\. 2 were skipped/)
  expect(await rowsOf(app, owner)).not.toEqual(before)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restored 120 licenses')
  expect(await rowsOf(app, owner)).toEqual(before)
})

test('an undo leaves rows that changed since the action as they are, and says so', async ({ page, owner }) => {
  const [first = ''] = await newLicenses(owner, 3)
  await page.goto('/licenses')
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  await bulkBar(page).getByRole('button', { name: 'Ban', exact: true }).click()
  await dialog(page).getByRole('button', { name: 'Ban', exact: true }).click()
  await expectToast(page, 'Banned 3 licenses successfully')
  await owner.visitor.call('POST /delete_license', { body: { licenseKey: first, appId: owner.appId } })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restored 2 licenses. 1 has changed since and is left as is.')
})

test('a changed list is counted again before the action starts', async ({ page, owner }) => {
  await newLicenses(owner, 120)
  await page.goto('/licenses')
  await selectAll(page, '120')
  await newLicenses(owner, 1)
  await bulkBar(page).getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('121 rows now match')
  const confirm = dialog(page).getByRole('button', { name: 'Ban', exact: true })
  await expect(confirm).toHaveAttribute('aria-disabled', 'true')
  await dialog(page).getByLabel('Type “ban” to confirm').fill('ban')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Count again' }).click()
  await expect(page.getByRole('dialog', { name: 'Ban 121 licenses?' })).toContainText('121 can no longer be redeemed.')
  const counts = async () => (await owner.visitor.call('GET /licenses', { query: { appId: owner.appId } })).body.counts
  expect((await counts()).banned).toBe(0)
  await confirm.click()
  await expectToast(page, 'Banned 121 licenses successfully')
  expect((await counts()).banned).toBe(121)
})
