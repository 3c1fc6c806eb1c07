import { expect, test } from '../../../e2e/fixtures.ts'

test('the palette and the pages of the rail are loaded soon after the page, and other parts not before nobody has acted for a while', async ({
  page,
  owner,
}) => {
  expect(owner.appId).not.toBe('')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const isAsked = (part: string) => asked.some((url) => url.includes(`/${part}-`))
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1000)
  const pass = async (ms: number, until: () => Promise<boolean> | boolean) =>
    expect
      .poll(
        async () => {
          await page.clock.runFor(ms)
          return until()
        },
        { intervals: [50] },
      )
      .toBe(true)
  await page.goto('/licenses')
  await pass(10, () => page.getByRole('heading', { name: 'Licenses', level: 1 }).isVisible())
  await pass(50, () => isAsked('command-palette') && isAsked('users-page') && isAsked('webhooks-page'))
  expect(isAsked('shortcut-sheet')).toBe(false)
  for (let second = 0; second < 5; second++) {
    await page.keyboard.press('Shift')
    await page.clock.runFor(900)
  }
  // A request of before this one would be here, too.
  await page.evaluate(() => fetch('/livez'))
  expect(isAsked('shortcut-sheet')).toBe(false)
  await pass(500, () => isAsked('shortcut-sheet'))
})
