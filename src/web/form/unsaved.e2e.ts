import type { Dialog, Page, Route } from '@playwright/test'
import { switchTo } from '#e2e/app-switcher.ts'
import { expect, expectToast, test } from '#e2e/fixtures.ts'
import { newUser } from '#testing/people/end-users.ts'
import { newReseller } from '#testing/people/resellers.ts'
import { makeAdmin, newLicenses } from '#testing/people/people.ts'

const panel = (page: Page) => page.locator('[data-side-panel]')
const dialog = (page: Page) => page.getByRole('dialog')

/** Browsers ask only on a page that somebody has used. */
const use = (page: Page) => page.getByRole('heading', { level: 1 }).click({ force: true })

/** Whether the browser asks before the page is loaded again, which is refused then. */
async function asksBeforeReload(page: Page): Promise<boolean> {
  const answer = Promise.withResolvers<boolean>()
  const onQuestion = (question: Dialog) => {
    expect(question.type()).toBe('beforeunload')
    void question.dismiss().then(() => answer.resolve(true))
  }
  const onLoad = () => answer.resolve(false)
  page.on('dialog', onQuestion)
  page.on('load', onLoad)
  await page.evaluate(() => void setTimeout(() => location.reload()))
  const isAsked = await answer.promise
  page.off('dialog', onQuestion)
  page.off('load', onLoad)
  return isAsked
}

