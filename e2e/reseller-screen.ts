import type { Page } from '@playwright/test'
import { newSellingReseller, type SellingReseller } from '#testing/people/resellers.ts'
import { expect, signIn, test as base } from './fixtures.ts'

/** Helpers for the reseller area. */

/** The browser is signed in as a reseller with 100 credits; 30 days cost 5 credits, 7 days cost 2. */
export const test = base.extend<{ reseller: SellingReseller }>({
  reseller: async ({ app, owner, context }, use) => {
    const reseller = await newSellingReseller(app, {}, owner)
    await context.clearCookies()
    await signIn(context, app, reseller.visitor)
    await use(reseller)
  },
})

export const dialog = (page: Page) => page.getByRole('dialog')
export const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
export const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' })
export const password = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
/** The credits that the current page shows. */
export const expectCredits = (page: Page, credits: number) =>
  expect(page.getByRole('main').getByText(`Credits: ${credits}`, { exact: true })).toBeVisible()
export const generate = (page: Page) => dialog(page).getByRole('button', { name: /^Generate/ })
export const totalOf = async ({ visitor, appName }: SellingReseller) =>
  (await visitor.call('GET /reseller/licenses', { query: { appName } })).body.total

export async function fillGenerate(page: Page, amount: number) {
  await page.getByRole('button', { name: 'Generate License' }).first().click()
  await dialog(page).getByLabel('Plan duration').selectOption('30')
  await dialog(page).getByLabel('Amount', { exact: true }).fill(String(amount))
}

export const sellOne = async ({ sell }: SellingReseller, body: object = {}) =>
  ((await sell(body)).body as unknown as { licenses: string[] }).licenses[0] ?? ''

export async function openDelete(page: Page, key: string) {
  await page.getByRole('button', { name: `Actions for ${key}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(dialog(page)).toContainText('Credits will be refunded')
}

export async function chooseApp(page: Page, name: RegExp) {
  await sidebar(page).locator('button[aria-haspopup=menu]').click()
  await page.getByRole('menuitemradio', { name }).click()
}
