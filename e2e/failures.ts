import { expect, type Locator, type Page } from '@playwright/test'
import type { TestApp } from '#testing/start-test-app.ts'
import { withoutTable } from '#testing/faults/without-table.ts'
import { expectToast } from './toasts.ts'

/** An action that fails on the server, and the message on the screen. */
interface FailingAction {
  says: string
  /** Makes the button visible. */
  open?: () => Promise<unknown>
  /** A button of the open dialog, which shows the error and is then canceled; other buttons show it in a toast. */
  press: string | Locator
  /** Causes the rejection. Without it, all writes fail, because each change needs an audit row. */
  meanwhile?: () => Promise<unknown>
}

const dialog = (page: Page) => page.getByRole('dialog')

/** Runs the actions in sequence on the current page; each must show exactly its text. */
export async function expectFailures(app: TestApp, page: Page, actions: readonly FailingAction[]): Promise<void> {
  for (const { says, open, press, meanwhile } of actions) {
    await open?.()
    const inDialog = typeof press === 'string'
    const button = inDialog ? dialog(page).getByRole('button', { name: press, exact: true }) : press
    // A dialog may still be opening.
    await expect(button).toBeEnabled()
    const failOnce = async () => {
      await button.click()
      if (inDialog) await expect(dialog(page).getByRole('alert'), says).toHaveText(says)
      else await expectToast(page, exactly(says))
    }
    if (meanwhile) {
      await meanwhile()
      await failOnce()
    } else await withoutTable(app.db, 'audit', failOnce)
    if (!inDialog) continue
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog(page)).toBeHidden()
  }
}

/** Lists whose table is missing show an error in place of the rows, with the ID of the request. */
export async function expectLoadFailures(
  app: TestApp,
  page: Page,
  screens: readonly { table: string; open: () => Promise<unknown>; says: string }[],
): Promise<void> {
  for (const { table, open, says } of screens) {
    await withoutTable(app.db, table, async () => {
      await open()
      await expect(page.getByText(says, { exact: true }), says).toBeVisible()
      await expect(page.getByRole('alert').filter({ hasText: says }), says).toContainText(/Request \S+/)
    })
  }
}

const exactly = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`, 'u')
