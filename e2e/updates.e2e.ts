import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectToast, test } from './fixtures.ts'

/** The dashboard as an earlier release, with different names of its hashed files. */
function earlierDashboard(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signet-dashboard-'))
  cpSync('dist/web', folder, { recursive: true, filter: (path) => !/\.(?:br|gz)$/.test(path) })
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:html|js|css)$/.test(name)) continue
    const path = join(folder, name)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('assets/', 'earlier/assets/'))
  }
  mkdirSync(join(folder, 'earlier'))
  renameSync(join(folder, 'assets'), join(folder, 'earlier/assets'))
  return folder
}

const notice = (page: Page) => page.getByText("Signet was updated. Reload the page when you're ready.")
const isSamePage = (page: Page) => page.evaluate(() => document.documentElement.dataset['marked'] === 'yes')

test('a new version is offered without interrupting, and a part missing after the update says what to do', async ({
  page,
  owner,
  server,
}) => {
  await page.addInitScript(() => (globalThis.requestIdleCallback = () => 0))
  const earlier = earlierDashboard()
  await server.start(earlier)
  await page.goto('/licenses')
  await expect(page.getByText(owner.appName).first()).toBeVisible()
  await page.evaluate(() => (document.documentElement.dataset['marked'] = 'yes'))
  await expect(notice(page)).toBeHidden()

  await server.start()
  await page.getByRole('button', { name: 'Create licenses' }).first().click()
  await expectToast(page, 'Signet was updated. Reload the page to open this.')
  await expect(page).toHaveURL(/\/licenses$/)
  await expect(notice(page)).toBeVisible()
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
  await expect(notice(page)).toBeHidden()
  expect(await isSamePage(page)).toBe(true)

  await page.getByRole('button', { name: 'Create licenses' }).first().click()
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => isSamePage(page)).toBe(false)
  await page.getByRole('button', { name: 'Create licenses' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Create licenses' })).toBeVisible()
  await expect(notice(page)).toBeHidden()
  rmSync(earlier, { recursive: true })
})
