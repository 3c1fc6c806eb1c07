import type { Locator, Page } from '@playwright/test'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { newSubscriber, timeLeft } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
const dialog = (page: Page): Locator => page.getByRole('dialog')

async function levels(owner: SignedInOwner) {
  const { body } = await owner.visitor.call('GET /subscriptions')
  return body.subscriptions.map(({ level, name, active }) => ({ level, name, active }))
}

const add = (owner: SignedInOwner, level: number, name: string) =>
  owner.visitor.call('POST /create_subscription', { body: { level, name, active: true } })

async function choose(page: Page, name: string, item: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

test('creates a level above the highest, once it has a name, and renames it', async ({ page, owner }) => {
  await add(owner, 4, 'Founder')
  await page.goto('/subscriptions')
  await expect(row(page, 'Founder')).toBeVisible()
  await page.getByRole('button', { name: 'Create subscription' }).first().click()
  const form = dialog(page)
  await expect(form.getByRole('textbox', { name: 'Level' })).toHaveValue('5')
  await expect(form.getByRole('textbox', { name: 'Level' })).not.toBeEditable()
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByText('Name is required')).toBeVisible()
  await form.getByRole('textbox', { name: 'Name' }).fill('Studio')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, 'Subscription created successfully')

  await choose(page, 'Studio', 'Edit')
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('Studio')
  await expectNoAxeViolations(page)
  await expect(form.getByRole('textbox', { name: 'Level' })).not.toBeEditable()
  await form.getByRole('textbox', { name: 'Name' }).fill('Studio Max')
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Subscription updated successfully')
  await expect(row(page, 'Studio Max')).toBeVisible()
  expect(await levels(owner)).toContainEqual({ level: 5, name: 'Studio Max', active: true })
})

test('pauses at once, ends in the last of two quick changes, can be undone, and goes back when the server is away', async ({
  page,
  owner,
  server,
}) => {
  await page.goto('/subscriptions')
  await choose(page, 'Basic', 'Pause')
  await expect(row(page, 'Basic')).toContainText('Paused')
  await expectToast(page, 'Subscription paused successfully')
  expect(await levels(owner)).toEqual([{ level: 1, name: 'Basic', active: false }])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'Basic')).toContainText('Active')
  await expectToast(page, 'Subscription activated successfully')

  let answer = () => {}
  const isHeld = new Promise<void>((resolve) => (answer = resolve))
  let sent = 0
  await page.route('**/toggle_subscription_status', async (route) => {
    sent += 1
    await isHeld
    await route.continue()
  })
  await choose(page, 'Basic', 'Pause')
  await expect(row(page, 'Basic')).toContainText('Paused')
  await choose(page, 'Basic', 'Activate')
  await expect(row(page, 'Basic')).toContainText('Active')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden()
  expect(sent).toBe(1)
  answer()
  await expectToast(page, 'Subscription paused successfully')
  await expectToast(page, 'Subscription activated successfully')
  await expect(row(page, 'Basic')).toContainText('Active')
  expect(await levels(owner)).toEqual([{ level: 1, name: 'Basic', active: true }])

  await server.stop()
  await choose(page, 'Basic', 'Pause')
  await expectToast(page, 'Failed to update subscription status')
  await expect(row(page, 'Basic')).toContainText('Active')
  await server.start()
  expect(await levels(owner)).toEqual([{ level: 1, name: 'Basic', active: true }])
  await page.getByRole('button', { name: 'Retry' }).last().click()
  await expectToast(page, 'Subscription paused successfully')
  await expect(row(page, 'Basic')).toContainText('Paused')
})

