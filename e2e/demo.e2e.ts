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

test('the demo has something to show on each screen of its first owner', async ({ page }) => {
  test.slow()
  const dataDir = mkdtempSync(join(tmpdir(), 'signet-demo-'))
  const demo = await startDemo(dataDir)
  try {
    await page.goto(`${demo.url}/login`)
    await page.getByRole('textbox', { name: 'Username' }).fill('marina')
    await page.getByRole('textbox', { name: 'Password' }).fill(demoPassword)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
    await expect(page.getByRole('region', { name: /need you|needs you/ }).getByRole('listitem')).not.toHaveCount(0)

    const lists = ['licenses', 'users', 'sessions', 'subscriptions', 'variables', 'downloads', 'webhooks']
    for (const list of [...lists, 'sellerapi', 'manage-resellers', 'logs', 'alerts', 'audit']) {
      await page.goto(`${demo.url}/${list}`)
      await expect(page.locator('tr[data-row]').first(), list).toBeVisible()
    }
  } finally {
    await demo.close()
    rmSync(dataDir, { recursive: true })
  }
})
