import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { newOwner } from '#testing/people/people.ts'
import { startTestApp } from '#testing/start-test-app.ts'
import { expect, signIn, test } from './fixtures.ts'

/** Documentation and Socials. */

const links = {
  documentation: 'https://docs.example.com/?a="b"&c=<d>',
  discord: 'https://chat.example.com/signet',
  github: 'https://code.example.com/signet',
}
const addressOf = (page: Page, role: 'link' | 'menuitem', name: string) =>
  page.getByRole(role, { name, exact: true }).getAttribute('href')

test('lead to the configured addresses, at every width and in every area', async ({ browser }) => {
  const app = await startTestApp({ dashboardDir: resolve('dist/web'), clockRuns: true, config: { links } })
  const context = await browser.newContext({ baseURL: app.url })
  try {
    const admin = await newOwner(app, 'the_admin')
    const change = { role: 'admin' as const }
    await app.db.write((tx) => tx.db.updateTable('accounts').set(change).where('id', '=', admin.id).execute())
    await signIn(context, app, admin.visitor)
    const page = await context.newPage()
    for (const area of ['/profile', '/admin/owners', '/status']) {
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(area)
      expect(await addressOf(page, 'link', 'Documentation'), area).toBe(links.documentation)
      await page.getByRole('button', { name: 'Socials' }).click()
      expect(await addressOf(page, 'menuitem', 'Discord')).toBe(links.discord)
      expect(await addressOf(page, 'menuitem', 'GitHub')).toBe(links.github)
      await expect(page.getByRole('menuitem', { name: 'Twitter' })).toHaveCount(0)
      await page.keyboard.press('Escape')
    }
    for (const area of ['/profile', '/admin/owners']) {
      await page.goto(area)
      for (const width of [768, 390]) {
        await page.setViewportSize({ width, height: 900 })
        await page.getByRole('button', { name: /account of the_admin/ }).click()
        expect(await addressOf(page, 'menuitem', 'Documentation'), `${area} at ${width}`).toBe(links.documentation)
        expect(await addressOf(page, 'menuitem', 'Discord')).toBe(links.discord)
        await page.keyboard.press('Escape')
        await expect(page.getByRole('menuitem')).toHaveCount(0)
      }
    }
  } finally {
    await context.close()
    await app.close()
  }
})

test('without addresses, the page about the screen in the documentation of this server, and no socials', async ({
  page,
  owner,
}) => {
  await page.goto('/webhooks')
  expect(await addressOf(page, 'link', 'Documentation')).toBe('/docs/guides/webhooks/')
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('link', { name: 'Documentation' })).toHaveAttribute('href', '/docs/')
  await page.goto('/profile')
  const account = page.getByRole('button', { name: `account of ${owner.username}` })
  await expect(account).toBeVisible()
  expect(await addressOf(page, 'link', 'Documentation')).toBe('/docs/start/accounts-and-plans/')
  await expect(page.getByText('Socials')).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 800 })
  await account.click()
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeVisible()
  expect(await addressOf(page, 'menuitem', 'Documentation')).toBe('/docs/start/accounts-and-plans/')
  await expect(page.getByText('Socials')).toHaveCount(0)
})
