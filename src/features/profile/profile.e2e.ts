import type { Locator, Page } from '@playwright/test'
import { setVisibility } from '#e2e/followed-list.ts'
import { expectFailures } from '#e2e/failures.ts'
import { expect, expectNoAxeViolations, expectToast, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { setCountries } from '#testing/country-file.ts'
import { newUser } from '#testing/people/end-users.ts'
import { setPlan } from '#testing/people/people.ts'
import type { TestApp } from '#testing/start-test-app.ts'
import { withoutTable } from '#testing/faults/without-table.ts'

const dialog = (page: Page): Locator => page.getByRole('dialog')
const field = (page: Page, name: string): Locator => page.getByRole('textbox', { name, exact: true })
/** After this many seconds, sensitive actions ask for the password again. */
const verificationSeconds = 301

/** The same owner in another browser. */
async function elsewhere(app: TestApp, { username, password }: Pick<SignedInOwner, 'username' | 'password'>) {
  const visitor = app.visitor()
  const { status } = await visitor.call('POST /login', { body: { username, password } })
  return { visitor, status }
}

const isSignedIn = async ({ visitor }: { visitor: SignedInOwner['visitor'] }) =>
  (await visitor.call('GET /profile/stats')).status === 200

async function changePassword(page: Page, current: string, next: string, again = next) {
  await dialog(page).getByRole('textbox', { name: 'Current password' }).fill(current)
  await dialog(page).getByRole('textbox', { name: 'New password', exact: true }).fill(next)
  await dialog(page).getByRole('textbox', { name: 'Confirm new password' }).fill(again)
  await dialog(page).getByRole('button', { name: 'Change Password' }).click()
}

test('saves email and display name; username and owner ID stay, and the ID can be copied', async ({
  page,
  owner,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/profile')
  await expect(field(page, 'Username')).not.toBeEditable()
  await expect(field(page, 'Owner ID')).not.toBeEditable()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expectToast(page, 'Owner ID copied to clipboard!')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(owner.id)

  const save = page.getByRole('button', { name: 'Save Changes' })
  await expect(save).toBeDisabled()
  await field(page, 'Email').fill('nobody')
  await save.click()
  await expect(page.getByText('Please enter a valid email address')).toBeVisible()
  const email = `${owner.username}@example.org`
  await field(page, 'Email').fill(email)
  await field(page, 'Display name').fill('Ana Prism')
  await save.click()
  await expectToast(page, 'Profile updated successfully')
  await page.reload()
  await expect(field(page, 'Email')).toHaveValue(email)
  await expect(field(page, 'Display name')).toHaveValue('Ana Prism')
})

test('two tabs: a name that both changed asks for a decision, and everything else stays', async ({ page, owner }) => {
  const stored = async () => (await owner.visitor.call('GET /check-auth')).body.user
  await page.goto('/profile')
  await field(page, 'Display name').fill('Mine')
  await owner.visitor.call('POST /profile/update', { body: { displayName: 'Theirs', timeZone: 'UTC' } })
  await page.getByRole('button', { name: 'Save Changes' }).click()
  const conflict = page.getByRole('group', { name: 'Changed in the meantime' })
  await expect(conflict).toContainText(/Theirs\s*Theirs.*Yours\s*Mine/s)
  expect(await stored()).toMatchObject({ displayName: 'Theirs' })
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Profile updated successfully')
  expect(await stored()).toMatchObject({ displayName: 'Mine', timeZone: 'UTC' })
})

test('a time zone that is chosen while another one is being saved stays chosen', async ({ page, owner }) => {
  const replied = Promise.withResolvers<void>()
  await page.route('**/profile/update', async (route) => {
    const response = await route.fetch()
    await replied.promise
    await route.fulfill({ response })
  })
  await page.goto('/profile')
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  await zone.selectOption('Europe/Paris')
  await page.getByRole('button', { name: 'Save time zone' }).click()
  await zone.selectOption('Europe/Berlin')
  replied.resolve()
  await expectToast(page, 'Profile updated successfully')
  await expect(zone).toHaveValue('Europe/Berlin')
  expect((await owner.visitor.call('GET /check-auth')).body.user.timeZone).toBe('Europe/Paris')
})

test('a time zone that another tab has stored is shown, and is no unsaved edit', async ({ page, owner }) => {
  await page.clock.install()
  await page.goto('/profile')
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  await expect(zone).toHaveValue('')
  await owner.visitor.call('POST /profile/update', { body: { timeZone: 'Asia/Tokyo' } })
  await page.clock.fastForward(61_000)
  await setVisibility(page, 'hidden')
  await setVisibility(page, 'visible')
  await expect(zone).toHaveValue('Asia/Tokyo')
  await expect(page.getByRole('button', { name: 'Save time zone' })).toBeDisabled()
})

test('what is typed stays over other pages and another language, until it is saved', async ({ page, owner }) => {
  await page.goto('/profile')
  await field(page, 'Display name').fill('Nora')
  await page.getByRole('link', { name: 'Licenses' }).first().click()
  await expect(page).toHaveURL(/\/licenses/)
  await page.goBack()
  await expect(field(page, 'Display name')).toHaveValue('Nora')
  await page.getByRole('button', { name: `account of ${owner.username}` }).click()
  await page.getByRole('menuitemradio', { name: /^Português/ }).click()
  await expect(field(page, 'Nome de exibição')).toHaveValue('Nora')
  await page.getByRole('button', { name: 'Salvar alterações' }).click()
  await expect(page.getByRole('button', { name: 'Salvar alterações' })).toBeDisabled()
  expect((await owner.visitor.call('GET /check-auth')).body.user.displayName).toBe('Nora')
})

test('what the plan allows is shown with its use, and beside the other plans', async ({ app, page, owner }) => {
  await test.step('the upgrade dialog starts at the suggested plan and only says that it is coming soon, without a call', async () => {
    await setPlan(app, owner.id, 'Free')
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Upgrade plan' }).click()
    await expect(dialog(page).getByRole('radio', { name: 'Developer' })).toBeChecked()
    await expect(dialog(page).getByRole('radio', { name: 'Developer' })).toBeFocused()
    await expectNoAxeViolations(page)
    await expect(dialog(page)).toContainText('30-day money-back guarantee · cancel anytime · instant activation')
    await expect(dialog(page).locator('label').filter({ hasText: 'Most Popular' })).toContainText('Developer')
    const plan = (name: string) => dialog(page).locator('label').filter({ hasText: name })
    await expect(plan('Developer')).toContainText('500 MB of storage for files')
    await expect(plan('Developer')).toContainText('Webhooks')
    await expect(plan('Pro')).toContainText('Priority support')
    await page.keyboard.press('ArrowRight')
    const calls: string[] = []
    page.on('request', (request) => request.method() !== 'GET' && calls.push(request.url()))
    await dialog(page).getByRole('button', { name: 'Upgrade to Pro' }).click()
    await expect(dialog(page).getByRole('alert')).toContainText('The upgrade will be implemented soon')
    expect(calls).toEqual([])
  })

  await test.step("shows the owner's counts and the plan's usage", async () => {
    for (let each = 1; each <= 8; each++) await newUser(owner, `user-${each}`)
    await setPlan(app, owner.id, 'Free')
    await page.goto('/profile')
    await expect(page.getByRole('list', { name: 'Your account in numbers' })).toContainText(/Users\s*8/)
    const metric = (name: string) =>
      page.getByRole('list', { name: 'Plan usage' }).getByRole('listitem').filter({ hasText: name })
    await expect(metric('Apps')).toContainText(/Full\s*1 \/ 1/)
    await expect(metric('Users in')).toContainText(/Almost full\s*8 \/ 10/)
    await expect(metric('Licenses in')).toContainText(/Normal\s*0 \/ 25/)
    await expectNoAxeViolations(page)
    await setPlan(app, owner.id, 'Pro')
    await page.reload()
    await expect(metric('Users in')).toContainText(/Unlimited\s*8 \/ ∞/)
    // The highest plan has no upgrade, but plans can still be compared.
    await page.getByRole('button', { name: 'Upgrade plan' }).click()
    const own = dialog(page).getByRole('radio', { name: 'Pro' })
    await expect(own).toBeDisabled()
    await expect(own).toHaveAccessibleDescription('Current plan')
    await expect(dialog(page).getByRole('radio', { checked: true })).toHaveCount(0)
    await expect(dialog(page).getByRole('button', { name: 'Upgrade plan' })).toHaveAttribute('aria-disabled', 'true')
    await dialog(page).getByText('$9.99').click()
    await expect(dialog(page).getByRole('button', { name: 'Change to Developer' })).toBeEnabled()
    await page.keyboard.press('Escape')

    await withoutTable(app.db, 'user_counts', async () => {
      await page.reload()
      await expect(page.getByText('Failed to load plan usage data')).toBeVisible()
    })
  })
})

test('every page shows the end of a plan, before and after, with what stops and a link to the plans', async ({
  app,
  page,
  owner,
}) => {
  const notice = page.getByRole('region', { name: 'End of the plan' })
  await page.goto('/profile')
  await expect(page.getByText('Administrators see it next to your name')).toBeVisible()
  await expect(notice).toBeHidden()
  await setPlan(app, owner.id, 'Pro', app.now() + 3 * 86_400)
  await page.goto('/licenses')
  await expect(notice).toContainText(
    /Your Pro plan ends on .* After that, webhooks are not called and your resellers' domains do not show their own branding\./,
  )
  await expectNoAxeViolations(page)
  await notice.getByRole('link', { name: 'Compare plans' }).click()
  await expect(dialog(page).getByRole('radio', { name: 'Pro' })).toBeVisible()
  await page.keyboard.press('Escape')
  await setPlan(app, owner.id, 'Pro', app.now() - 60)
  await page.reload()
  await expect(notice).toContainText(
    /Your Pro plan ended on .* Webhooks are no longer called, and your resellers' domains no longer show their own branding\./,
  )
})

test('the end of a plan is said when it comes, also on a page that stands still', async ({ app, page, owner }) => {
  await page.clock.install()
  const notice = page.getByRole('region', { name: 'End of the plan' })
  await setPlan(app, owner.id, 'Pro', app.now() + 3600)
  await page.goto('/licenses')
  await expect(notice).toContainText('Your Pro plan ends on')
  // The server stays at its time, and asking it again changes nothing.
  await page.clock.fastForward('01:00:01')
  await expect(notice).toContainText('Your Pro plan ended on')
  await expect(notice).toContainText('Webhooks are no longer called')
})

test('a new password ends every session except the current one', async ({ app, page, owner }) => {
  const other = await elsewhere(app, owner)
  expect(await isSignedIn(other)).toBe(true)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Change Password' }).click()
  await changePassword(page, owner.password, 'Short1')
  await expect(dialog(page).getByText('Password must be at least 8 characters long')).toBeVisible()
  await changePassword(page, owner.password, 'Another8Horse', 'Another9Horse')
  await expect(dialog(page).getByText('New passwords do not match')).toBeVisible()
  await expectNoAxeViolations(page)
  await changePassword(page, 'Wrong8Horse', 'Another8Horse')
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  expect(await isSignedIn(other)).toBe(true)
  await changePassword(page, owner.password, 'Another8Horse')
  await expectToast(page, 'Password changed successfully')
  expect(await isSignedIn(other)).toBe(false)
  await page.reload()
  await expect(field(page, 'Username')).toHaveValue(owner.username)
  expect((await elsewhere(app, owner)).status).not.toBe(200)
  expect((await elsewhere(app, { ...owner, password: 'Another8Horse' })).status).toBe(200)
})

test('ends one session in the list, then all of them, and leads to the login', async ({ app, page, owner }) => {
  setCountries(app, { '127.0.0.0/8': 'BR' })
  const other = await elsewhere(app, owner)
  await page.goto('/profile')
  const sessions = page.getByRole('list', { name: 'Active sessions' })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await expect(sessions.getByRole('listitem').first()).toContainText(/Signed in\s*(now|\d+ minutes? ago)/)
  await expect(sessions.getByRole('listitem').filter({ hasText: 'BR Brazil' })).toHaveCount(2)
  const there = sessions.getByRole('listitem').filter({ hasNotText: 'This device' })
  await there.getByRole('button', { name: /^End the session/ }).click()
  await expectToast(page, 'Session deleted successfully')
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  expect(await isSignedIn(other)).toBe(false)

  const third = await elsewhere(app, owner)
  await page.getByRole('button', { name: 'Log out everywhere' }).click()
  await dialog(page).getByRole('button', { name: 'Log out everywhere' }).click()
  await expectToast(page, 'Logged out from all devices')
  await expect(page).toHaveURL(/\/login/)
  expect(await isSignedIn(third)).toBe(false)
  await page.goto('/profile')
  await expect(page).toHaveURL(/\/login/)
})

test('ending the session of the current browser signs out only here', async ({ app, page, owner }) => {
  const other = await elsewhere(app, owner)
  await page.goto('/profile')
  const here = page
    .getByRole('list', { name: 'Active sessions' })
    .getByRole('listitem')
    .filter({ hasText: 'This device' })
  // The storage of the browser is cleared with the session, which this tab hears of like any other.
  const isAsked = page.waitForResponse(/\/check-auth$/)
  await here.getByRole('button', { name: /^End the session/ }).click()
  await expectToast(page, 'Session deleted successfully')
  await isAsked
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Username').fill(owner.username)
  await expect(dialog(page)).toHaveCount(0)
  expect(await isSignedIn(owner)).toBe(false)
  expect(await isSignedIn(other)).toBe(true)
})

test('deletes the account once its name is typed and the password entered again', async ({ app, page, owner }) => {
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Danger Zone', exact: true })).toBeVisible()
  app.advance(verificationSeconds)
  await page.getByRole('button', { name: 'Delete Account' }).click()
  await dialog(page).getByRole('textbox', { name: 'Username' }).fill('somebody')
  await dialog(page).getByRole('button', { name: 'Delete Account' }).click()
  await expect(dialog(page).getByText('Username does not match')).toBeVisible()
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('textbox', { name: 'Username' }).fill(owner.username)
  await dialog(page).getByRole('button', { name: 'Delete Account' }).click()

  const passwordDialog = page.getByRole('dialog', { name: 'Please confirm your password' })
  await passwordDialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog', { name: 'Delete your account?' }).getByRole('alert')).toBeVisible()
  expect((await elsewhere(app, owner)).status).toBe(200)
  await dialog(page).getByRole('button', { name: 'Delete Account' }).click()
  await passwordDialog.getByRole('textbox', { name: 'Password' }).fill(owner.password)
  await passwordDialog.getByRole('button', { name: 'Continue' }).click()
  await expectToast(page, 'Account deleted successfully')
  await expect(page).toHaveURL(/\/login/)
  expect((await elsewhere(app, owner)).status).not.toBe(200)
})

test('a failed action on the account is reported by name, and changes nothing', async ({
  app,
  page,
  owner,
  context,
}) => {
  const other = await elsewhere(app, owner)
  await page.goto('/profile')
  await field(page, 'Display name').fill('Ana Prism')
  const fillPasswords = async () => {
    await page.getByRole('button', { name: 'Change Password' }).click()
    await dialog(page).getByRole('textbox', { name: 'Current password' }).fill(owner.password)
    await dialog(page).getByRole('textbox', { name: 'New password', exact: true }).fill('Another8Horse')
    await dialog(page).getByRole('textbox', { name: 'Confirm new password' }).fill('Another8Horse')
  }
  const removeAccount = async () => {
    await page.getByRole('button', { name: 'Delete Account' }).click()
    await dialog(page).getByRole('textbox', { name: 'Username' }).fill(owner.username)
  }
  const leaveAll = () => page.getByRole('button', { name: 'Log out everywhere' }).click()
  const there = page
    .getByRole('list', { name: 'Active sessions' })
    .getByRole('listitem')
    .filter({ hasNotText: 'This device' })
  await expectFailures(app, page, [
    { says: 'Failed to change password', open: fillPasswords, press: 'Change Password' },
    { says: 'Failed to delete account', open: removeAccount, press: 'Delete Account' },
    { says: 'Failed to logout from all devices', open: leaveAll, press: 'Log out everywhere' },
    { says: 'Failed to delete session', press: there.getByRole('button', { name: /^End the session/ }) },
  ])
  await withoutTable(app.db, 'audit', async () => {
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByRole('main').getByText('Failed to update profile', { exact: true })).toBeVisible()
  })
  expect(await isSignedIn(other)).toBe(true)

  // Only this permission is granted now, and the legacy way to copy is disabled too.
  await context.grantPermissions(['geolocation'])
  await page.evaluate(() => {
    document.execCommand = () => false
  })
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expectToast(page, /^Failed to copy to clipboard$/)
})

test('numbers lead to what they count; those over several apps say so instead', async ({ page, owner }) => {
  await newUser(owner)
  await page.goto('/profile')
  const numbers = page.getByRole('list', { name: 'Your account in numbers' })
  const tile = (name: string) => numbers.getByRole('listitem').filter({ hasText: name })
  const metric = (name: string) =>
    page.getByRole('list', { name: 'Plan usage' }).getByRole('listitem').filter({ hasText: name })
  await expect(tile('Licenses').getByRole('link')).toHaveAttribute('href', `/a/${owner.appId}/licenses`)
  await expect(metric('variables').getByRole('link')).toHaveAttribute('href', `/a/${owner.appId}/variables`)
  await tile('Users').getByRole('link', { name: '1' }).click()
  await expect(page.locator('tr[data-row]')).toHaveCount(1)

  await owner.visitor.call('POST /create_app', { body: { appName: 'Second app' } })
  await page.goto('/profile')
  await expect(tile('Users')).toContainText('in all apps')
  await expect(tile('Licenses').getByRole('link')).toHaveCount(0)
  await expect(metric('users').getByRole('link')).toHaveCount(0)
  await metric('Apps').getByRole('link', { name: '2' }).click()
  await expect(page).toHaveURL(/\/manage-apps$/)
  await expect(page.locator('tr[data-row]')).toHaveCount(2)
})
