import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Writable } from 'node:stream'
import type { Locator, Page } from '@playwright/test'
import { newLog } from '#server/log/log.ts'
import { field } from '#e2e/entry-screen.ts'
import { expect, expectNoAxeViolations, expectToast, signIn, test } from '#e2e/fixtures.ts'
import { runPython } from '#e2e/python-program.ts'
import { countryFile } from '#testing/country-file.ts'
import { bannedText } from '#testing/people/end-users.ts'
import { newLicenses, newOwner, newOwnerWithApp, setPlan } from '#testing/people/people.ts'
import { setPlatform } from '#testing/platform.ts'
import { Program } from '#testing/people/program.ts'
import { sdkClient } from '#testing/people/sdk-client.ts'
import { startTestApp } from '#testing/start-test-app.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const step = (page: Page, name: string) =>
  page.getByRole('main').getByRole('region', { name: new RegExp(`: ${name}$`) })
const run = (page: Page) => step(page, 'Run it')
const steps = (page: Page) => page.getByRole('region', { name: /Steps to a running program|Your program is connected/ })
const current = (page: Page) => steps(page).locator('[aria-current=step]')
const announced = (page: Page) => page.getByRole('status')
/** The stream tells at most once per second, and the first program takes a while to start. */
const soon = { timeout: 30_000 }

// The server is that of other tests, too.
test.afterEach(({ app }) => setPlatform(app, 'security', {}))

async function createTestKey(page: Page) {
  await button(page, 'Create test key').click()
  await expect(button(page, 'Create another')).toBeVisible()
}

async function ban(page: Page, click = (target: Locator) => target.click()) {
  await click(button(page, 'Ban the key'))
  await click(
    page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Ban', exact: true }),
  )
}