test('a pause of a level that is in use asks for a word', async ({ page, owner }) => {
  await test.step('a pause says how many users it rejects, asks for a word, and can be undone', async () => {
    await newSubscriber(owner, { username: 'amelia' })
    await page.goto('/subscriptions')
    await choose(page, 'Basic', 'Pause')
    await expect(page.getByRole('dialog', { name: 'Pause Basic?' })).toContainText('In use by 1 user.')
    await expectNoAxeViolations(page)
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    expect(await levels(owner)).toMatchObject([{ active: true }])
    await choose(page, 'Basic', 'Pause')
    await dialog(page).getByRole('button', { name: 'Pause', exact: true }).click()
    await expect(dialog(page)).toContainText("The confirmation text doesn't match")
    expect(await levels(owner)).toMatchObject([{ active: true }])
    await dialog(page).getByLabel('Type “pause” to confirm').fill('pause')
    await dialog(page).getByRole('button', { name: 'Pause', exact: true }).click()
    await expect(row(page, 'Basic')).toContainText('Paused')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(row(page, 'Basic')).toContainText('Active')
  })

  await test.step('a pause in the form asks for the same word, and can be undone', async () => {
    await page.goto('/subscriptions')
    await choose(page, 'Basic', 'Edit')
    await dialog(page).getByRole('checkbox', { name: 'Active' }).uncheck()
    const word = dialog(page).getByLabel('Type “pause” to confirm')
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    await expect(dialog(page)).toContainText("The confirmation text doesn't match")
    await expect(word).toBeFocused()
    await expectNoAxeViolations(page)
    expect(await levels(owner)).toMatchObject([{ active: true }])
    await dialog(page).getByRole('checkbox', { name: 'Active' }).check()
    await expect(word).toBeHidden()
    await dialog(page).getByRole('checkbox', { name: 'Active' }).uncheck()
    await word.fill('Pause')
    await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
    await expect(row(page, 'Basic')).toContainText('Paused')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(row(page, 'Basic')).toContainText('Active')
    expect(await levels(owner)).toMatchObject([{ active: true }])
  })
})

test("a level that can't be deleted says why, and the same dialog can force it", async ({ page, owner }) => {
  await newSubscriber(owner, { username: 'amelia' })
  await newLicenses(owner, 2)
  await page.goto('/subscriptions')
  await choose(page, 'Basic', 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog(page).getByRole('alert')).toContainText(/1 user/)
  await expectNoAxeViolations(page)
  await expect(page.getByRole('dialog', { name: 'Delete Basic?' })).toBeVisible()
  await dialog(page).getByRole('checkbox', { name: 'Force delete' }).check()
  await expect(dialog(page)).toContainText('You can restore it for 30 days.')
  await expect(dialog(page)).toContainText('They lose access immediately.')
  await expect(dialog(page)).toContainText('2 licenses are deleted.')
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(dialog(page)).toContainText('App name does not match')
  expect(await levels(owner)).toHaveLength(1)
  await dialog(page).getByLabel('App name').fill(owner.appName)
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await expectToast(page, 'Subscription deleted successfully')
  expect(await levels(owner)).toEqual([])
})

test('a forced deletion can be undone from its toast: users have their time again', async ({ app, page, owner }) => {
  await newSubscriber(owner, { username: 'amelia' })
  await newSubscriber(owner, { username: 'bruno' })
  await newLicenses(owner, 3)
  const stored = () =>
    app.db.read
      .selectFrom('user_subscriptions')
      .selectAll()
      .where('app_id', '=', owner.appId)
      .orderBy('user_id')
      .execute()
  const before = await stored()
  expect(before).toHaveLength(2)
  await page.goto('/subscriptions')
  await choose(page, 'Basic', 'Delete')
  await dialog(page).getByRole('checkbox', { name: 'Force delete' }).check()
  await dialog(page).getByLabel('App name').fill(owner.appName)
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await expectToast(page, 'Subscription deleted successfully')
  expect(await timeLeft(owner, 'amelia')).toBeUndefined()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restored 4 items')
  await expect(row(page, 'Basic')).toContainText('2')
  expect(await stored()).toEqual(before)

  await owner.visitor.call('POST /delete_subscription', { body: { level: 1, forceDelete: true } })
  await page.goto('/deleted?f.kind=subscription')
  await expect(row(page, 'Basic')).toContainText('2 users')
  await page.getByRole('button', { name: 'Actions for Basic' }).click()
  await page.getByRole('menuitem', { name: 'Restore', exact: true }).click()
  await expectToast(page, 'Restored 4 items')
  expect(await stored()).toEqual(before)
})

