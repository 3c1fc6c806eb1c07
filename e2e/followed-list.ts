import { expect, type Page } from '@playwright/test'
import { eventStreams } from '#server/http/event-stream.ts'
import { newLicenses } from '#testing/people/people.ts'
import type { TestApp } from '#testing/start-test-app.ts'
import type { SignedInOwner } from './fixtures.ts'

/** Lists that follow what others change. */

export const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

export const keys = (page: Page) =>
  page.locator('tbody tr').evaluateAll((rows) => rows.map((each) => each.dataset['row']))

export const show = (page: Page) => page.getByRole('button', { name: /new Show$/ })

export const isFollowing = (app: TestApp, count = 1) => expect.poll(() => eventStreams(app.services).size).toBe(count)

/** Also after another app was selected. */
export const ban = ({ visitor, appId }: SignedInOwner, licenseKey: string) =>
  visitor.call('POST /toggle_ban_license', { body: { licenseKey, appId } })

/** Newest first, as the list has them. */
export async function created(owner: SignedInOwner, amount: number): Promise<string[]> {
  await newLicenses(owner, amount)
  const { body } = await owner.visitor.call('GET /licenses', { query: { page: 1, limit: 100 } })
  return body.licenses.map(({ license }) => license)
}

/** As when somebody switches to another tab, and back. */
export const setVisibility = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, state)
