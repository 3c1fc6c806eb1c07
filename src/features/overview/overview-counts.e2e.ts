import type { Page } from '@playwright/test'
import { expect, type SignedInOwner, test } from '#e2e/fixtures.ts'
import { Program } from '#testing/people/program.ts'
import type { TestApp } from '#testing/start-test-app.ts'

/** The numbers of the overview agree with the lists to which they lead. */

const needs = (page: Page) => page.getByRole('region', { name: /needs? you/ })
const rows = (page: Page) => page.locator('tbody tr[data-row]')

interface LogRow {
  code?: string
  username?: string
  license?: string
  ago?: number
}

async function logged(app: TestApp, { appId }: SignedInOwner, logs: readonly LogRow[]): Promise<void> {
  const row = ({ code = '', username = '', license = '', ago = 60 }: LogRow) => ({
    app_id: appId,
    at: app.now() - ago,
    call: 'login',
    code,
    username,
    license,
    message: '',
    hwid_hash: '',
    ip: '::1',
    country: '',
    session: '',
  })
  await app.db.write(({ db }) => db.insertInto('logs').values(logs.map(row)).execute())
}

/** The program has run, so the overview has no first steps. */
const withProgram = async (app: TestApp, owner: SignedInOwner) => (await Program.of(app, owner)).init()

/** The number at the beginning of what needs the owner. */
async function needed(page: Page, text: RegExp): Promise<{ count: number; follow: () => Promise<void> }> {
  const line = needs(page).getByRole('listitem').filter({ hasText: text })
  const count = Number.parseInt((await line.textContent()) ?? '')
  return { count, follow: () => line.getByRole('link').click() }
}

test('rejected customers lead to the entries of all reasons, which are of as many customers', async ({
  app,
  page,
  owner,
}) => {
  await withProgram(app, owner)
  await logged(app, owner, [
    { code: 'HWID_MISMATCH', username: 'anna' },
    { code: 'HWID_MISMATCH', username: 'bruno' },
    { code: 'HWID_MISMATCH', username: 'bruno' },
    { code: 'USER_BANNED', username: 'bruno' },
    { code: 'LICENSE_BANNED', license: 'KEY-OF-CLARA' },
    { code: 'INVALID_CREDENTIALS', username: 'dora' },
    { code: 'VPN_BLOCKED', username: 'emil', ago: 2 * 86_400 },
  ])
  await page.goto('/overview')
  const { count, follow } = await needed(page, /customers were rejected in the last 24 hours/)
  expect(count).toBe(3)
  await follow()
  await expect(page).toHaveURL(/\/logs\?f\.customers=rejected&f\.days=1$/)
  await expect(page.getByRole('button', { name: 'Customers' })).toContainText(`${count} rejected`)
  await expect(
    page.getByText(`Logs, period “Last 24 hours”, customers “${count} rejected”, newest first: 5`),
  ).toBeVisible()
  await expect(rows(page)).toHaveCount(5)
  await expect(rows(page).filter({ hasText: 'dora' })).toHaveCount(0)
  await expect(rows(page).filter({ hasText: 'KEY-OF-CLARA' })).toHaveCount(1)

  // A customer who is rejected while the list is open is counted, too.
  await logged(app, owner, [{ code: 'USER_PAUSED', username: 'frida', ago: 0 }])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('button', { name: 'Customers' })).toContainText(`${count + 1} rejected`)
})
