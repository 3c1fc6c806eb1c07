import { expect, type Locator, type Page } from '@playwright/test'
import type { TestApp } from '#testing/start-test-app.ts'
import { withoutTable } from '#testing/faults/without-table.ts'
import { expectToast } from './toasts.ts'

/** An act that the server refuses, or fails at, and what the screen says of it. */
interface FailingAct {
  says: string
  /** Brings the button into view. */
  open?: () => Promise<unknown>
  /** A button of the open dialog, which then says it and is canceled; any other button has it said in a toast. */
  press: string | Locator
  /** Why the server refuses. Without it nothing can be written: every change leaves its row in the audit. */
  meanwhile?: () => Promise<unknown>
}

const dialog = (page: Page) => page.getByRole('dialog')

/** Does one after the other on the page as it stands; each says exactly its text. */
export async function expectFailures(app: TestApp, page: Page, acts: readonly FailingAct[]): Promise<void> {
  for (const { says, open, press, meanwhile } of acts) {
    await open?.()
    const inDialog = typeof press === 'string'
    const button = inDialog ? dialog(page).getByRole('button', { name: press, exact: true }) : press
    // A dialog may still be on its way.
    await expect(button).toBeEnabled()
    const act = async () => {
      await button.click()
      if (inDialog) await expect(dialog(page).getByRole('alert'), says).toHaveText(says)
      else await expectToast(page, exactly(says))
    }
    if (meanwhile) {
      await meanwhile()
      await act()
    } else await withoutTable(app.db, 'audit', act)
    if (!inDialog) continue
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog(page)).toBeHidden()
  }
}

/** What is read from a table that is away says so in place of its rows. */
export async function expectLoadFailures(
  app: TestApp,
  page: Page,
  screens: readonly { table: string; open: () => Promise<unknown>; says: string }[],
): Promise<void> {
  for (const { table, open, says } of screens) {
    await withoutTable(app.db, table, async () => {
      await open()
      await expect(page.getByText(says, { exact: true }), says).toBeVisible()
    })
  }
}

const exactly = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`, 'u')
