import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, test } from '#e2e/fixtures.ts'
import { smtpPasswordContext } from '#server/settings/platform-settings.ts'
import { makeAdmin, newLicenses, newOwner, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { setPlatform } from '#testing/platform.ts'
import type { TestApp } from '#testing/start-test-app.ts'

/** The administration screens. */

const dialog = (page: Page) => page.getByRole('dialog')
const choose = async (page: Page, name: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test("an owner who isn't an administrator is redirected to /dashboard from every admin address", async ({
  page,
  owner,
}) => {
  for (const address of ['dashboard', 'owners', 'plans', 'settings']) {
    await page.goto(`/admin/${address}`)
    await expect(page, owner.username).toHaveURL(/\/dashboard$/)
    await expect(page).not.toHaveURL(/\/admin\//)
  }
})

test("an administrator returns from the owners' area to the dashboard of the platform", async ({
  app,
  page,
  owner,
}) => {
  await makeAdmin(app, owner)
  await test.step("an administrator in the owners' area is told so, and can return", async () => {
    await page.goto('/licenses')
    await expect(page.getByText('You are logged in as an administrator', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Admin Dashboard' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible()
  })

  await test.step("the dashboard shows the platform's numbers and links to their pages", async () => {
    await page.goto('/admin')
    await expect(page).toHaveURL(/\/admin\/dashboard$/)
    for (const label of ['Total Owners', 'Total Apps', 'Total Users', 'Total Licenses'])
      await expect(page.getByText(label)).toBeVisible()
    await expect(page.getByRole('table', { name: 'Plan Distribution' }).getByText('Developer')).toBeVisible()
    await page
      .getByRole('navigation', { name: 'Quick actions' })
      .getByRole('link', { name: /Manage Plans/ })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: 'Manage Plans' })).toBeVisible()
  })
})

test("owners can be searched, given another plan, banned, and deleted; administrators can't", async ({
  app,
  page,
  owner,
}) => {
  await makeAdmin(app, owner)
  const other = await newOwner(app, `other_${owner.username}`.slice(0, 60), { plan: 'Free' })
  await page.goto('/admin/owners')
  await page.getByRole('searchbox').fill(other.username)
  const row = page.getByRole('row').filter({ hasText: other.id })
  await expect(row).toContainText('Free')

  await choose(page, other.username, 'Change plan')
  await expect(dialog(page)).toContainText('Now on Free, without an end.')
  await expect(dialog(page)).not.toContainText('30 days')
  await expect(dialog(page).getByRole('button', { name: 'Update Plan' })).toBeDisabled()
  const { plans } = (await owner.visitor.call('GET /admin/plans')).body
  const optionOf = ({ displayName, price }: (typeof plans)[number]) =>
    'displayName ($price/month)'.replace('displayName', displayName).replace('price', String(price))
  await expect(dialog(page).getByLabel('Plan').getByRole('option')).toHaveText([
    'Choose a plan',
    ...plans.map(optionOf),
  ])
  await dialog(page).getByLabel('Plan').selectOption('Free')
  await expect(dialog(page)).toContainText('The plan updates immediately and does not expire.')
  await dialog(page).getByLabel('Plan').selectOption({ label: 'Developer ($9.99/month)' })
  await expect(dialog(page)).toContainText('expires in 30 days')
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('button', { name: 'Update Plan' }).click()
  await expectToast(page, 'Owner plan updated successfully')
  await expect(row).toContainText('Developer')

  await choose(page, other.username, 'Ban')
  await expect(dialog(page)).toContainText('The owner has no apps.')
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(row).toContainText('Banned')
  await expectToast(page, 'Owner banned successfully')
  expect((await other.visitor.call('GET /check-auth')).status).toBe(401)

  await choose(page, other.username, 'Delete')
  await expect(dialog(page)).toContainText('There is no recovery.')
  await expect(dialog(page)).toContainText('All apps, users and licenses')
  await dialog(page).getByLabel('Username').fill(other.username)
  await dialog(page).getByRole('button', { name: 'Delete Owner' }).click()
  await expectToast(page, 'Owner deleted successfully')
  await expect(row).toHaveCount(0)

  await page.getByRole('searchbox').fill('nobody has this name')
  await expect(page.getByText('No owners found.', { exact: true })).toBeVisible()
  await page.getByRole('searchbox').fill(owner.id)
  await page.getByRole('button', { name: `Actions for ${owner.username}` }).click()
  await expect(page.getByRole('menuitem', { name: /^Ban/ })).toHaveAttribute('aria-disabled', 'true')
})

test('a plan can be created, edited, and deleted, and its errors are shown', async ({ app, page, owner }) => {
  await makeAdmin(app, owner)
  await page.goto('/admin/plans')
  await expect(page.getByRole('heading', { name: 'Developer' })).toBeVisible()
  await page.getByRole('button', { name: 'Create Plan' }).click()
  const save = dialog(page).getByRole('button', { name: 'Create Plan' })
  await expect(save).toBeDisabled()
  const name = `Gold-${owner.id}`
  await dialog(page).getByLabel('Name', { exact: true }).fill(name)
  await dialog(page).getByLabel('Display name').fill('Gold')
  await dialog(page).getByRole('spinbutton', { name: 'Max storage (MB)' }).fill('0')
  await dialog(page).getByLabel('Webhooks').check()
  await save.click()
  await expect(dialog(page)).toContainText('Max storage (MB) must be at least 1')
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('spinbutton', { name: 'Max storage (MB)' }).fill('5000')
  await save.click()
  await expectToast(page, 'Plan created successfully')
  const card = page.getByRole('listitem').filter({ hasText: name })
  await expect(card).toContainText('5,000 MB of storage')

  await page.getByRole('button', { name: 'Edit Gold' }).click()
  await dialog(page).getByRole('spinbutton', { name: 'Price' }).fill('4.5')
  await dialog(page).getByRole('checkbox', { name: 'Active' }).uncheck()
  await dialog(page).getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Plan updated successfully')
  await expect(card).toContainText('$4.5')
  await expect(card).toContainText('Inactive')

  await page.getByRole('button', { name: 'Delete Gold' }).click()
  await expect(dialog(page)).toContainText(
    'This action cannot be undone. Users with this plan may lose access to features.',
  )
  await dialog(page).getByRole('button', { name: 'Delete Plan' }).click()
  await expectToast(page, 'Plan deleted successfully')
  await expect(card).toHaveCount(0)
})

test('deleting a plan names its owners and what they lose, and asks for its name', async ({ app, page, owner }) => {
  await makeAdmin(app, owner)
  const name = `Silver-${owner.id}`
  const body = { name, displayName: 'Silver', features: { webhooks: true, file_upload: true } }
  await owner.visitor.call('POST /admin/plans', { body })
  const others = [1, 2].map((n) => newOwner(app, `on_${n}_${owner.username}`.slice(0, 60), { plan: 'Free' }))
  for (const { id } of await Promise.all(others))
    await owner.visitor.call('POST /admin/owners/{id}/plan', { params: { id }, body: { planType: name } })
  await page.goto('/admin/plans')
  await page.getByRole('button', { name: 'Delete Silver' }).click()
  await expect(dialog(page)).toContainText('2 owners are on this plan and move to Free at once.')
  await expect(dialog(page)).toContainText('They lose: Webhooks.')
  await expect(dialog(page)).toContainText('Their apps, users, licenses and files stay.')
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('button', { name: 'Delete Plan' }).click()
  await expect(dialog(page).getByText('The name does not match')).toBeVisible()
  await dialog(page).getByLabel('Display name').fill('Silver')
  await dialog(page).getByRole('button', { name: 'Delete Plan' }).click()
  await expectToast(page, 'Plan deleted successfully')
  const { body: settings } = await owner.visitor.call('GET /admin/settings')
  const { defaultPlan } = settings.settings.platform
  await owner.visitor.call('POST /admin/plans', { body })
  await owner.visitor.call('POST /admin/settings/platform', { body: { settings: { defaultPlan: name } } })
  try {
    await page.reload()
    await page.getByRole('button', { name: 'Delete Silver' }).click()
    await expect(dialog(page)).toContainText('New owners get this plan.')
    await expect(dialog(page).getByRole('button', { name: 'Delete Plan' })).toBeDisabled()
  } finally {
    await owner.visitor.call('POST /admin/settings/platform', { body: { settings: { defaultPlan } } })
    await owner.visitor.call('DELETE /admin/plans/{id}', { params: { id: name } })
  }
})

test('maintenance mode asks before it is turned on', async ({ app, page, owner }) => {
  await makeAdmin(app, owner)
  await test.step('the question about maintenance mode is asked again after it could not be loaded', async () => {
    let fails = true
    await page.route('**/assets/maintenance-dialog*.js', (route) => (fails ? route.abort() : route.continue()))
    await page.goto('/admin/settings')
    const section = page.getByRole('form', { name: 'Platform', exact: true })
    await section.getByLabel('Maintenance mode').check()
    await section.getByRole('button', { name: 'Save platform settings' }).click()
    await expect(page.getByText('This could not be loaded')).toBeVisible()
    fails = false
    await section.getByRole('button', { name: 'Save platform settings' }).click()
    await expect(dialog(page)).toContainText('Turn on maintenance mode?')
  })

  await test.step('maintenance mode is turned on after a question, and shows since when it is on', async () => {
    const isOn = async () => (await owner.visitor.call('GET /admin/settings')).body.settings.platform.maintenanceMode
    await page.goto('/admin/settings')
    const section = page.getByRole('form', { name: 'Platform', exact: true })
    const save = section.getByRole('button', { name: 'Save platform settings' })
    await section.getByLabel('Maintenance mode').check()
    await save.click()
    await expect(dialog(page)).toContainText(
      "can't start or sign in. Those that are running stop after about 4 minutes.",
    )
    await expect(dialog(page)).toContainText(/owners? can't use the dashboard/)
    await expect(dialog(page)).toContainText("Resellers can't sign in or sell.")
    await expectNoAxeViolations(page)
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    expect(await isOn()).toBe(false)
    await save.click()
    try {
      await dialog(page).getByRole('button', { name: 'Turn on' }).click()
      await expectToast(page, 'Platform settings saved successfully')
      expect(await isOn()).toBe(true)
      await expect(section).toContainText(/On since .+\d:\d\d/)
      await section.getByLabel('Maintenance mode').uncheck()
      await save.click()
      await expectToast(page, 'Platform settings saved successfully')
      await expect(section).not.toContainText('On since')
      expect(await isOn()).toBe(false)
    } finally {
      await setPlatform(app, 'platform', {})
    }
  })
})

test('each section of the settings is saved separately; fields that depend on a switch wait for it', async ({
  app,
  page,
  owner,
}) => {
  await makeAdmin(app, owner)
  await page.goto('/admin/settings')
  const section = (name: string) => page.getByRole('form', { name, exact: true })
  await expect(section('Email').getByLabel('SMTP host')).toBeDisabled()
  await section('Email').getByLabel('Enable email').check()
  await expect(section('Email').getByLabel('SMTP host')).toBeEnabled()
  await section('Email').getByRole('button', { name: 'Save email settings' }).click()
  await expect(section('Email')).toContainText('SMTP host is required while email is enabled')
  await expectNoAxeViolations(page)
  await section('Email').getByLabel('SMTP host').fill('mail.example.com')
  await section('Email').getByLabel('Sender email').fill('signet@example.com')
  await section('Email').getByRole('button', { name: 'Save email settings' }).click()
  await expectToast(page, 'Email settings saved successfully')

  const message = section('Platform').getByLabel('Maintenance message')
  await expect(message).toHaveValue('System is under maintenance. Please check back later.')
  await message.fill('Back at noon.')
  await section('Platform').getByRole('button', { name: 'Save platform settings' }).click()
  await expectToast(page, 'Platform settings saved successfully')

  await section('API').getByLabel('Enable CORS').uncheck()
  await expect(section('API').getByLabel('Allowed origins')).toBeDisabled()
  await section('API').getByLabel('Enable CORS').check()
  await expect(section('API').getByLabel('Allowed origins')).toHaveValue('*')
  await expect(section('API').getByLabel('Max request size')).toHaveValue('10MB')
  await section('API').getByLabel('Max request size').fill('5MB')
  await section('API').getByRole('button', { name: 'Save API settings' }).click()
  await expectToast(page, 'API settings saved successfully')

  await expect(section('Security')).toContainText('With "Remember me", they end after 7 days without use')
  const timeout = section('Security').getByRole('spinbutton', { name: 'Session timeout (hours)' })
  await timeout.fill('0')
  await section('Security').getByRole('button', { name: 'Save security settings' }).click()
  await expect(section('Security')).toContainText('Session timeout (hours) must be at least 1')
  await timeout.fill('48')
  await section('Security').getByRole('button', { name: 'Save security settings' }).click()
  await expectToast(page, 'Security settings saved successfully')
  await page.reload()
  await expect(section('Security').getByRole('spinbutton', { name: 'Session timeout (hours)' })).toHaveValue('48')
  await expect(message).toHaveValue('Back at noon.')
  // Restores the platform settings for the next test.
  for (const name of ['platform', 'email', 'api', 'security'] as const) await setPlatform(app, name, {})
})

test('an administrator with an expired verification confirms the password, and the typed text is saved (R-SES-08)', async ({
  app,
  page,
  owner,
}) => {
  await makeAdmin(app, owner)
  const confirm = dialog(page).filter({ hasText: 'Please confirm your password' })
  const confirmed = async () => {
    await confirm.getByLabel('Password', { exact: true }).fill(owner.password)
    await confirm.getByRole('button', { name: 'Continue' }).click()
    await expect(confirm).toHaveCount(0)
  }
  await page.goto('/admin/settings')
  const email = page.getByRole('form', { name: 'Email', exact: true })
  await email.getByLabel('Enable email').check()
  await email.getByLabel('SMTP host').fill('mail.example.com')
  await email.getByLabel('SMTP user').fill('signet')
  await email.getByLabel('SMTP password').fill('Typed7Horse')
  await email.getByLabel('Sender email').fill('signet@example.com')
  app.advance(301)
  await email.getByRole('button', { name: 'Save email settings' }).click()
  await expect(confirm).toBeVisible()
  await expectNoAxeViolations(page)
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  await expect(email.getByRole('alert')).toHaveText('Please confirm your password')
  await expect(email.getByLabel('SMTP password')).toHaveValue('Typed7Horse')
  await email.getByRole('button', { name: 'Save email settings' }).click()
  await confirmed()
  await expectToast(page, 'Email settings saved successfully')
  const stored = (await app.services.settings.current()).email
  expect(stored).toMatchObject({ smtpHost: 'mail.example.com', smtpUser: 'signet', senderEmail: 'signet@example.com' })
  expect(app.services.masterKey.open(stored.smtpPasswordSealed, smtpPasswordContext(stored)).toString()).toBe(
    'Typed7Horse',
  )

  // The password belongs to the previous server.
  await page.reload()
  await email.getByRole('spinbutton', { name: 'SMTP port' }).fill('2525')
  await email.getByRole('button', { name: 'Save email settings' }).click()
  await expect(email.getByLabel('SMTP password')).toHaveAttribute('aria-invalid', 'true')
  await expect(email).toContainText('Enter the SMTP password again')
  await setPlatform(app, 'email', {})

  // A dialog keeps the input while it asks for confirmation.
  await page.goto('/admin/plans')
  await page.getByRole('button', { name: 'Create Plan' }).click()
  await dialog(page).getByLabel('Name', { exact: true }).fill(`Stale-${owner.id}`)
  await dialog(page).getByLabel('Display name').fill('Stale')
  app.advance(301)
  await dialog(page).getByRole('button', { name: 'Create Plan' }).click()
  await confirmed()
  await expectToast(page, 'Plan created successfully')
  await owner.visitor.call('DELETE /admin/plans/{id}', { params: { id: `Stale-${owner.id}` }, body: {} })
})

test('banning an owner with customers names what stops working, asks for the name, and offers to unban', async ({
  app,
  page,
  owner,
}) => {
  await makeAdmin(app, owner)
  const other = await newOwnerWithApp(app)
  const program = await programOfCustomer(app, other)
  await page.goto(`/admin/owners?q=${other.id}`)
  const row = page.getByRole('row').filter({ hasText: other.id })
  await choose(page, other.username, 'Ban')
  await expect(dialog(page)).toContainText('1 app with 1 user and 1 license stops working.')
  await dialog(page).getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(dialog(page)).toBeVisible()
  expect((await program.heartbeat()).status).toBe(200)
  await dialog(page).getByLabel('Username').fill(other.username)
  await dialog(page).getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(row).toContainText('Banned')
  await expectToast(page, 'Owner banned successfully')
  expect((await program.heartbeat()).body.code).toBe('OWNER_BANNED')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(row).not.toContainText('Banned')
  await expectToast(page, 'Owner unbanned successfully')
  expect((await program.init()).status).toBe(200)
})

test('system settings that are not saved are not lost by a click', async ({ app, page, owner }) => {
  await makeAdmin(app, owner)
  await page.goto('/admin/settings')
  await page.getByLabel('Platform name').fill('Not saved yet')
  const leave = page.getByRole('link', { name: 'Owners', exact: true })
  await leave.click()
  await expect(dialog(page)).toContainText('Your changes are not saved yet.')
  await expect(dialog(page)).toContainText('Platform')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByLabel('Platform name')).toHaveValue('Not saved yet')
  await leave.click()
  await dialog(page).getByRole('button', { name: 'Discard changes' }).click()
  await expect(page).toHaveURL(/\/admin\/owners$/)
  await page.goto('/admin/settings')
  await page.getByRole('link', { name: 'Owners', exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/owners$/)
})

async function programOfCustomer(app: TestApp, owner: OwnedApp): Promise<Program> {
  const [key = ''] = await newLicenses(owner, 1)
  const program = await Program.of(app, owner)
  await program.init()
  expect((await program.license(key)).status).toBe(200)
  return program
}
