import type { Page } from '@playwright/test'
import { languages } from '#contract/language.ts'
import { withoutApp } from '#web/navigation/app-address.ts'
import { isResellerArea, paths } from '#web/navigation/paths.ts'
import { type BusyApp, fillApp } from '#testing/busy-app.ts'
import { newFailedJob } from '#testing/failed-jobs.ts'
import { makeAdmin } from '#testing/people/people.ts'
import { newReseller } from '#testing/people/resellers.ts'
import { cutHeaders, cutHints, cutTimes, tableOverflow } from './cut-texts.ts'
import { expect, expectNoAxeViolations, expectNoAxeViolationsButColors, signIn, test } from './fixtures.ts'
import { PendingRequests } from './pending-requests.ts'

/** All routes of the dashboard pass axe with content, in English in both themes, and in all languages. */

const ofStrangers = new Set<keyof typeof paths>([
  'login',
  'register',
  'terms',
  'resetPassword',
  'resetUserPassword',
  'resellerSetup',
  'resellerConfirmEmail',
])

const readers = ['stranger', 'owner', 'administrator', 'reseller'] as const
type Reader = (typeof readers)[number]

/** The routes of a signed-in user, without the two that redirect to others. */
function addressesOf(who: Reader, { reseller }: BusyApp, registrationToken: string): string[] {
  const {
    home: _home,
    resellerLogin: _login,
    ...others
  } = {
    ...paths,
    reseller: () => paths.reseller(reseller.username),
    resellerSetup: () => paths.resellerSetup(registrationToken),
  } satisfies { [Name in keyof typeof paths]: () => string }
  return Object.entries(others).flatMap(([name, path]) => {
    return readerOf(name as keyof typeof paths, path()) === who ? [path()] : []
  })
}

function readerOf(name: keyof typeof paths, address: string): Reader {
  if (ofStrangers.has(name)) return 'stranger'
  if (isResellerArea(address)) return 'reseller'
  return address.startsWith('/admin/') ? 'administrator' : 'owner'
}

async function expectAccessible(page: Page, requests: PendingRequests, address: string, locale: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 }), address).toBeVisible()
  await requests.settled()
  expect(withoutApp(new URL(page.url()).pathname)).toBe(address)
  const check = locale === languages[0].code ? expectNoAxeViolations : expectNoAxeViolationsButColors
  await test.step(address, () => check(page))
  expect(await cutHeaders(page), address).toEqual([])
  expect(await cutHints(page), address).toEqual([])
  if ((await page.locator('table').count()) === 0) return
  await page.setViewportSize({ width: 768, height: 900 })
  await expect.poll(() => cutTimes(page), `${address} at 768 px`).toEqual([])
  expect(Math.max(0, ...(await tableOverflow(page))), `${address} at 768 px`).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
}

for (const { code: locale } of languages) {
  test.describe(`axe finds no problems in ${locale} on any page`, () => {
    test.use({ locale })

    for (const who of readers) {
      test(`of ${who}s`, async ({ app, page, owner, context }) => {
        const busy = await fillApp(app, owner)
        const { registrationToken } = await newReseller(app, owner)
        if (who === 'administrator') {
          await makeAdmin(app, owner)
          await newFailedJob(app, { error: 'The statement timed out' })
        } else if (who !== 'owner') await context.clearCookies()
        if (who === 'reseller') await signIn(context, app, busy.reseller.visitor)
        const addresses = addressesOf(who, busy, registrationToken)
        // Owner pages explain to an administrator what owners are.
        if (who === 'administrator') addresses.push(paths.licenses())
        expect(addresses.length).toBeGreaterThanOrEqual(4)
        const requests = new PendingRequests(page)
        for (const address of addresses) await expectAccessible(page, requests, address, locale)
      })
    }
  })
}
