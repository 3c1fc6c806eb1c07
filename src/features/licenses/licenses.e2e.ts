import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { day, dialog, license, redeem, stat } from '#e2e/license-screen.ts'
import { newLicenses } from '#testing/people/people.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

const rowOf = (page: Page, key: string) =>
  page.getByRole('row').filter({ has: page.getByRole('checkbox', { name: `Select ${key}` }) })
const chooseAction = async (page: Page, key: string, entry: string) => {
  await page.getByRole('button', { name: `Actions for ${key}` }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

// An endless animation never settles, which the accessibility check waits for.

test('the first licenses: missing fields are named, then the keys are shown', async ({ page, context, owner }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  // With a single level, that one would be chosen.
  await owner.visitor.call('POST /create_subscription', { body: { level: 2, name: 'Pro', active: true } })
  await page.goto('/licenses')
  await expect(page.getByText('No licenses found...')).toBeVisible()
  await expectNoAxeViolations(page)

  await page.getByRole('heading', { name: 'Licenses', level: 1 }).focus()
  await page.keyboard.press('n')
  const form = page.getByRole('dialog', { name: 'Create licenses' })
  const submit = form.getByRole('button', { name: /^Create/ })
  await form.getByRole('spinbutton', { name: 'Amount' }).fill('1001')
  await submit.click()
  await expect(form.getByText('Please enter a valid amount')).toBeVisible()
  await expect(form.getByRole('spinbutton', { name: 'Amount' })).toBeFocused()
  await form.getByRole('spinbutton', { name: 'Amount' }).fill('3')
  await form.getByLabel('License mask').fill('')
  await expect(form.getByText('Please enter a license mask')).toBeVisible()
  await form.getByLabel('License mask').fill('PRISM-####')
  await expect(form.getByText(/could be guessed: use at least \d+ # characters/)).toBeVisible()
  await form.getByLabel('License mask').fill('PRISM-########-####')
  await expect(form.getByRole('list', { name: 'Sample keys' }).getByRole('listitem').first()).toHaveText(
    /^PRISM-\w{8}-\w{4}$/,
  )
  await expect(form.getByText('Please select a subscription')).toBeVisible()
  await form.getByLabel('Subscription').selectOption({ label: 'Basic' })
  await form.getByRole('spinbutton', { name: 'Duration' }).fill('')
  await submit.click()
  await expect(form.getByText('Please enter a duration')).toBeVisible()
  await form.getByLabel('Unit').selectOption({ label: 'Lifetime' })
  await expect(form.getByRole('spinbutton', { name: 'Duration' })).toBeDisabled()
  await form.getByLabel('Unit').selectOption({ label: 'Weeks' })
  await form.getByRole('spinbutton', { name: 'Duration' }).fill('2')
  await form.getByLabel('Notes').fill("Marta's batch")
  await expect(form.getByRole('region', { name: 'Show as API call' })).toContainText('"mask": "PRISM-########-####"')
  await expectNoAxeViolations(page)
  await submit.click()

  const sheet = page.getByRole('dialog', { name: '3 licenses created' })
  const keys = (await sheet.getByRole('textbox', { name: 'Created license keys' }).inputValue()).split('\n')
  expect(keys).toHaveLength(3)
  await sheet.getByRole('button', { name: 'Copy all' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(keys.join('\n'))
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    sheet.getByRole('button', { name: 'Download TXT' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^licenses-Prism Studio-\d{4}-\d\d-\d\d\.txt$/)
  expect(await readFile(await download.path(), 'utf8')).toBe(`${keys.join('\n')}\n`)
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expectToast(page, 'Created 3 licenses successfully')

  const key = keys[0] as string
  await expect(rowOf(page, key)).toContainText("Marta's batch")
  await expect(rowOf(page, key)).toContainText('2 weeks')
  await expect(rowOf(page, key)).toContainText('Admin')
  await expect(stat(page, 'Unused')).toContainText('3')
  expect(await license(owner, key)).toMatchObject({ expiry: 14 * day, notes: "Marta's batch", level: 1 })
})

test('a rejected creation gives the reason and keeps the form', async ({ page, app, owner }) => {
  await newLicenses(owner, 25)
  await page.goto('/licenses')
  await page.getByRole('button', { name: 'Create licenses' }).click()
  await dialog(page).getByLabel('Subscription').selectOption({ label: 'Basic' })
  // After the form was opened, so that it doesn't know the limit.
  await app.db.write(({ db: trx }) =>
    trx.updateTable('accounts').set({ plan: 'Free' }).where('id', '=', owner.id).execute(),
  )
  await dialog(page).getByLabel('Notes').fill('kept')
  await dialog(page)
    .getByRole('button', { name: /^Create/ })
    .click()
  await expect(dialog(page).getByRole('alert')).toHaveText(
    'Failed to create licenses: Your plan allows 25 licenses per app',
  )
  await expect(dialog(page).getByLabel('Notes')).toHaveValue('kept')
})

test("the list shows each license's user, expiry, and creator", async ({ page, app, owner }) => {
  const [byUser = '', bySelf = '', unused = ''] = await newLicenses(owner, 3, { duration: 60 })
  await redeem(app, byUser, 'marta.dev')
  await redeem(app, bySelf, bySelf)
  await page.goto('/licenses')
  await expect(rowOf(page, bySelf)).toContainText('Same as license')
  await expect(rowOf(page, unused)).toContainText('2 months')
  await expect(rowOf(page, byUser).getByText('Used', { exact: true })).toBeVisible()
  await expect(rowOf(page, byUser)).not.toContainText('2 months')
  await expect(rowOf(page, byUser)).toContainText('30 days left · ')
  const banned = { licenseKey: byUser, banned: true, appId: owner.appId }
  await owner.visitor.call('POST /toggle_ban_license', { body: banned })
  await page.reload()
  await expect(rowOf(page, byUser).getByText('Banned', { exact: true })).toBeVisible()
  await expect(rowOf(page, byUser).getByRole('img', { name: 'Used' })).toBeVisible()
  await rowOf(page, byUser).getByRole('link', { name: 'marta.dev' }).click()
  await expect(page.getByRole('region', { name: 'User marta.dev' })).toBeVisible()
})

test('a ban asks first, shows at once, and can be undone; a rejected one is reverted', async ({
  app,
  connection,
  page,
  owner,
}) => {
  const [key = ''] = await newLicenses(owner, 1)
  await page.goto('/licenses')
  await chooseAction(page, key, 'Ban')
  expect((await license(owner, key))?.banned).toBe(false)
  await dialog(page).getByRole('button', { name: 'Ban' }).click()
  await expect(rowOf(page, key).getByText('Banned', { exact: true })).toBeVisible()
  await expect(rowOf(page, key).getByRole('img', { name: 'Unused' })).toBeVisible()
  await expectToast(page, 'License banned successfully')
  expect((await license(owner, key))?.banned).toBe(true)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'License unbanned successfully')
  await expect(rowOf(page, key).getByText('Unused', { exact: true })).toBeVisible()
  expect((await license(owner, key))?.banned).toBe(false)

  await page.goto(`${connection.url}/licenses`)
  await chooseAction(page, key, 'Ban')
  // The dialog is loaded lazily; the connection may stall only after it has been loaded.
  const ban = dialog(page).getByRole('button', { name: 'Ban' })
  await expect(ban).toBeVisible()
  await withoutTable(app.db, 'licenses', async () => {
    connection.stall()
    await ban.click()
    await expect(rowOf(page, key).getByText('Banned', { exact: true })).toBeVisible()
    await connection.restore()
    await expectToast(page, 'Failed to ban/unban license')
  })
  await expect(rowOf(page, key).getByText('Unused', { exact: true })).toBeVisible()
})

test('edits keep what they do not change, and can be undone', async ({ page, owner }) => {
  await test.step('an edit and a note are undone from their toasts, or later in the activity, unless changed since', async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await page.goto('/licenses')
    const edit = async (fields: { notes: string; days?: string }) => {
      await chooseAction(page, key, 'Edit')
      await dialog(page).getByLabel('Notes').fill(fields.notes)
      if (fields.days) await dialog(page).getByRole('spinbutton', { name: 'Expiry in days' }).fill(fields.days)
      await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
      await expect(dialog(page)).toBeHidden()
      await expectToast(page, 'License updated successfully')
    }
    const stored = async () => {
      const { notes, expiry } = (await license(owner, key)) ?? {}
      return { notes, days: (expiry ?? 0) / day }
    }
    await edit({ notes: 'vip', days: '90' })
    expect(await stored()).toEqual({ notes: 'vip', days: 90 })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectToast(page, 'Restored 1 license')
    expect(await stored()).toEqual({ notes: '', days: 30 })
    await expect(rowOf(page, key)).not.toContainText('vip')
    await edit({ notes: 'only a note' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(rowOf(page, key)).not.toContainText('only a note')
    await expect.poll(stored).toEqual({ notes: '', days: 30 })

    await edit({ notes: 'first' })
    await edit({ notes: 'second' })
    await page.getByRole('button', { name: 'Activity' }).click()
    const edits = page
      .getByRole('dialog', { name: 'Activity' })
      .getByRole('listitem')
      // Not the entry of an undo of it.
      .filter({ has: page.getByText('License changed', { exact: true }) })
    await edits.nth(1).getByRole('button', { name: 'Undo' }).click()
    await expectToast(page, '1 has changed since and is left as is.')
    expect(await stored()).toMatchObject({ notes: 'second' })
    await edits.nth(0).getByRole('button', { name: 'Undo' }).click()
    await expectToast(page, 'Restored 1 item')
    expect(await stored()).toMatchObject({ notes: 'first' })
  })

  await test.step("editing the notes doesn't round an expiry that isn't a whole number of days", async () => {
    const [key = ''] = await newLicenses(owner, 1)
    const body = { licenses: [key], expiryUnit: 'minutes' as const, duration: 90, appId: owner.appId }
    await owner.visitor.call('POST /add_time_licenses', { body })
    await page.goto('/licenses')
    await chooseAction(page, key, 'Edit')
    await expect(dialog(page).getByRole('textbox', { name: 'License key' })).not.toBeEditable()
    await dialog(page).getByLabel('Notes').fill('chargeback')
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    await expectToast(page, 'License updated successfully')
    await expect(rowOf(page, key)).toContainText('chargeback')
    expect((await license(owner, key))?.expiry).toBe(30 * day + 90 * 60)

    await chooseAction(page, key, 'Edit')
    await dialog(page).getByRole('spinbutton', { name: 'Expiry in days' }).fill('0')
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    await expectToast(page, 'License updated successfully')
    await expect(rowOf(page, key)).toContainText('Lifetime')
    expect((await license(owner, key))?.expiry).toBe(0)
  })

  await test.step("two tabs: time added meanwhile is shown beside the typed days, and isn't lost", async () => {
    const [key = ''] = await newLicenses(owner, 1)
    await page.goto('/licenses')
    await chooseAction(page, key, 'Edit')
    const { appId } = owner
    await owner.visitor.call('POST /add_time_licenses', {
      body: { licenses: [key], expiryUnit: 'days', duration: 10, appId },
    })
    const days = dialog(page).getByRole('spinbutton', { name: 'Expiry in days' })
    await days.fill('31')
    await dialog(page).getByLabel('Notes').fill('mine')
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    const conflict = dialog(page).getByRole('group', { name: 'Changed in the meantime' })
    await expect(conflict).toContainText(/Theirs.*40 days.*Yours.*31 days/)
    expect(await license(owner, key)).toMatchObject({ expiry: 40 * day, notes: '' })
    await conflict.getByRole('button', { name: 'Take theirs' }).click()
    await expect(days).toHaveValue('40')
    const request = page.waitForRequest('**/update_license')
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    expect((await request).postDataJSON()).toEqual({ licenseKey: key, notes: 'mine', before: { notes: '' } })
    await expectToast(page, 'License updated successfully')
    expect(await license(owner, key)).toMatchObject({ expiry: 40 * day, notes: 'mine', level: 1 })
  })
})

test('a note shows before the answer; one that fails is taken back with the reason, and what was typed can be saved', async ({
  app,
  page,
  owner,
}) => {
  const [key = ''] = await newLicenses(owner, 1)
  await page.goto('/licenses')
  const notes = dialog(page).getByLabel('Notes')
  const write = async (text: string) => {
    await chooseAction(page, key, 'Edit')
    await notes.fill(text)
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    await expect(dialog(page)).toBeHidden()
  }
  let answer = () => {}
  const isHeld = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/update_license', async (route) => {
    await isHeld
    await route.continue()
  })
  await write('paid in cash')
  await expect(rowOf(page, key)).toContainText('paid in cash')
  expect((await license(owner, key))?.notes).toBe('')
  answer()
  await expectToast(page, 'License updated successfully')
  expect((await license(owner, key))?.notes).toBe('paid in cash')

  await withoutTable(app.db, 'audit', async () => {
    await write('chargeback, 24 November')
    await expectToast(page, 'Failed to update license')
  })
  await expect(rowOf(page, key)).toContainText('paid in cash')
  await page.getByRole('button', { name: 'Edit again' }).click()
  await expect(notes).toHaveValue('chargeback, 24 November')
  const body = { licenseKey: key, notes: 'refunded', appId: owner.appId }
  expect((await owner.visitor.call('POST /update_license', { body })).status).toBe(200)
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog(page)).toContainText('refunded')
  await dialog(page).getByRole('button', { name: 'Keep mine' }).click()
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(rowOf(page, key)).toContainText('chargeback, 24 November')
  expect((await license(owner, key))?.notes).toBe('chargeback, 24 November')

  // Given up in the form, it is gone.
  await withoutTable(app.db, 'audit', async () => {
    await write('discarded')
    await page.getByRole('button', { name: 'Edit again' }).click()
    await expect(notes).toHaveValue('discarded')
  })
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await chooseAction(page, key, 'Edit')
  await expect(notes).toHaveValue('chargeback, 24 November')
})

test('two tabs: keeping my value overwrites theirs once I have seen it, and nothing else of theirs', async ({
  page,
  context,
  owner,
}) => {
  const [key = ''] = await newLicenses(owner, 1)
  for (const [level, name] of [
    [2, 'Pro'],
    [3, 'Team'],
  ] as const) {
    const body = { level, name, active: true, appId: owner.appId }
    await owner.visitor.call('POST /create_subscription', { body })
  }
  const other = await context.newPage()
  await page.goto(`/licenses?dialog=edit&row=${key}`)
  await dialog(page).getByLabel('Subscription').selectOption({ label: 'Pro' })
  await other.goto(`/licenses?dialog=edit&row=${key}`)
  await dialog(other).getByLabel('Subscription').selectOption({ label: 'Team' })
  await dialog(other).getByLabel('Notes').fill('theirs')
  await dialog(other).getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog(other)).toBeHidden()

  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  const conflict = dialog(page).getByRole('group', { name: 'Changed in the meantime' })
  await expect(conflict).toContainText(/Theirs.*Team.*Yours.*Pro/)
  await expectNoAxeViolations(page)
  expect((await license(owner, key))?.level).toBe(3)
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await expect(dialog(page).getByLabel('Subscription')).toBeFocused()
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog(page)).toBeHidden()
  expect(await license(owner, key)).toMatchObject({ level: 2, notes: 'theirs', expiry: 30 * day })
})

test('an export contains the filtered rows and the chosen columns; a failed one says so', async ({
  app,
  page,
  owner,
}) => {
  const launch = await newLicenses(owner, 2, { notes: 'launch' })
  await newLicenses(owner, 2)
  await page.goto('/licenses?q=launch')
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(dialog(page).getByRole('radio', { name: /Current filter/ })).toBeChecked()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('button', { name: 'Export' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^licenses-Prism Studio-\d{4}-\d\d-\d\d\.txt$/)
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
  expect(lines.toSorted()).toEqual(launch.toSorted())

  await page.getByRole('button', { name: 'Export' }).click()
  await expect(dialog(page).getByRole('radio', { name: /Current filter/ })).toHaveAccessibleName(/2 licenses/)
  await expect(dialog(page).getByRole('radio', { name: /All licenses/ })).toHaveAccessibleName(/4 licenses/)
  await dialog(page).getByRole('radio', { name: 'CSV' }).check()
  const column = (name: string) => dialog(page).getByRole('checkbox', { name, exact: true })
  await column('All columns').uncheck()
  await dialog(page).getByRole('button', { name: 'Export' }).click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Choose at least one column')
  await column('Notes').check()
  await column('License key').check()
  await expect(column('All columns')).toHaveJSProperty('indeterminate', true)
  await expectNoAxeViolations(page)
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('button', { name: 'Export' }).click(),
  ])
  const rows = (await readFile(await csv.path(), 'utf8')).split('\r\n')
  expect(rows.toSorted()).toEqual(['', 'License,Notes', ...launch.map((key) => `${key},launch`)].toSorted())

  await page.getByRole('button', { name: 'Export' }).click()
  await withoutTable(app.db, 'licenses', async () => {
    await dialog(page).getByRole('button', { name: 'Export' }).click()
    await expect(dialog(page).getByRole('alert')).toHaveText('Failed to export licenses')
  })
})

test("the list keeps its state in the URL, and says when it can't be loaded", async ({ app, page, owner }) => {
  await newLicenses(owner, 2, { notes: 'launch' })
  await page.goto('/licenses')
  await page.getByRole('searchbox').fill('nobody has this')
  await expect(page.getByText('No results for “nobody has this”')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('searchbox')).toHaveValue('nobody has this')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('checkbox', { name: /^Select (?!all)/ })).toHaveCount(2)
  await stat(page, 'Used').click()
  await expect(page).toHaveURL(/f\.status=used/)
  await page.goBack()
  await expect(page.getByRole('checkbox', { name: /^Select (?!all)/ })).toHaveCount(2)

  await withoutTable(app.db, 'licenses', async () => {
    await page.reload()
    await expect(page.getByText('Failed to load licenses')).toBeVisible()
    await expect(page.getByText(/^Request [0-9A-Z]{4}-[0-9A-Z]{4}$/)).toBeVisible()
  })
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('checkbox', { name: /^Select (?!all)/ })).toHaveCount(2)
})
