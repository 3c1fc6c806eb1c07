import type { Locator, Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { newSubscriber, newUser, timeLeft, userOf } from '#testing/people/end-users.ts'
import { newLicenses } from '#testing/people/people.ts'

const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })
const dialog = (page: Page): Locator => page.getByRole('dialog')
const bar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Actions for selected rows' })
const daysLeft = async (owner: SignedInOwner, name: string) => Math.round(((await timeLeft(owner, name)) ?? 0) / 86_400)

async function choose(page: Page, name: string, item: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

async function select(page: Page, ...names: string[]) {
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
}

test('creates a user once the fields are filled in, and edits the email without changing the password', async ({
  page,
  owner,
}) => {
  await page.goto('/users')
  await expect(page.getByText('No users found yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Create user' }).first().click()
  const form = dialog(page)
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByText('Username is required')).toBeVisible()
  await expect(form.getByText('Password is required')).toBeVisible()
  await form.getByRole('textbox', { name: 'Username' }).fill('amelia')
  await form.getByRole('textbox', { name: 'Password' }).fill('Password-of-user')
  await form.getByRole('textbox', { name: 'Email' }).fill('amelia@example.com')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expectToast(page, 'User created successfully')
  await expect(row(page, 'amelia')).toContainText('Expired')

  await choose(page, 'amelia', 'Edit User')
  await expect(form.getByRole('textbox', { name: 'Username' })).not.toBeEditable()
  await form.getByRole('textbox', { name: 'Email' }).fill('new@example.com')
  const request = page.waitForRequest('**/edit_user')
  await form.getByRole('button', { name: 'Save Changes' }).click()
  expect((await request).postDataJSON()).toEqual({
    username: 'amelia',
    email: 'new@example.com',
    before: { email: 'amelia@example.com' },
  })
  await expectToast(page, 'User updated successfully')
  expect(await userOf(owner, 'amelia')).toMatchObject({ email: 'new@example.com' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restored 1 user')
  expect(await userOf(owner, 'amelia')).toMatchObject({ email: 'amelia@example.com' })

  await choose(page, 'amelia', 'Edit User')
  await form.getByRole('textbox', { name: 'New password' }).fill('Another-password')
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'User updated successfully')
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
})

test('bans and pauses only after confirmation, undoes a ban, and deletes', async ({ page, owner, server }) => {
  await newSubscriber(owner, { username: 'bruno' })
  await page.goto('/users')
  await choose(page, 'bruno', 'Ban')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  expect(await userOf(owner, 'bruno')).toMatchObject({ banned: false })
  await choose(page, 'bruno', 'Ban')
  await expect(dialog(page)).toContainText('Ban bruno?')
  await dialog(page).getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(row(page, 'bruno')).toContainText('Banned')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  expect(await userOf(owner, 'bruno')).toMatchObject({ banned: true })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'bruno')).toContainText('Active')

  await choose(page, 'bruno', 'Pause')
  await dialog(page).getByRole('button', { name: 'Pause' }).click()
  await expect(row(page, 'bruno')).toContainText('Paused')
  await choose(page, 'bruno', 'Unpause')
  await dialog(page).getByRole('button', { name: 'Unpause' }).click()
  await expect(row(page, 'bruno')).toContainText('Active')
  await expect.poll(() => userOf(owner, 'bruno')).toMatchObject({ paused: false })

  await server.stop()
  await choose(page, 'bruno', 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Failed to delete user')
  await server.start()
  await choose(page, 'bruno', 'Delete')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'User deleted successfully')
  await expect(page.getByText('No users found yet.')).toBeVisible()
  await expect(dialog(page)).toBeHidden()
})

test('extends the selected users as the preview says, and names those it skipped', async ({ page, owner }) => {
  await newSubscriber(owner, { username: 'carla' })
  await newUser(owner, 'diego')
  await page.goto('/users')
  await select(page, 'carla', 'diego')
  await expect(bar(page)).toContainText('2 selected')
  await bar(page).getByRole('button', { name: 'Extend' }).click()
  const form = dialog(page)
  await expect(form.getByText('Changes 1 user. Skips 1 without the subscription.')).toBeVisible()
  await expectNoAxeViolations(page)
  await form.getByRole('spinbutton', { name: 'Duration' }).fill('')
  await form.getByRole('button', { name: 'Extend' }).click()
  await expect(form.getByText('Please enter a duration')).toBeVisible()
  await form.getByRole('spinbutton', { name: 'Duration' }).fill('2')
  await form.getByRole('combobox', { name: 'Unit' }).selectOption('Weeks')
  await form.getByRole('button', { name: 'Extend' }).click()
  await expectToast(page, '1 user did not have the subscription and was skipped')
  await expect(bar(page)).toBeHidden()
  expect(await daysLeft(owner, 'carla')).toBe(44)

  await newUser(owner, 'dario')
  await page.reload()
  await select(page, 'carla', 'diego', 'dario')
  await bar(page).getByRole('button', { name: 'Extend' }).click()
  await form.getByRole('spinbutton', { name: 'Duration' }).fill('1')
  await form.getByRole('button', { name: 'Extend' }).click()
  await expectToast(page, '2 users did not have the subscription and were skipped')
  await expect(bar(page)).toBeHidden()
  expect(await daysLeft(owner, 'carla')).toBe(45)

  await select(page, 'carla')
  await bar(page).getByRole('button', { name: 'Subtract' }).click()
  await form.getByRole('spinbutton', { name: 'Duration' }).fill('5')
  await form.getByRole('button', { name: 'Subtract' }).click()
  await expectToast(page, '1 user updated')
  expect(await daysLeft(owner, 'carla')).toBe(40)
})