test('from the set-up link to a banned program in seven clicks and six fields', async ({ browser }) => {
  test.slow()
  let printed = ''
  const output = new Writable({ write: (chunk, _encoding, done) => ((printed += String(chunk)), done()) })
  const fresh = await startTestApp({ dashboardDir: resolve('dist/web'), clockRuns: true, log: newLog('info', output) })
  const context = await browser.newContext({ baseURL: fresh.url, permissions: ['clipboard-read', 'clipboard-write'] })
  let clicks = 0
  let fields = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  try {
    const page = await context.newPage()
    const fill = async (name: string, text: string) => {
      fields += 1
      await field(page, name).fill(text)
    }
    await page.goto(/http:\/\/signet\.test(\/\S+?)"/.exec(printed)?.[1] ?? 'no link was printed')
    await fill('Username', 'marina')
    await fill('Email', 'marina@example.com')
    await fill('Display name', 'Marina')
    await fill('Password', 'Correct7Horse')
    await fill('Confirm password', 'Correct7Horse')
    await click(page.getByRole('checkbox', { name: /terms and conditions/ }))
    await click(button(page, 'Create account'))

    await expect(current(page)).toContainText('create an app')
    await fill('App Name', 'Prism Studio')
    await click(button(page, 'Create'))
    await expect(page).toHaveURL(/\/a\/app_\w+\/connect$/)
    await expect(current(page)).toContainText('first license')
    await click(button(page, 'Create test key'))
    await expect(button(page, 'Create another')).toBeVisible()
    await expect(run(page)).toContainText('Waiting for the first program…')
    await click(step(page, 'Copy the program').getByRole('button', { name: 'Copy code' }))
    const program = await page.evaluate(() => navigator.clipboard.readText())

    const accepted = await runPython(program)
    expect(accepted).toEqual({ code: 0, output: expect.stringMatching(/^Signed in as TEST(-[A-Z0-9]{4}){4}\.\n$/) })
    await expect(run(page)).toContainText('Your program is running.', soon)
    // Without two-factor authentication on this server, all steps are done.
    await expect(steps(page)).toBeHidden(soon)
    await ban(page, click)
    await expect(run(page)).toContainText('The key is banned. Run the program again.', soon)
    const rejected = await runPython(program)
    expect(rejected).toEqual({ code: 1, output: expect.stringMatching(bannedText) })
    await expect(run(page)).toContainText('Rejected: License banned.', soon)
    expect({ clicks, fields }).toEqual({ clicks: 7, fields: 6 })
  } finally {
    await context.close()
    await fresh.close()
  }
})

test('shows where the program runs, its ban, its rejection, and its return, all without a reload', async ({
  browser,
}) => {
  test.slow()
  const app = await startTestApp({ dashboardDir: resolve('dist/web'), clockRuns: true })
  const { countryFile: file } = app.services.config.ipData
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, countryFile({ '127.0.0.0/8': 'BR' }, app.now()))
  const context = await browser.newContext({ baseURL: app.url })
  try {
    const owner = await newOwnerWithApp(app, 'Prism Studio')
    await signIn(context, app, owner.visitor)
    const page = await context.newPage()
    await page.goto('/connect')
    await expect(button(page, 'Create test key')).toBeVisible()
    await expectNoAxeViolations(page)
    await createTestKey(page)
    await expect(run(page)).toContainText('Waiting for the first program…')
    await expectNoAxeViolations(page)
    const { body } = await owner.visitor.call('GET /licenses')
    const key = body.licenses[0]!.license
    expect(body.licenses).toMatchObject([{ level: 1, notes: 'Test key', used: false }])

    // Another customer's program is not the one that is waited for.
    const [other = ''] = await newLicenses(owner, 1)
    await (await sdkClient(app, owner)).license(other)
    await expect(run(page)).toContainText('Waiting for a program with this key…', soon)

    await (await sdkClient(app, owner)).license(key)
    await expect(run(page)).toContainText('Your program is running in Brazil.', soon)
    await expect(announced(page).filter({ hasText: 'Your program is running in Brazil.' })).toHaveCount(1)
    await expect(run(page)).toContainText('1.0.0')
    const [used] = (await owner.visitor.call('GET /logs', { query: { credential: key } })).body.logs
    await expect(run(page)).toContainText(used!.device)
    await expectNoAxeViolations(page)

    await ban(page)
    await expect(run(page)).toContainText('The key is banned.', soon)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(run(page)).toContainText('Your program is running in Brazil.', soon)
    await ban(page)
    await expect(run(page)).toContainText('The key is banned.', soon)
    await expectNoAxeViolations(page)
    await expect((await sdkClient(app, owner)).license(key)).rejects.toMatchObject({ code: 'LICENSE_BANNED' })
    await expect(run(page)).toContainText("That is what your customers' copies would see.", soon)
    await expectNoAxeViolations(page)
    await page.reload()
    await expect(run(page)).toContainText('Rejected: License banned.')

    await button(page, 'Unban the key').click()
    await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Unban' }).click()
    await expect(run(page)).toContainText('The key works again.', soon)
    await (await sdkClient(app, owner)).license(key)
    await expect(run(page)).toContainText('Your program is running in Brazil.', soon)
  } finally {
    await context.close()
    await app.close()
  }
})

test('a sign-in that is rejected for another reason says which, and how to find out more', async ({
  app,
  page,
  owner,
}) => {
  await page.goto('/connect')
  await createTestKey(page)
  const key = (await owner.visitor.call('GET /licenses')).body.licenses[0]!.license
  const program = await Program.of(app, owner)
  await program.init()
  program.hwid = 'short'
  await program.license(key)
  await expect(run(page)).toContainText('Rejected: HWID too short.', soon)
  await run(page).getByRole('link', { name: 'Why was this rejected?' }).click()
  await expect(page).toHaveURL(new RegExp(`/why\\?q=${key}$`))
})

test('of an app whose programs have started, without a test key, the steps to them are done', async ({
  app,
  page,
  owner,
}) => {
  await (await Program.of(app, owner)).init()
  await page.goto('/connect')
  for (const name of ['Copy the program', 'Run it']) {
    await expect(page.getByRole('main').getByRole('region', { name: `Done: ${name}` })).toBeVisible()
  }
  await createTestKey(page)
  for (const name of ['Now: Copy the program', 'Now: Run it']) {
    await expect(page.getByRole('main').getByRole('region', { name })).toBeVisible()
  }
})