test('edits of the profile and of the time zone are asked about before a reload, also on another page, until saved', async ({
  page,
  owner,
}) => {
  void owner
  await page.goto('/profile')
  await use(page)
  expect(await asksBeforeReload(page)).toBe(false)
  await use(page)
  const name = page.getByRole('textbox', { name: 'Display name' })
  const stored = await name.inputValue()
  await name.fill('Ana')
  expect(await asksBeforeReload(page)).toBe(true)
  await page.getByRole('link', { name: 'Licenses', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Licenses' })).toBeVisible()
  expect(await asksBeforeReload(page)).toBe(true)
  await page.goBack()
  await expect(name).toHaveValue('Ana')
  await name.fill(stored)
  expect(await asksBeforeReload(page)).toBe(false)

  await use(page)
  await name.fill('Ana')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Profile updated successfully')
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Europe/Lisbon')
  expect(await asksBeforeReload(page)).toBe(true)
  await page.getByRole('form', { name: 'Time zone' }).getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Profile updated successfully')
  await expect(page.getByRole('form', { name: 'Time zone' }).getByRole('button', { name: 'Save' })).toBeDisabled()
  expect(await asksBeforeReload(page)).toBe(false)
})

test('what is typed in the panel of a user is asked about before a reload, until it is saved', async ({
  page,
  owner,
}) => {
  await newUser(owner, 'kim')
  await page.goto('/users?panel=user:kim')
  await panel(page).getByRole('textbox', { name: 'Variable name' }).click()
  await panel(page).getByRole('textbox', { name: 'Variable name' }).fill('color')
  expect(await asksBeforeReload(page)).toBe(true)
  await panel(page).getByRole('textbox', { name: 'Variable data' }).fill('red')
  await panel(page).getByRole('button', { name: 'Add', exact: true }).last().click()
  await expectToast(page, 'Variable created successfully')
  await panel(page).getByRole('spinbutton', { name: 'Days' }).fill('90')
  expect(await asksBeforeReload(page)).toBe(true)
  await panel(page).getByRole('button', { name: 'Add', exact: true }).first().click()
  await expectToast(page, 'Subscription added successfully')
  expect(await asksBeforeReload(page)).toBe(false)
})

test('dialogs that add time are asked about once something is changed, and searches and filters never', async ({
  page,
  owner,
}) => {
  const [key = ''] = await newLicenses(owner, 1, { duration: 10 })
  await page.goto(`/licenses?panel=license:${key}`)
  await panel(page).getByRole('button', { name: 'Extend' }).click()
  await dialog(page).getByRole('spinbutton', { name: 'Days to add' }).fill('7')
  expect(await asksBeforeReload(page)).toBe(true)
  await dialog(page).getByRole('button', { name: 'Extend' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await page.getByRole('searchbox').first().fill('nothing like it')
  await expect(page).toHaveURL(/q=nothing/)
  expect(await asksBeforeReload(page)).toBe(false)
  await page.goto('/licenses?dialog=created')
  await dialog(page).getByLabel('First day').click()
  await dialog(page).getByLabel('First day').fill('2026-01-01')
  expect(await asksBeforeReload(page)).toBe(false)
})

test('Back while a form is saved asks nothing: the form closes once it is saved, and keeps what was typed if that fails', async ({
  page,
  owner,
}) => {
  void owner
  await page.goto('/users')
  await page.getByRole('link', { name: 'Subscriptions', exact: true }).click()
  await page.getByRole('button', { name: 'Create subscription' }).first().click()
  const name = dialog(page).getByRole('textbox', { name: 'Name' })
  const create = dialog(page).getByRole('button', { name: 'Create' })
  const requests: Route[] = []
  await page.route('**/create_subscription', (route) => void requests.push(route))
  await name.fill('Pro')
  await create.click()
  await expect.poll(() => requests.length).toBe(1)
  for (let times = 0; times < 2; times++) {
    await page.goBack()
    await expect(page).toHaveURL(/dialog=create/)
  }
  await expect(create).toHaveAttribute('aria-busy', 'true')
  await requests[0]?.abort()
  await expect(dialog(page).getByRole('alert')).toBeVisible()
  await expect(dialog(page)).toHaveCount(1)
  await expect(name).toHaveValue('Pro')

  await create.click()
  await expect.poll(() => requests.length).toBe(2)
  await page.goBack()
  await requests[1]?.continue()
  await expectToast(page, 'Subscription created successfully')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: 'Pro' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
})

test('Back or Forward while a page is saved waits for the answer: it leaves once saved, and asks if that failed', async ({
  app,
  page,
  owner,
}) => {
  app.advance(61)
  await makeAdmin(app, owner)
  const { username } = await newReseller(app, owner)
  const domain = `${username.replaceAll('_', '-')}.example.org`
  const forms = [
    { path: '/dashboard', field: 'App version', text: '9.9.9', save: 'Save Changes' },
    { path: `/resellers/${username}`, field: 'Domain', text: domain, save: 'Save domain' },
    { path: '/admin/settings', field: 'Platform name', text: 'Acme', save: 'Save platform settings' },
  ]
  for (const { path, field, text, save } of forms) {
    await test.step(path, async () => {
      await page.goto(path)
      await page
        .getByRole('link', { name: /^(Licenses|Plans)$/ })
        .first()
        .click()
      await expect(page).toHaveURL(/(licenses|plans)$/)
      await page.goBack()
      await page.getByRole('textbox', { name: field, exact: true }).fill(text)
      const requests: Route[] = []
      await page.route('**/api/**', (route) =>
        route.request().method() === 'POST' ? void requests.push(route) : route.continue(),
      )
      const button = page.getByRole('button', { name: save }).first()
      await button.click()
      await expect.poll(() => requests.length).toBe(1)
      await page.goForward()
      await expect(button).toHaveAttribute('aria-busy', 'true')
      await expect(dialog(page)).toHaveCount(0)
      await requests[0]?.abort()
      await expect(dialog(page)).toContainText('Leave without saving?')
      await dialog(page).getByRole('button', { name: 'Cancel' }).click()
      await expect(page.getByRole('textbox', { name: field, exact: true })).toHaveValue(text)

      await button.click()
      await expect.poll(() => requests.length).toBe(2)
      await page.goForward()
      await expect(button).toHaveAttribute('aria-busy', 'true')
      await requests[1]?.continue()
      await expect(page).toHaveURL(/(licenses|plans)$/)
      await expect(dialog(page)).toHaveCount(0)
      await page.unroute('**/api/**')
    })
  }
})

test("edits of a reseller's domain are asked about before the page is left or loaded again", async ({
  app,
  page,
  owner,
}) => {
  const { username } = await newReseller(app, owner)
  await page.goto(`/resellers/${username}`)
  await page.getByRole('textbox', { name: 'Company name' }).click()
  await page.getByRole('textbox', { name: 'Company name' }).fill('Prism Keys')
  expect(await asksBeforeReload(page)).toBe(true)
  await page.getByRole('link', { name: 'Licenses', exact: true }).click()
  await expect(dialog(page)).toContainText('Custom domain')
  await dialog(page).getByRole('button', { name: 'Discard changes' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Licenses' })).toBeVisible()
  expect(await asksBeforeReload(page)).toBe(false)
})

test('signing out is not asked about', async ({ page, owner }) => {
  void owner
  await page.goto('/profile')
  await page.getByRole('textbox', { name: 'Display name' }).click()
  await page.getByRole('textbox', { name: 'Display name' }).fill('Ana')
  const asked: string[] = []
  page.on('dialog', async (question) => {
    asked.push(question.type())
    await question.accept()
  })
  await page.getByRole('button', { name: `account of ${owner.username}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login/)
  expect(asked).toEqual([])
})

test('signing out with unsaved settings asks before the session ends, and Cancel keeps both', async ({
  page,
  owner,
}) => {
  const asked: string[] = []
  page.on('dialog', async (question) => {
    asked.push(question.type())
    await question.accept()
  })
  const calls: string[] = []
  page.on('request', (request) => void calls.push(new URL(request.url()).pathname))
  await page.goto('/dashboard')
  const version = page.getByRole('textbox', { name: 'App version', exact: true })
  await version.click()
  await version.fill('9.9.9')
  const signOut = async () => {
    await page.getByRole('button', { name: `account of ${owner.username}` }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(dialog(page)).toContainText('Leave without saving?')
  }
  await signOut()
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(version).toHaveValue('9.9.9')
  expect(calls.filter((path) => path.endsWith('/logout'))).toEqual([])
  await signOut()
  await dialog(page).getByRole('button', { name: 'Discard changes' }).click()
  await expect(page).toHaveURL(/\/login/)
  expect(calls.filter((path) => path.endsWith('/logout'))).toHaveLength(1)
  expect(asked).toEqual([])
})

test('a field that was hidden when the form was saved is not taken for saved', async ({ page, owner }) => {
  const stored = async () => (await owner.visitor.call('GET /active_app')).body.app!.settings
  const length = page.getByRole('spinbutton', { name: 'Minimum HWID length', exact: true })
  const lock = page.getByRole('switch', { name: 'HWID lock', exact: true })
  const save = async () => {
    const answer = page.waitForResponse('**/update_app')
    await page.keyboard.press('ControlOrMeta+s')
    await (await answer).finished()
  }
  await page.goto('/dashboard')
  const before = (await stored()).minimumHwidLength
  await length.fill(String(before + 8))
  await lock.uncheck()
  await save()
  expect(await stored()).toMatchObject({ hwidLock: false, minimumHwidLength: before })
  await lock.check()
  await expect(length).toHaveValue(String(before + 8))
  await save()
  expect(await stored()).toMatchObject({ hwidLock: true, minimumHwidLength: before + 8 })
  await page.getByRole('link', { name: 'Licenses', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Licenses' })).toBeVisible()
})

test('a field that somebody else changes while a form is saved is no unsaved edit', async ({ page, owner }) => {
  await page.goto('/dashboard')
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  await field('App version').fill('9.9.9')
  const requests: Route[] = []
  await page.route('**/update_app', (route) => void requests.push(route))
  await page.keyboard.press('ControlOrMeta+s')
  await expect.poll(() => requests.length).toBe(1)
  await owner.visitor.call('POST /update_app', { body: { appId: owner.appId, description: 'Theirs' } })
  await expect(field('Description')).toHaveValue('Theirs')
  await requests[0]?.continue()
  await expectToast(page, 'Settings saved successfully!')
  await page.getByRole('link', { name: 'Licenses', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Licenses' })).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
})

test('settings of an app stay unsaved while another app is selected, and are asked about', async ({ page, owner }) => {
  await owner.visitor.call('POST /create_app', { body: { appName: 'Second App' } })
  await page.goto(`/a/${owner.appId}/dashboard`)
  const version = page.getByRole('textbox', { name: 'App version', exact: true })
  await version.click()
  await version.fill('9.9.9')
  await switchTo(page, 'Prism Studio', 'Second App')
  await expect(version).toHaveValue('1.0')
  expect(await asksBeforeReload(page)).toBe(true)
  await page.getByRole('button', { name: `account of ${owner.username}` }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(dialog(page)).toContainText('Prism Studio')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'Licenses', exact: true }).click()
  await dialog(page).getByRole('button', { name: 'Discard changes' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Licenses' })).toBeVisible()
  expect(await asksBeforeReload(page)).toBe(false)
})
