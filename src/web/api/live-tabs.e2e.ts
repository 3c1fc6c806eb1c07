import { expect, test } from '#e2e/fixtures.ts'
import { ban, created, isFollowing, row, setVisibility } from '#e2e/followed-list.ts'

/** The one stream of the tabs of an account, which tells their lists what others change. */

test.afterEach(async ({ page, app }) => {
  await page.close()
  await isFollowing(app, 0)
})

test('tabs of an account share one stream, and another one takes over and resumes', async ({
  app,
  page,
  owner,
  context,
}) => {
  test.slow()
  const [first = '', second = '', third = ''] = await created(owner, 3)
  const requests: string[] = []
  let isBlocked = false
  await context.route('**/website/live?**', (route) => {
    requests.push(route.request().url())
    return isBlocked ? route.abort() : route.continue()
  })
  await page.goto('/licenses')
  await isFollowing(app)
  const other = await context.newPage()
  await other.goto('/licenses')
  await expect(row(other, first)).toContainText('Unused')
  await ban(owner, first)
  for (const tab of [page, other]) await expect(row(tab, first)).toContainText('Banned')
  expect(requests).toHaveLength(1)
  await isFollowing(app)

  isBlocked = true
  await page.close()
  await expect.poll(() => requests.length).toBe(2)
  expect(requests[1]).toContain('lastEventId=')
  await ban(owner, second)
  isBlocked = false
  await expect(row(other, second)).toContainText('Banned')
  await isFollowing(app)

  // Another app has a stream of its own.
  const { body } = await owner.visitor.call('POST /create_app', { body: { appName: 'Prism Mobile', version: '1.0.0' } })
  const mobile = await context.newPage()
  await mobile.goto(`/a/${body.appId}/licenses`)
  await isFollowing(app, 2)
  await mobile.close()
  await ban(owner, third)
  await expect(row(other, third)).toContainText('Banned')
  await other.getByRole('button', { name: /account of/ }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await isFollowing(app, 0)
})

test('a tab whose leader says nothing reads again every 30 seconds, and without locks each tab has its stream', async ({
  app,
  page,
  owner,
  context,
}) => {
  const [first = ''] = await created(owner, 1)
  await page.addInitScript(() => {
    BroadcastChannel.prototype.postMessage = () => {}
  })
  await page.goto('/licenses')
  await isFollowing(app)
  const other = await context.newPage()
  await other.clock.install()
  await other.goto('/licenses')
  await expect(row(other, first)).toContainText('Unused')
  await ban(owner, first)
  await expect(row(page, first)).toContainText('Banned')
  await expect(row(other, first)).toContainText('Unused')
  await other.clock.fastForward(60_000)
  await expect(row(other, first)).toContainText('Banned')
  await isFollowing(app)
  await other.close()

  const alone = await context.newPage()
  await alone.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
  await alone.goto('/licenses')
  await isFollowing(app, 2)
  await ban(owner, first)
  await expect(row(alone, first)).toContainText('Unused')
  await alone.close()
})

test('a connection that went silent, as while the computer slept, is replaced and resumed', async ({
  app,
  page,
  owner,
}) => {
  const [first = ''] = await created(owner, 1)
  await page.addInitScript(() => {
    const add = EventSource.prototype.addEventListener
    const silenced = new WeakSet<EventSource>()
    const opened: EventSource[] = []
    EventSource.prototype.addEventListener = function (this: EventSource, type: string, listener: never) {
      opened.push(this)
      const heard = (event: Event) => void (silenced.has(this) || (listener as (event: Event) => void)(event))
      add.call(this, type, heard)
    }
    Object.assign(globalThis, { silence: () => opened.forEach((source) => silenced.add(source)) })
  })
  await page.clock.install()
  const isOpen = page.waitForResponse(/\/website\/live\?/)
  await page.goto('/licenses')
  await isOpen
  await isFollowing(app)
  await expect(row(page, first)).toContainText('Unused')
  await page.evaluate(() => (globalThis as unknown as { silence: () => void }).silence())
  await ban(owner, first)
  const resumed = page.waitForRequest(/lastEventId=/)
  // As when the lid was closed: each timer runs once.
  await page.clock.fastForward(60_000)
  await page.clock.fastForward(5000)
  await resumed
  await expect(row(page, first)).toContainText('Banned')
})

test('a hidden tab follows nothing, and catches up when it is shown', async ({ app, page, owner }) => {
  const [first = ''] = await created(owner, 1)
  await page.goto('/licenses')
  await isFollowing(app)
  await setVisibility(page, 'hidden')
  await isFollowing(app, 0)
  await ban(owner, first)
  await setVisibility(page, 'visible')
  await expect(row(page, first)).toContainText('Banned')
  await isFollowing(app)
  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await isFollowing(app, 0)
})

test('what only a later version knows is left out, and the rest followed', async ({ app, page, owner, context }) => {
  await page.goto('/licenses')
  await isFollowing(app)
  const later = await context.newPage()
  await later.goto('/status')
  // Sooner than after a failure, which is tried again after 30 seconds.
  const isCounted = page.waitForRequest(/\/alerts\/count/, { timeout: 20_000 })
  const name = `signet.live.${owner.id}.${owner.appId}`
  const news = { subjects: ['machines', 'alerts'], id: '1' }
  await later.evaluate(
    ([channel, message]) => new BroadcastChannel(channel as string).postMessage(message),
    [name, news],
  )
  await isCounted
})
