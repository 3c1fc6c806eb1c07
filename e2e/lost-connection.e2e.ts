import type { Page } from '@playwright/test'
import { newLicenses } from '#testing/people/people.ts'
import { expect, expectNoAxeViolations, expectToast, test } from './fixtures.ts'
import { PendingRequests } from './pending-requests.ts'

const strip = (page: Page) => page.getByText(/^Connection lost \d+:\d\d [AP]M\. What you see may be out of date\.$/)
const dialog = (page: Page) => page.getByRole('dialog')
const retry = (page: Page) => page.getByRole('button', { name: 'Retry' })
const rows = (page: Page) => page.getByRole('checkbox', { name: /^Select (?!all)/ })
const menuOfRow = (page: Page) => page.getByRole('button', { name: /^Actions/ }).first()

/** A browser that is never idle, so that no part of a page is preloaded. */
const neverIdle = (page: Page) => page.addInitScript(() => (globalThis.requestIdleCallback = () => 0))

const palette = (page: Page) => page.getByRole('combobox', { name: /search|jump|command/i })

test.describe(() => {
  test.use({ preloads: true })

  test('the parts that a page can open are loaded in advance, and open without the server', async ({
    page,
    owner,
    server,
  }) => {
    await newLicenses(owner, 1)
    const requests = new PendingRequests(page)
    await page.goto('/licenses')
    const isLoaded = (part: string) =>
      page.evaluate((name) => performance.getEntriesByType('resource').some((each) => each.name.includes(name)), part)
    for (const part of [
      'command-palette',
      'licenses-form',
      'menu-panel',
      'sign-in-again-dialog',
      'license-row-actions',
    ])
      await expect.poll(() => isLoaded(`/${part}-`), { message: part }).toBe(true)
    // Also what these parts are made of.
    await requests.settled()
    await server.stop()

    await page.keyboard.press('ControlOrMeta+k')
    await expect(palette(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await menuOfRow(page).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await expect(dialog(page)).toBeVisible()
  })
})

test("what can't be loaded leaves the page and the focus as they are", async ({ page, owner, server }) => {
  await newLicenses(owner, 1)
  await neverIdle(page)
  await test.step("a row menu that can't be loaded keeps the focus where it was", async () => {
    await page.goto('/licenses')
    await expect(menuOfRow(page)).toBeVisible()
    await server.stop()
    await menuOfRow(page).press('Enter')
    await expectToast(page, 'The server could not be reached')
    await expect(menuOfRow(page)).toBeFocused()
    await server.start()
  })

  await test.step("a part that can't be loaded leaves the page as it is, and Retry opens it when the server is back", async () => {
    await page.goto('/licenses')
    await expect(rows(page)).toHaveCount(1)
    const openings = [
      { open: () => page.keyboard.press('ControlOrMeta+k'), opened: palette(page) },
      { open: () => page.getByRole('button', { name: 'Create licenses' }).click(), opened: dialog(page) },
      { open: () => menuOfRow(page).press('ArrowDown'), opened: page.getByRole('menu') },
    ]
    for (const { open, opened } of openings) {
      await server.stop()
      await open()
      await expectToast(page, 'The server could not be reached')
      await expect(page.getByRole('heading', { name: 'Licenses', exact: true })).toBeVisible()
      await expect(rows(page)).toHaveCount(1)
      await expect(page).toHaveURL(/\/licenses$/)
      await retry(page).click()
      await expectToast(page, 'The server could not be reached')
      await server.start()
      await retry(page).click()
      await expect(opened).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(opened).toBeHidden()
    }
  })
})

test("a page that can't be loaded says so inside the shell, and loads when the server is back", async ({
  page,
  owner,
  server,
}) => {
  await page.goto('/licenses')
  await expect(page.getByText(owner.appName).first()).toBeVisible()
  await server.stop()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('main').getByRole('heading', { name: 'The server could not be reached' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('main').getByRole('heading', { name: 'The server could not be reached' })).toBeVisible()
  await server.start()
  await expect(page.getByRole('heading', { name: 'Users', exact: true })).toBeVisible()
})

test('one line says since when the connection is lost and when it is back, and the page refreshes', async ({
  page,
  owner,
  server,
}) => {
  const timeZone = 'Asia/Kathmandu'
  await owner.visitor.call('POST /profile/update', { body: { timeZone } })
  await newLicenses(owner, 1)
  await page.goto('/licenses')
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Create licenses' }).click()
  await dialog(page).getByLabel('Subscription').selectOption({ label: 'Basic' })
  await dialog(page).getByLabel('Notes').fill('typed before')
  // A change by another session.
  await newLicenses(owner, 1)
  const stoppedAt = Date.now()
  await server.stop()
  await dialog(page)
    .getByRole('button', { name: /^create/i })
    .click()
  await expect(strip(page)).toBeVisible()
  const timesSince = []
  for (let at = stoppedAt; at < Date.now() + 60_000; at += 60_000)
    timesSince.push(new Date(at).toLocaleTimeString('en', { timeStyle: 'short', timeZone }))
  const said = await strip(page).innerText()
  expect(
    timesSince.some((time) => said.includes(` ${time}.`)),
    `${said} ${timesSince.join()}`,
  ).toBe(true)
  await expect(dialog(page).getByLabel('Notes')).toHaveValue('typed before')
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(strip(page)).toBeVisible()
  await expect(dialog(page)).toBeVisible()

  await server.start()
  // The page may have recovered already, so that there is no button to press.
  const pressed = page.getByRole('button', { name: 'Try again' }).click()
  pressed.catch(() => {})
  await expect(page.getByText('Connected again.')).toBeVisible()
  await expect(strip(page)).toBeHidden()
  await expect(dialog(page).getByLabel('Notes')).toHaveValue('typed before')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  // No row moves: the new one is announced.
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: /1 new/ }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByText('Connected again.')).toBeHidden()
})

test('a connection that goes silent is said to be lost, and a form that waits for it can be sent again, once', async ({
  page,
  owner,
  connection,
}) => {
  // The server has that long to answer whether it is there.
  await page.addInitScript(() => {
    const { timeout } = AbortSignal
    AbortSignal.timeout = (ms) => timeout(Math.min(ms, 1000))
  })
  await page.clock.install()
  await newLicenses(owner, 1)
  await page.goto(`${connection.url}/licenses`)
  await expect(rows(page)).toHaveCount(1)
  await test.step('while a form waits', async () => {
    await page.getByRole('button', { name: 'Create licenses' }).click()
    await dialog(page).getByLabel('Subscription').selectOption({ label: 'Basic' })
    await dialog(page).getByLabel('Notes').fill('typed before')
    const create = dialog(page).getByRole('button', { name: /^create/i })
    connection.stall()
    const isSent = page.waitForRequest(/create_licenses/)
    await create.click()
    await isSent
    await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeDisabled()
    await page.clock.fastForward(10_000)
    await expect(strip(page)).toBeVisible()
    await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeEnabled()
    await expect(dialog(page).getByLabel('Notes')).toHaveValue('typed before')
    await connection.restore()
    await page.clock.fastForward(15_000)
    await expect(strip(page)).toBeHidden()
    await create.click()
    await page
      .getByRole('dialog', { name: /created/i })
      .getByRole('button', { name: 'Done' })
      .click()
    await page.goto(`${connection.url}/licenses?q=typed`)
    await expect(rows(page)).toHaveCount(1)
  })
  await test.step('while nobody acts', async () => {
    connection.stall()
    // Silence is noticed at the next check.
    await page.clock.fastForward(60_000)
    await page.clock.fastForward(10_000)
    await expect(strip(page)).toBeVisible()
    await connection.restore()
    await page.clock.fastForward(15_000)
    await expect(strip(page)).toBeHidden()
  })
})

test('a network that is lost and returns is noticed without a click, in the language of the page', async ({
  page,
  context,
  owner,
}) => {
  await page.addInitScript(() => localStorage.setItem('signet.locale', 'pt-BR'))
  await page.goto('/licenses')
  await expect(page.getByText(owner.appName).first()).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText(/^Conexão perdida às \d{1,2}:\d\d\./)).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('Conectado de novo.')).toBeVisible()
})
