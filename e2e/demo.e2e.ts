import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openDatabase } from '#database/open-database.ts'
import { features } from '#features.ts'
import { openMasterKey } from '#server/secrets/open-master-key.ts'
import { fillPlatform } from '#testing/demo/fill-platform.ts'
import { demoPassword } from '#testing/demo/story.ts'
import { startTestApp } from '#testing/start-test-app.ts'
import { testConfig } from '#testing/test-config.ts'
import { expect, test } from './fixtures.ts'

/** The smallest demo: `npm run demo` has more licenses, and the same story. */
async function startDemo(dataDir: string) {
  const config = testConfig(dataDir, '127.0.0.1')
  const sources = features.flatMap((feature) => feature.searches ?? [])
  const db = await openDatabase({ dataDir, sources })
  const masterKey = await openMasterKey({ db, file: config.masterKeyFile, features })
  await fillPlatform({ config, db, masterKey }, { now: Math.floor(Date.now() / 1000), maxLicenses: 80 })
  await db.close()
  const dashboardDir = resolve('dist/web')
  return startTestApp({ masterKey, dashboardDir, clockRuns: true, sqlite: { file: join(dataDir, 'signet.db') } })
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
