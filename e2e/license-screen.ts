import type { Page } from '@playwright/test'
import type { TestApp } from '#testing/start-test-app.ts'
import type { SignedInOwner } from './fixtures.ts'

/** Helpers for the licenses screen. */

export const day = 86_400

export const license = async (owner: SignedInOwner, key: string) => {
  const { body } = await owner.visitor.call('GET /licenses', { query: { search: key, appId: owner.appId } })
  return body.licenses.find((one) => one.license === key)
}

export const redeem = (app: TestApp, key: string, usedBy: string) =>
  app.db.write(({ db: trx }) =>
    trx
      .updateTable('licenses')
      .set({ used: 1, used_by: usedBy, used_at: app.now(), expires_at: app.now() + 30 * day })
      .where('license', '=', key)
      .execute(),
  )

export const select = (page: Page, key: string) => page.getByRole('checkbox', { name: `Select ${key}` }).check()
export const dialog = (page: Page) => page.getByRole('dialog')
export const bulkBar = (page: Page) => page.getByRole('toolbar', { name: 'Actions for selected rows' })
export const stat = (page: Page, name: string) =>
  page.getByRole('list', { name: 'License counts' }).getByRole('button', { name: new RegExp(`^${name} `) })
