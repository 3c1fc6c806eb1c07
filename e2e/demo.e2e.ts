import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fillSmallDemo, openEmptyPlatform } from '#testing/demo/open-small-demo.ts'
import { demoPassword } from '#testing/demo/story.ts'
import { startTestApp } from '#testing/start-test-app.ts'
import { expect, test } from './fixtures.ts'

async function startDemo(dataDir: string) {
  const platform = await openEmptyPlatform(dataDir)
  await fillSmallDemo(platform)
  await platform.db.close()
  const { masterKey } = platform
  const sqlite = { file: join(dataDir, 'signet.db') }
  return startTestApp({ masterKey, sqlite, dashboardDir: resolve('dist/web'), clockRuns: true })
}

test('the demo has something to show on each screen of its first owner and of its administrator', async ({ page }) => {
  test.slow()
  const dataDir = mkdtempSync(join(tmpdir(), 'signet-demo-'))
  const demo = await startDemo(dataDir)
  try {
    const signIn = async (username: string) => {
      await page.context().clearCookies()
      await page.goto(`${demo.url}/login`)
      await page.getByRole('textbox', { name: 'Username' }).fill(username)
      await page.getByRole('textbox', { name: 'Password' }).fill(demoPassword)
      await page.keyboard.press('Enter')
    }
    await signIn('marina')
    await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
    await expect(page.getByRole('region', { name: /need you|needs you/ }).getByRole('listitem')).not.toHaveCount(0)

    const lists = ['licenses', 'users', 'sessions', 'subscriptions', 'variables', 'downloads', 'webhooks']
    for (const list of [...lists, 'sellerapi', 'manage-resellers', 'logs', 'alerts', 'audit']) {
      await page.goto(`${demo.url}/${list}`)
      await expect(page.locator('tr[data-row]').first(), list).toBeVisible()
    }

    await signIn('operator')
    const admin = page.getByRole('main')
    await expect(admin.getByText('3 failed jobs')).toBeVisible()
    for (const growth of ['new owners', 'new apps', 'new licenses', 'new users', 'sign-ins']) {
      await expect(admin.getByRole('link', { name: new RegExp(`^[1-9][\\d,]* ${growth}$`) })).toBeVisible()
    }
    for (const list of ['owners', 'jobs', 'audit']) {
      await page.goto(`${demo.url}/admin/${list}`)
      await expect(page.locator('tr[data-row]').first(), list).toBeVisible()
    }
  } finally {
    await demo.close()
    rmSync(dataDir, { recursive: true })
  }
})
