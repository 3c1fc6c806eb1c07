import type { Page } from '@playwright/test'
import { expect, expectToast, signIn, test } from '#e2e/fixtures.ts'
import { setVisibility } from '#e2e/followed-list.ts'
import { eventStreams } from '#server/http/event-stream.ts'
import { EventListener } from '#testing/event-listener.ts'
import { newOwnerWithApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'

/** What the log asks the server for, and when. */

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const option = (page: Page, name: RegExp | string) => page.getByRole('menuitemcheckbox', { name })
/** Streams of the page besides the log's. */
const followed = 1

test('says that another window uses the only live connection of Free, and loads the log every 30 seconds', async ({
  app,
  page,
  context,
}) => {
  const free = await newOwnerWithApp(app, undefined, { plan: 'Free' })
  await signIn(context, app, free.visitor)
  const program = await Program.of(app, free)
  await program.init()
  const taken = page.getByText('Live in another window, refreshed here every 30 s')
  const other = await EventListener.open(app, free.visitor, '/logs/live')
  await page.clock.install()
  await page.goto('/logs')
  await expect(taken).toBeVisible()
  await expect(page.getByText(/^Reconnecting since /)).toBeHidden()
  await program.send('log', { message: 'written meanwhile' })
  await page.clock.fastForward(31_000)
  await expect(row(page, 'written meanwhile')).toBeVisible()
  await expect(taken).toBeVisible()
  other.leave()
  await expect.poll(() => eventStreams(app.services).size).toBe(followed)
  await page.clock.fastForward(31_000)
  await expect(taken).toBeHidden()
  await program.send('log', { message: 'as it happens' })
  await expect(row(page, 'as it happens')).toBeVisible()
})

test('a hidden tab does not follow the log, and loads what it missed when it is shown', async ({
  app,
  page,
  owner,
}) => {
  const program = await Program.of(app, owner)
  await program.init()
  await page.goto('/logs')
  await expect.poll(() => eventStreams(app.services).size).toBe(followed + 1)
  await setVisibility(page, 'hidden')
  await expect.poll(() => eventStreams(app.services).size).toBe(0)
  await program.send('log', { message: 'written meanwhile' })
  await setVisibility(page, 'visible')
  await expect(row(page, 'written meanwhile')).toBeVisible()
  await expect.poll(() => eventStreams(app.services).size).toBe(followed + 1)
  await program.send('log', { message: 'as it happens' })
  await expect(row(page, 'as it happens')).toBeVisible()
})

test('what a filter offers is counted when a menu opens, and a chosen reason has its name before', async ({
  app,
  page,
  owner,
}) => {
  const program = await Program.of(app, owner)
  await program.init()
  await program.license('NO-SUCH-KEY')
  let counted = 0
  page.on('request', (request) => void (counted += request.url().includes('/log_facets') ? 1 : 0))
  await page.goto('/logs?f.code=LICENSE_NOT_FOUND')
  await expect(row(page, 'License not found')).toBeVisible()
  const reason = page.getByRole('button', { name: /^Reason/ })
  await expect(reason).toHaveText('ReasonLicense not found')
  expect(counted).toBe(0)
  await reason.click()
  await expect(option(page, /^License not found/)).toContainText('1')
  expect(counted).toBe(1)
  await page.keyboard.press('Escape')
})

test('"Delete All", open after a reload before the log is there, deletes no entry that is stored later', async ({
  app,
  page,
  owner,
}) => {
  const program = await Program.of(app, owner)
  await program.init()
  const dialog = page.getByRole('dialog')
  const confirmation = dialog.getByRole('textbox', { name: 'App name' })
  await page.goto('/logs?dialog=delete-all')
  await expect(confirmation).toBeVisible()
  const { promise: held, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/website/logs?**', async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Logs' })).toBeVisible()
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  answer()
  await expect(confirmation).toBeVisible()
  await program.send('log', { message: 'stored later' })
  await confirmation.fill(owner.appName)
  await dialog.getByRole('button', { name: 'Delete All' }).click()
  await expectToast(page, 'All logs deleted successfully')
  const { logs } = (await owner.visitor.call('GET /logs')).body
  expect(logs.map(({ message }) => message)).toEqual(['stored later'])
})