test('keeps a level in use until deletion is forced, which removes it from its users', async ({ page, owner }) => {
  await newSubscriber(owner, { username: 'amelia' })
  await add(owner, 2, 'Pro')
  await page.goto('/subscriptions')
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  const bar = page.getByRole('toolbar', { name: 'Actions for selected rows' })
  await expectNoAxeViolations(page)
  await bar.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page)).toContainText('In use by 1 user.')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page).getByRole('heading', { name: '1 deleted, 1 failed' })).toBeVisible()
  await expect(dialog(page).getByRole('list', { name: 'Failed subscriptions' })).toContainText(/^Level 1: ./)
  expect(await levels(owner)).toEqual([{ level: 1, name: 'Basic', active: true }])
  expect(await timeLeft(owner, 'amelia')).toBeGreaterThan(0)

  await dialog(page).getByRole('checkbox', { name: 'Force delete' }).check()
  await dialog(page).getByRole('button', { name: 'Retry failed' }).click()
  await expect(page.getByRole('dialog', { name: 'Delete Basic?' })).toContainText('In use by 1 user.')
  await dialog(page).getByLabel('App name').fill(owner.appName)
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await expectToast(page, 'Subscription deleted successfully')
  await expect(page.getByText('No subscriptions found...')).toBeVisible()
  await expect(bar).toBeHidden()
  expect(await levels(owner)).toEqual([])
  expect(await timeLeft(owner, 'amelia')).toBeUndefined()
})

test('deletes all levels only once the app is named', async ({ page, owner }) => {
  await add(owner, 2, 'Pro')
  await page.goto('/subscriptions')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete all' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page).getByText('App name does not match')).toBeVisible()
  expect(await levels(owner)).toHaveLength(2)
  await dialog(page).getByRole('textbox', { name: 'App name' }).fill(owner.appName)
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, '2 subscriptions deleted')
  expect(await levels(owner)).toEqual([])
})

test('finds levels by name, number, and status', async ({ page, owner }) => {
  await add(owner, 2, 'Pro')
  await owner.visitor.call('POST /toggle_subscription_status', { body: { level: 2, active: false } })
  await page.goto('/subscriptions?q=2')
  await expect(row(page, 'Pro')).toBeVisible()
  await expect(row(page, 'Basic')).toBeHidden()
  await page.goto('/subscriptions?f.status=active')
  await expect(row(page, 'Basic')).toBeVisible()
  await expect(row(page, 'Pro')).toBeHidden()
})

test("says that the list couldn't be loaded, and loads it on request", async ({ app, page, owner }) => {
  await withoutTable(app.db, 'subscriptions', async () => {
    await page.goto('/subscriptions')
    await expect(page.getByText('Failed to load subscriptions')).toBeVisible()
  })
  await page.getByRole('button', { name: /retry|try again/i }).click()
  await expect(row(page, 'Basic')).toBeVisible()
  expect(owner.appName).toBe('Prism Studio')
})

test('two tabs: a field changed in the other tab is shown with both values, and only the chosen one is stored', async ({
  page,
  owner,
  context,
}) => {
  const other = await context.newPage()
  await page.goto('/subscriptions')
  await other.goto('/subscriptions')
  await choose(page, 'Basic', 'Edit')
  await choose(other, 'Basic', 'Edit')
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Mine')
  // The other tab renames and pauses the level; this tab has not changed its status.
  await dialog(other).getByRole('textbox', { name: 'Name' }).fill('Theirs')
  await dialog(other).getByRole('checkbox', { name: 'Active' }).uncheck()
  await dialog(other).getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog(other)).toBeHidden()

  const save = dialog(page).getByRole('button', { name: 'Save Changes' })
  await save.click()
  const conflict = dialog(page).getByRole('group', { name: 'Changed in the meantime' })
  await expect(conflict).toHaveCount(1)
  await expect(conflict).toContainText(/Theirs.*Theirs.*Yours.*Mine/)
  await expect(conflict.getByRole('button', { name: 'Take theirs' })).toBeFocused()
  await expect(dialog(page).getByRole('textbox', { name: 'Name' })).toHaveValue('Mine')
  expect(await levels(owner)).toEqual([{ level: 1, name: 'Theirs', active: false }])
  await expectNoAxeViolations(page)

  await save.click()
  await expect(conflict.getByRole('button', { name: 'Take theirs' })).toBeFocused()
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await expect(conflict).toBeHidden()
  await expect(dialog(page).getByRole('textbox', { name: 'Name' })).toBeFocused()
  await save.click()
  await expect(dialog(page)).toBeHidden()
  expect(await levels(owner)).toEqual([{ level: 1, name: 'Mine', active: false }])
})