test('the steps are read in their order, also where two are side by side', async ({ page, owner }) => {
  await page.goto('/connect')
  const shown = ['Create a test key', 'Copy the program', 'Run it'].map((name) => step(page, name))
  for (const [at, each] of shown.entries())
    await expect(each.getByRole('heading'), owner.username).toContainText(`${at + 1}. `)
  const isInOrder = async () => {
    const boxes = await Promise.all(
      shown.map((each) => each.evaluate((region) => region.getBoundingClientRect().toJSON() as DOMRect)),
    )
    return boxes.slice(1).every((box, at) => {
      const before = boxes[at]!
      return box.top >= before.bottom || (box.top >= before.top && box.left >= before.right)
    })
  }
  for (const width of [1440, 900, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(isInOrder, `${width}`).toBe(true)
  }
})

test('an app without a level gets one with its test key; a failure is reported, and the same button works later', async ({
  page,
  owner,
  server,
}) => {
  await owner.visitor.call('POST /delete_subscription', { body: { level: 1 } })
  await page.goto('/connect')
  await expect(current(page)).toContainText('subscription level')
  await expect(button(page, 'Create test key')).toBeVisible()
  await server.stop()
  await button(page, 'Create test key').click()
  await expectToast(page, 'Failed to create licenses')
  await server.start()
  await createTestKey(page)
  const { body } = await owner.visitor.call('GET /subscriptions')
  expect(body.subscriptions).toMatchObject([{ level: 1, name: 'Basic', active: true }])
  expect((await owner.visitor.call('GET /licenses')).body.total).toBe(1)
})

test('the steps can be hidden and shown again, are in the drawer of phones, and go when all are done', async ({
  app,
  page,
  owner,
}) => {
  await setPlatform(app, 'security', { enable2FA: true })
  await page.goto('/licenses')
  await expect(current(page)).toContainText('first license')
  await expect(steps(page).getByRole('link', { name: /two-factor sign-in/ })).toBeVisible()
  await steps(page).getByRole('button').click()
  await expect(steps(page).getByRole('link')).toHaveCount(0)
  await page.reload()
  await expect(steps(page)).toContainText('2/5')
  await expect(steps(page).getByRole('link')).toHaveCount(0)
  await steps(page).getByRole('button').click()
  await steps(page)
    .getByRole('link', { name: /first license/ })
    .click()
  await expect(page).toHaveURL(/\/connect$/)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('main').locator('[aria-current=step]')).toContainText('first license')
  await expectNoAxeViolations(page)
  await page.goto('/licenses')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Navigation' }).locator('[aria-current=step]')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.setViewportSize({ width: 1280, height: 800 })
  const [key = ''] = await newLicenses(owner, 1)
  await expect(current(page)).toContainText('waiting for the first program', soon)
  await (await sdkClient(app, owner)).license(key)
  await expect(steps(page)).toContainText('program connected', soon)
  await expect(current(page)).toContainText('two-factor sign-in')
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Licenses' })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: key.slice(0, 4) })).toBeVisible()
  await expect(steps(page)).toBeHidden()
})

test('the longest name of an app stays within the steps of a phone', async ({ app, page, context }) => {
  const owner = await newOwner(app)
  await context.clearCookies()
  await signIn(context, app, owner.visitor)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/create-app')
  await page.getByLabel('App Name').fill('Wide'.repeat(12))
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  const name = page.getByRole('main').getByText('Wide'.repeat(12)).first()
  await expect(name).toBeVisible()
  const { right } = await name.evaluate((element) => element.getBoundingClientRect().toJSON())
  expect(right).toBeLessThan(390 - 24)
})

test('a plan that is full says so before anything is typed, and the form keeps its text until the next page', async ({
  app,
  page,
  owner,
}) => {
  await page.goto('/create-app')
  await field(page, 'App Name').fill('Second App')
  const seen = field(page, 'App Name').evaluate(async (input: HTMLInputElement) => {
    let wasEmpty = false
    while (input.isConnected) {
      wasEmpty ||= input.value === ''
      await new Promise((next) => requestAnimationFrame(next))
    }
    // A form that was mounted anew would be another input.
    const another = document.querySelector('input[name="appName"]')
    return wasEmpty || another !== null
  })
  await button(page, 'Create').click()
  await expect(page).toHaveURL(/\/connect$/)
  expect(await seen).toBe(false)
  await expect(page.getByRole('complementary', { name: 'Sidebar' })).toContainText('2 apps')

  await setPlan(app, owner.id, 'Free')
  await page.goto('/create-app')
  await expect(page.getByText('Your Free plan: 2 of 1 apps used. Delete one or choose a larger plan')).toBeVisible()
  await expect(button(page, 'Create')).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('link', { name: 'Compare plans' })).toHaveAttribute('href', /\/profile\?dialog=upgrade$/)
  await expectNoAxeViolations(page)
})
