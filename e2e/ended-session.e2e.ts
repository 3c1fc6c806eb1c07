import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { newLicenses, newOwner } from '#testing/people/people.ts'
import { newSellingReseller } from '#testing/people/resellers.ts'
import { setPlatform } from '#testing/platform.ts'
import type { TestApp } from '#testing/start-test-app.ts'
import { turnOnTwoFactor } from '#testing/people/two-factor.ts'
import { expect, expectNoAxeViolations, signIn as addSession, type SignedInOwner, test } from './fixtures.ts'

const again = (page: Page) => page.getByRole('dialog', { name: 'Sign in' })
const form = (page: Page) => page.getByRole('dialog', { name: 'Create licenses' })
const rows = (page: Page) => page.getByRole('checkbox', { name: /^Select (?!all)/ })
const password = (page: Page) => page.getByRole('textbox', { name: 'Password' })
const reason = 'Your session has ended.'

/** Longer than the idle timeout of a session. */
const tooLongSeconds = 3700

const signOutElsewhere = ({ visitor }: SignedInOwner) => visitor.call('POST /logout')

async function fillForm(page: Page) {
  await page.goto('/licenses')
  await page.getByRole('button', { name: 'Create licenses' }).first().click()
  await form(page).getByLabel('Subscription').selectOption({ label: 'Basic' })
  await form(page).getByLabel('Amount', { exact: true }).fill('3')
  await form(page).getByLabel('Notes').fill('typed before')
}

const submitForm = (page: Page) =>
  form(page)
    .getByRole('button', { name: /^create/i })
    .click()

async function signIn(page: Page, owner: SignedInOwner) {
  await page.getByRole('textbox', { name: 'Username' }).fill(owner.username)
  await password(page).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function newSomebody(app: TestApp): Promise<string> {
  const { username } = await newOwner(app)
  return username
}

test.beforeEach(({ app }) => {
  // Sign-ins of earlier tests come from the same address.
  app.advance(61)
})

test('a session that expires while a form is filled in is renewed over it, and the form is sent once', async ({
  app,
  page,
  owner,
}) => {
  await fillForm(page)
  app.advance(tooLongSeconds)
  await submitForm(page)
  await expect(again(page)).toContainText(reason)
  await expect(again(page).getByRole('textbox', { name: 'Username' })).toHaveValue(owner.username)
  await expect(password(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(again(page)).toBeVisible()
  await expectNoAxeViolations(page)

  await password(page).fill('not the password')
  await page.keyboard.press('Enter')
  await expect(again(page).getByRole('alert')).toHaveText('Invalid username or password')
  await password(page).fill(owner.password)
  await page.keyboard.press('Enter')
  await expect(again(page)).toBeHidden()
  const created = page.getByRole('dialog', { name: /created/i })
  await created.getByRole('button', { name: 'Done' }).click()
  await expect(rows(page)).toHaveCount(3)
  await expect(page.getByText('typed before')).toHaveCount(3)
})

test('a session ended from another device also asks for the second factor, and typed text stays', async ({
  app,
  page,
  owner,
}) => {
  await setPlatform(app, 'security', { enable2FA: true })
  const { authenticator } = await turnOnTwoFactor(app, owner)
  await fillForm(page)
  await signOutElsewhere(owner)
  await submitForm(page)
  await password(page).fill(owner.password)
  await page.keyboard.press('Enter')
  const code = again(page).getByRole('textbox', { name: 'Two-factor code' })
  await expect(code).toBeFocused()
  await code.fill(authenticator.wrongCode())
  await page.keyboard.press('Enter')
  await expect(again(page).getByRole('alert')).toHaveText('This code is not valid')
  await expect(form(page).getByLabel('Notes')).toHaveValue('typed before')
  await code.fill(authenticator.code())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /created/i })).toBeVisible()
})

test('a session that ends is renewed over the page, although the browser also has the session of a reseller', async ({
  app,
  page,
  context,
  owner,
}) => {
  await addSession(context, app, (await newSellingReseller(app)).visitor)
  await addSession(context, app, owner.visitor)
  await fillForm(page)
  await signOutElsewhere(owner)
  await submitForm(page)
  await expect(again(page)).toContainText(reason)
  await page.goto('/')
  await expect(page).toHaveURL(/\/reseller\/dashboard$/)
})

