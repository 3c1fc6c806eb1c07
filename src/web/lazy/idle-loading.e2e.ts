import type { Page } from '@playwright/test'
import { expect, test } from '../../../e2e/fixtures.ts'

/** Passes browser time in steps until something is so. */
const pass = async (page: Page, ms: number, until: () => Promise<boolean> | boolean) =>
  expect
    .poll(
      async () => {
        await page.clock.runFor(ms)
        return until()
      },
      { intervals: [50] },
    )
    .toBe(true)

/** Opens the licenses with a stopped clock; the parts that were requested are noted. */
async function open(page: Page) {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1000)
  await page.goto('/licenses')
  await pass(page, 10, () => page.getByRole('heading', { name: 'Licenses', level: 1 }).isVisible())
  return (part: string) => asked.some((url) => url.includes(`/${part}-`))
}

/** A request of before this one would have been noted, too. */
const requested = (page: Page) => page.evaluate(() => fetch('/livez'))

test.describe(() => {
  test.use({ preloads: true })

  test('the palette and the pages of the rail are loaded soon after the page, and other parts not before nobody has acted for a while', async ({
    page,
    owner,
  }) => {
    expect(owner.appId).not.toBe('')
    const isAsked = await open(page)
    await pass(page, 50, () => isAsked('command-palette') && isAsked('users-page') && isAsked('webhooks-page'))
    expect(isAsked('shortcut-sheet')).toBe(false)
    for (let second = 0; second < 5; second++) {
      await page.keyboard.press('Shift')
      await page.clock.runFor(900)
    }
    await requested(page)
    expect(isAsked('shortcut-sheet')).toBe(false)
    await pass(page, 500, () => isAsked('shortcut-sheet'))
  })
})

test('a browser that saves data loads a part when it is opened', async ({ page, owner }) => {
  expect(owner.appId).not.toBe('')
  const isAsked = await open(page)
  for (let second = 0; second < 10; second++) {
    await page.clock.runFor(1000)
    await requested(page)
  }
  expect(['command-palette', 'users-page', 'shortcut-sheet'].filter(isAsked)).toEqual([])
  await page.keyboard.press('ControlOrMeta+k')
  await pass(page, 50, () => page.getByRole('dialog').isVisible())
  expect(isAsked('command-palette')).toBe(true)
})