test("adds and removes a user's subscriptions and variables in the panel", async ({ page, owner }) => {
  await newUser(owner, 'elena')
  await page.goto('/users')
  await expect(page.getByRole('row').filter({ hasText: 'elena' })).toContainText(/Expired.*No subscription/)
  await page.getByRole('button', { name: 'Details of elena' }).click()
  const levels = page.getByRole('region', { name: 'Subscriptions of elena' })
  await expect(levels.getByText('No active subscriptions found.')).toBeVisible()
  await expect(levels.getByRole('combobox', { name: 'Add subscription' })).toHaveValue('1')
  await levels.getByRole('spinbutton', { name: 'Days' }).fill('')
  await expect(levels.getByRole('button', { name: 'Add', exact: true })).toHaveAccessibleDescription('Enter the days')
  await levels.getByRole('spinbutton', { name: 'Days' }).fill('30')
  await expect(levels.getByRole('spinbutton', { name: 'Days' })).toHaveValue('30')
  await select(page, 'elena')
  await expectNoAxeViolations(page)
  await levels.getByRole('spinbutton', { name: 'Days' }).fill('3650')
  await levels.getByRole('button', { name: 'Add', exact: true }).click()
  await expectToast(page, /^Subscription added/)
  expect(await daysLeft(owner, 'elena')).toBe(3650)
  await levels.getByRole('button', { name: 'Remove Basic from elena' }).click()
  await expectToast(page, /^Subscription removed/)
  await expect(levels.getByText('No active subscriptions found.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expectToast(page, 'Subscription restored')
  await expect(levels.getByRole('button', { name: 'Remove Basic from elena' })).toBeVisible()
  await expect.poll(() => daysLeft(owner, 'elena')).toBe(3650)

  const variables = page.getByRole('region', { name: 'Variables of elena' })
  await expect(variables.getByText('No variables found.')).toBeVisible()
  await variables.getByRole('textbox', { name: 'Variable name' }).fill('coins')
  await variables.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(variables.getByText('Variable name and data are required')).toBeVisible()
  await variables.getByRole('textbox', { name: 'Variable data' }).fill('10')
  await variables.getByRole('button', { name: 'Add', exact: true }).click()
  await expectToast(page, 'Variable created successfully')
  await variables.getByRole('textbox', { name: 'coins' }).fill('25')
  await variables.getByRole('button', { name: 'Save coins' }).click()
  await expectToast(page, 'Variable updated successfully')
  await expect.poll(async () => (await userOf(owner, 'elena'))?.variables).toEqual({ coins: '25' })
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expectToast(page, 'Variable restored')
  await expect(variables.getByRole('textbox', { name: 'coins' })).toHaveValue('10')
  await variables.getByRole('button', { name: 'Delete coins' }).click()
  await expectToast(page, 'Variable deleted successfully')
  await expect(variables.getByText('No variables found.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(variables.getByRole('textbox', { name: 'coins' })).toHaveValue('10')
})

test('binds a user to the machine of a pasted HWID, shows its short fingerprint, and finds the user by it', async ({
  page,
  owner,
}) => {
  await newSubscriber(owner, { username: 'gilda' })
  await newSubscriber(owner, { username: 'hector' })
  await page.goto('/users')
  await choose(page, 'gilda', 'Edit User')
  await dialog(page).getByRole('textbox', { name: 'New HWID' }).fill('short')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog(page).getByText('The HWID must have at least 8 characters')).toBeVisible()
  await dialog(page).getByRole('textbox', { name: 'New HWID' }).fill(' BFEBFBFF000906EA-S4EVNX0N ')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'User updated successfully')
  const { hwid = '' } = (await userOf(owner, 'gilda')) ?? {}
  expect(hwid).toMatch(/^[\w-]{12}$/)
  await expect(row(page, 'gilda').getByText(hwid.slice(0, 8), { exact: true })).toBeVisible()
  await page.getByRole('searchbox').fill('BFEBFBFF000906EA-S4EVNX0N')
  await expect(row(page, 'hector')).toBeHidden()
  await expect(row(page, 'gilda')).toBeVisible()
})

test('an email or a variable changed by somebody meanwhile is shown instead of overwritten', async ({
  page,
  owner,
}) => {
  const { visitor } = owner
  const username = 'urban'
  await newUser(owner, username, { email: 'first@example.com' })
  const variable = { username, variableName: 'coins' }
  await visitor.call('POST /user_variables', { body: { ...variable, variableData: '1' } })
  await page.goto('/users')
  const conflict = page.getByRole('group', { name: 'Changed in the meantime' })

  await choose(page, username, 'Edit User')
  await visitor.call('POST /edit_user', { body: { username, email: 'theirs@example.com' } })
  await dialog(page).getByRole('textbox', { name: 'Email' }).fill('mine@example.com')
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expect(conflict).toContainText('theirs@example.com')
  expect(await userOf(owner, username)).toMatchObject({ email: 'theirs@example.com' })
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'User updated successfully')
  expect(await userOf(owner, username)).toMatchObject({ email: 'mine@example.com' })

  await page.getByRole('button', { name: `Details of ${username}` }).click()
  const coins = page.getByRole('textbox', { name: 'coins' })
  await expect(coins).toHaveValue('1')
  await coins.fill('3')
  await visitor.call('PUT /user_variables', { body: { ...variable, variableData: '2' } })
  await page.getByRole('button', { name: 'Save coins' }).click()
  await expect(conflict).toContainText('2')
  await conflict.getByRole('button', { name: 'Take theirs' }).click()
  await expect(coins).toHaveValue('2')
  expect((await userOf(owner, username))?.variables).toEqual({ coins: '2' })
})

test('resets a bound machine, and otherwise says why there is nothing to reset', async ({ page, owner, app }) => {
  await newUser(owner, 'fabio')
  await page.goto('/users')
  await page.getByRole('button', { name: 'Actions for fabio' }).click()
  await expect(page.getByRole('menuitem', { name: /Reset HWID/ })).toContainText('No machine is bound')
  await app.db.write(({ db: trx }) =>
    trx.updateTable('users').set({ hwid_hash: 'ab12' }).where('username', '=', 'fabio').execute(),
  )
  await page.reload()
  await choose(page, 'fabio', 'Reset HWID')
  await dialog(page).getByRole('button', { name: 'Reset HWID' }).click()
  await expectToast(page, 'HWID reset successfully')
  expect(await userOf(owner, 'fabio')).toMatchObject({ hwid: '' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restored 1 user')
  expect((await userOf(owner, 'fabio'))?.hwid).not.toBe('')
})

test("deletes the selected users, then all of them once the app's name is entered", async ({ page, owner }) => {
  for (let each = 1; each <= 12; each++) await newUser(owner, `gina-${each}`)
  await page.goto('/users?dialog=extend')
  await expectToast(page, 'No users selected')
  await select(page, 'gina-12', 'gina-11')
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page)).toContainText('Delete 2 users?')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Deleted 2 users successfully')
  await expect(page.getByRole('list', { name: 'User counts' })).toContainText(/All\s*10/)

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete all' }).click()
  await expect(dialog(page)).toContainText('Deletes 10 users.')
  await dialog(page).getByRole('textbox', { name: 'App name' }).fill('prism')
  await dialog(page).getByRole('button', { name: 'Delete all' }).click()
  await expect(dialog(page).getByText('App name does not match')).toBeVisible()
  await dialog(page).getByRole('textbox', { name: 'App name' }).fill(owner.appName)
  await dialog(page).getByRole('button', { name: 'Delete all' }).click()
  await expect(page.getByText('No users found yet.')).toBeVisible()
  expect((await owner.visitor.call('GET /users', { query: {} })).body.total).toBe(0)
})

test('bans all users who match a filter, also on other pages', async ({ page, owner }) => {
  for (let each = 1; each <= 11; each++) await newUser(owner, `hugo-${each}`)
  await newUser(owner, 'ida')
  await page.goto('/users?q=hugo')
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  await bar(page).getByRole('button', { name: 'select all 11' }).click()
  await bar(page).getByRole('button', { name: 'Ban' }).click()
  await dialog(page).getByRole('button', { name: 'Ban', exact: true }).click()
  await expectToast(page, 'Banned 11 users successfully')
  const { body } = await owner.visitor.call('GET /users', { query: { status: 'banned' } })
  expect(body.total).toBe(11)
  expect(await userOf(owner, 'ida')).toMatchObject({ banned: false })
})

test('undoes a ban of many users, except for those banned before', async ({ page, owner }) => {
  for (const name of ['nina', 'otto']) await newUser(owner, name)
  await owner.visitor.call('POST /toggle_ban_user', { body: { username: 'otto', banned: true } })
  await page.goto('/users')
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  await bar(page).getByRole('button', { name: 'Ban' }).click()
  await dialog(page).getByRole('button', { name: 'Ban', exact: true }).click()
  await expectToast(page, 'Banned 1 user successfully')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restored 1 user')
  await expect.poll(async () => (await userOf(owner, 'nina'))?.banned).toBe(false)
  expect(await userOf(owner, 'otto')).toMatchObject({ banned: true })
})

test('subtracting time from all matching users needs a typed word, and undo restores it to the second', async ({
  page,
  owner,
}) => {
  await newSubscriber(owner, { username: 'paula' })
  for (let each = 0; each < 109; each++) await newUser(owner, `rita-${each}`)
  await page.goto('/users')
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  await bar(page).getByRole('button', { name: 'select all 110' }).click()
  for (const name of ['Subtract', 'Reset HWID', 'Ban', 'Delete']) {
    await expect(bar(page).getByRole('button', { name })).toHaveAttribute('data-variant', 'danger')
  }
  const endOf = async (name: string) => (await userOf(owner, name))?.subscriptions[1]?.expiry
  const before = await endOf('paula')
  await bar(page).getByRole('button', { name: 'Subtract' }).click()
  await expect(dialog(page)).toContainText('Changes 1 user. Skips 109 without the subscription.')
  await dialog(page).getByRole('spinbutton', { name: 'Duration' }).fill('4')
  await dialog(page).getByRole('button', { name: 'Subtract' }).click()
  await expect(dialog(page).getByText("The confirmation text doesn't match")).toBeVisible()
  await dialog(page).getByLabel('Type “subtract” to confirm').fill('subtract')
  await dialog(page).getByRole('button', { name: 'Subtract' }).click()
  await expectToast(page, '1 user updated')
  expect(await daysLeft(owner, 'paula')).toBe(26)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restored 1 user')
  expect(await endOf('paula')).toBe(before)
})

test("pauses selected users from the bar's menu, in red like every dangerous action, and undoes it", async ({
  page,
  owner,
}) => {
  for (const username of ['sara', 'tomas']) await newSubscriber(owner, { username })
  await page.goto('/users')
  await select(page, 'sara', 'tomas')
  await bar(page).getByRole('button', { name: 'More for selected rows' }).click()
  await expect(page.getByRole('menuitem', { name: 'Pause', exact: true })).toHaveAttribute('data-danger')
  await page.getByRole('menuitem', { name: 'Pause', exact: true }).click()
  await expect(dialog(page)).toContainText('2 active users lose access now.')
  await dialog(page).getByRole('button', { name: 'Pause' }).click()
  await expectToast(page, 'Paused 2 users successfully')
  expect(await userOf(owner, 'sara')).toMatchObject({ paused: true })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Restored 2 users')
  expect(await userOf(owner, 'sara')).toMatchObject({ paused: false })
  await page.getByRole('button', { name: 'Actions for sara' }).click()
  for (const name of ['Ban', 'Pause', 'Delete']) {
    await expect(page.getByRole('menuitem', { name, exact: true })).toHaveAttribute('data-danger')
  }
})

test('a link leads to a user, whatever page of the list has it', async ({ page, owner, app }) => {
  await test.step("a link opens the dialog of a user on another page, and says so if the user doesn't exist", async () => {
    await newUser(owner, 'xenia', { email: 'xenia@example.com' })
    for (let each = 1; each <= 10; each++) await newUser(owner, `yuri-${each}`)
    await page.goto('/users?dialog=edit&row=xenia')
    await expect(dialog(page).getByRole('textbox', { name: 'Email' })).toHaveValue('xenia@example.com')
    await page.goto('/users?dialog=delete&row=nobody')
    await expectToast(page, 'User not found')
    await expect(dialog(page)).toBeHidden()
  })

  await test.step('shows the user that another screen links to, and can clear that filter', async () => {
    await newUser(owner, 'julia')
    await newUser(owner, 'karim')
    await newLicenses(owner, 1)
    await app.db.write(({ db: trx }) =>
      trx.updateTable('licenses').set({ used: 1, used_by: 'julia' }).where('app_id', '=', owner.appId).execute(),
    )
    await page.goto('/licenses')
    await page.getByRole('link', { name: 'julia' }).click()
    await page.getByRole('link', { name: 'Show in Users' }).click()
    await expect(page.getByText('Showing user: julia')).toBeVisible()
    await expect(page.getByRole('searchbox')).toHaveValue('julia')
    await expect(row(page, 'karim')).toBeHidden()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(page.getByText('Showing user: julia')).toBeHidden()
    await page.getByRole('searchbox').fill('')
    await expect(row(page, 'karim')).toBeVisible()
  })
})