test('canceling leads to the sign-in, which gives the reason and returns to the same page', async ({ page, owner }) => {
  const [key = ''] = await newLicenses(owner, 1)
  const place = `/licenses?q=${key}&dialog=edit&row=${key}`
  await page.goto(place)
  const edit = page.getByRole('dialog', { name: /edit/i })
  await edit.getByLabel('Notes').fill('typed before')
  await signOutElsewhere(owner)
  await edit.getByRole('button', { name: 'Save' }).click()
  await again(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/login\?/)
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
  await expectNoAxeViolations(page)
  await signIn(page, owner)
  await expect(edit).toBeVisible()
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/a/${owner.appId}${place}`)
})

test('an export asks for the sign-in over its dialog, and then saves the file', async ({ app, page, owner }) => {
  const keys = await newLicenses(owner, 3)
  await page.goto('/licenses?dialog=export')
  const dialog = page.getByRole('dialog', { name: 'Export licenses' })
  await expect(dialog).toContainText('3 licenses')
  app.advance(tooLongSeconds)
  await dialog.getByRole('button', { name: 'Export' }).click()
  await expect(again(page)).toContainText(reason)
  await password(page).fill(owner.password)
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  const saved = (await readFile(await download.path(), 'utf8')).trim().split('\n')
  expect(saved.toSorted()).toEqual(keys.toSorted())
  await expect(dialog).toBeHidden()
})

test('a link to a page survives the sign-in in a browser that has never opened this dashboard', async ({
  app,
  browser,
  owner,
}) => {
  const [key = ''] = await newLicenses(owner, 1)
  const context = await browser.newContext({ baseURL: app.url })
  const page = await context.newPage()
  await page.goto(`/licenses?q=${key}`)
  await expect(page).toHaveURL(/\/login\?next=/)
  await expect(page.getByText(reason)).toBeHidden()
  await signIn(page, owner)
  await expect(page).toHaveURL(`${app.url}/a/${owner.appId}/licenses?q=${key}`)
  await expect(rows(page)).toHaveCount(1)
  await context.close()
})

test('a sign-in never redirects to another site or a script, whatever its link says', async ({
  app,
  browser,
  owner,
}) => {
  const context = await browser.newContext({ baseURL: app.url })
  const page = await context.newPage()
  const visited: string[] = []
  page.on('request', (request) => visited.push(new URL(request.url()).origin))
  for (const next of [
    'https://evil.example/licenses',
    '//evil.example',
    String.raw`/\evil.example`,
    '/\t/evil.example',
    '/.//evil.example',
    'javascript:document.title="evil"',
  ]) {
    await context.clearCookies()
    app.advance(61)
    await page.goto(`/login?${new URLSearchParams({ next })}`)
    await signIn(page, owner)
    await expect(page, next).toHaveURL(`${app.url}/a/${owner.appId}/overview`)
    // A signed-in user is redirected immediately, also only within the dashboard.
    await page.goto(`/login?${new URLSearchParams({ next })}`)
    await expect(page, next).toHaveURL(`${app.url}/a/${owner.appId}/overview`)
  }
  expect(new Set(visited)).toEqual(new Set([app.url]))
  await context.close()
})

test('a tab notices a sign-out in another tab at once, and the next sign-in too', async ({ page, context, owner }) => {
  await fillForm(page)
  const other = await context.newPage()
  await other.goto('/licenses')
  await other.getByRole('button', { name: /account of/ }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(other).toHaveURL(/\/login$/)
  await expect(again(page)).toContainText('You signed out in another tab.')
  await signIn(other, owner)
  await expect(again(page)).toBeHidden()
  await expect(form(page).getByLabel('Notes')).toHaveValue('typed before')
  await submitForm(page)
  await expect(page.getByRole('dialog', { name: /created/i })).toBeVisible()
})

test("while another tab is signed in to another account, nothing is sent in that account's name", async ({
  app,
  page,
  context,
  owner,
}) => {
  await fillForm(page)
  const somebody = await newSomebody(app)
  const other = await context.newPage()
  await other.goto('/licenses')
  await other.getByRole('button', { name: /account of/ }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await signIn(other, { ...owner, username: somebody })
  await expect(other).toHaveURL(/\/create-app$/)
  await expect(again(page)).toContainText(/in another tab/)
  await again(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/create-app$/)
})

async function signInElsewhere(app: TestApp, page: Page, owner: SignedInOwner): Promise<Page> {
  const username = await newSomebody(app)
  const other = await page.context().newPage()
  await other.goto('/licenses')
  await other.getByRole('button', { name: /account of/ }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await signIn(other, { ...owner, username })
  await expect(other).toHaveURL(/\/create-app$/)
  return other
}

test('a tab that checks its session while someone else is signed in keeps its account and what was typed', async ({
  app,
  page,
  owner,
}) => {
  await fillForm(page)
  await signInElsewhere(app, page, owner)
  await expect(again(page)).toContainText('Someone else signed in in another tab.')
  await page.clock.setFixedTime(Date.now() + 61_000)
  const check = page.waitForResponse(/\/check-auth$/)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await (await check).finished()
  await password(page).fill(owner.password)
  await page.keyboard.press('Enter')
  await expect(again(page)).toBeHidden()
  await expect(form(page).getByLabel('Notes')).toHaveValue('typed before')
  await submitForm(page)
  await expect(page.getByRole('dialog', { name: /created/i })).toBeVisible()
})

test('nothing is sent in the name of someone else when the sign-in could not be loaded, until it is', async ({
  app,
  page,
  owner,
}) => {
  const dialogFile = /\/assets\/sign-in-again-dialog-[^/]*\.js$/
  await page.route(dialogFile, (route) => route.abort())
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
  await fillForm(page)
  await signInElsewhere(app, page, owner)
  const retry = page.getByRole('button', { name: 'Retry', includeHidden: true })
  await expect(retry).toBeVisible()
  await submitForm(page)
  await expect(form(page).getByRole('button', { name: /^create/i })).toHaveAttribute('aria-busy', 'true')
  await page.unroute(dialogFile)
  await retry.click()
  await expect(again(page)).toBeVisible()
  expect(posts).toEqual([])
})