test('two tabs: taking their value drops that field and saves the others', async ({ page, owner, context }) => {
  const other = await context.newPage()
  await page.goto('/subscriptions')
  await choose(page, 'Basic', 'Edit')
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Mine')
  await dialog(page).getByRole('checkbox', { name: 'Active' }).uncheck()
  await other.goto('/subscriptions?dialog=edit&row=1')
  await dialog(other).getByRole('textbox', { name: 'Name' }).fill('Theirs')
  await dialog(other).getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog(other)).toBeHidden()

  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await dialog(page).getByRole('button', { name: 'Take theirs' }).click()
  await expect(dialog(page).getByRole('textbox', { name: 'Name' })).toHaveValue('Theirs')
  const request = page.waitForRequest('**/update_subscription')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  expect((await request).postDataJSON()).toEqual({ level: 1, active: false, before: { active: true } })
  await expect(dialog(page)).toBeHidden()
  expect(await levels(owner)).toEqual([{ level: 1, name: 'Theirs', active: false }])
})

test('typed text survives a server that is away, and closing by accident asks first', async ({
  page,
  owner,
  connection,
}) => {
  await page.goto(`${connection.url}/subscriptions`)
  await page.getByRole('button', { name: 'Create subscription' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create subscription' })
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Studio')
  await connection.reject()
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByRole('alert')).toContainText('Failed to create subscription')
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('Studio')

  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.goBack()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('Studio')
  await expect(page).toHaveURL(/dialog=create/)

  await connection.restore()
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, 'Subscription created successfully')
  expect(await levels(owner)).toContainEqual({ level: 2, name: 'Studio', active: true })

  await page.getByRole('button', { name: 'Create subscription' }).first().click()
  await form.getByRole('textbox', { name: 'Name' }).fill('Never')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(form).toBeHidden()
  await expect(page).toHaveURL(/\/subscriptions$/)
  expect(await levels(owner)).toHaveLength(2)
})

test("reports a level that couldn't be changed or deleted", async ({ app, page, owner }) => {
  await page.goto('/subscriptions')
  const rename = async () => {
    await choose(page, 'Basic', 'Edit')
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Studio')
  }
  await expectFailures(app, page, [
    { says: 'Failed to update subscription', open: rename, press: 'Save Changes' },
    { says: 'Failed to delete subscription', open: () => choose(page, 'Basic', 'Delete'), press: 'Delete' },
  ])
  expect(await levels(owner)).toEqual([{ level: 1, name: 'Basic', active: true }])
})

test('the number of users of a level leads to exactly those, also to one whose time has ended', async ({
  page,
  owner,
}) => {
  await add(owner, 2, 'Pro')
  const [other, ended, lasting] = [
    await newSubscriber(owner, { level: 1 }),
    await newSubscriber(owner, { level: 2 }),
    await newSubscriber(owner, { level: 2, days: null }),
  ]
  const params = { username: ended, id: 2 }
  await owner.visitor.call('PUT /user/{username}/subscriptions/{id}', { params, body: { expiry: 1 } })
  await page.goto('/subscriptions')
  await row(page, 'Pro').getByRole('link', { name: 'Users of Pro: 2' }).click()
  await expect(page).toHaveURL(/\/users\?f\.level=2$/)
  await expect(page.locator('tr[data-row]')).toHaveCount(2)
  for (const name of [ended, lasting]) await expect(row(page, name)).toBeVisible()

  await page.goto('/subscriptions')
  await choose(page, 'Basic', 'Show users')
  await expect(page).toHaveURL(/\/users\?f\.level=1$/)
  await expect(row(page, other)).toBeVisible()
  await add(owner, 3, 'Nobody')
  await page.goto('/subscriptions')
  await page.getByRole('button', { name: 'Actions for Nobody' }).click()
  const item = page.getByRole('menuitem', { name: 'Show users' })
  await expect(item).toHaveAttribute('aria-disabled', 'true')
  await expect(item).toContainText('No user has this subscription')
})
