import type { Page } from '@playwright/test'
import { isPortuguese, pt } from './catalog.ts'
import { expect, test as base } from './fixtures.ts'
import { PendingRequests } from './pending-requests.ts'
import { recordTexts } from './shown-texts.ts'

/** A Portuguese-speaking user: all text of the dashboard must be in the Portuguese catalog. */
class Reader {
  readonly #page: Page
  readonly #texts: Awaited<ReturnType<typeof recordTexts>>
  readonly #requests: PendingRequests
  /** User input and generated values, which have no language. */
  readonly data = new Set<string>()

  private constructor(page: Page, texts: Awaited<ReturnType<typeof recordTexts>>) {
    this.#page = page
    this.#texts = texts
    this.#requests = new PendingRequests(page)
  }

  static async at(page: Page): Promise<Reader> {
    return new Reader(page, await recordTexts(page))
  }

  get dialog() {
    return this.#page.getByRole('dialog').last()
  }

  /** Resolves when all replies have arrived and are rendered. */
  settled() {
    return this.#requests.settled()
  }

  /** Navigates like a link in the page. */
  async go(address: string) {
    await this.#page.evaluate((to) => history.pushState(null, '', to), address)
    await this.settled()
  }

  async openDialog(address: string) {
    await this.go(address)
    await expect(this.dialog, address).toBeVisible()
    await this.settled()
  }

  async submit() {
    await this.dialog.locator('button[type=submit]').click()
    await this.settled()
  }

  /** Confirms the dialog and waits until it has closed. */
  async confirm() {
    await this.submit()
    await expect(this.dialog).toBeHidden()
  }

  /** Finds a button by its English name; `values` fill the placeholders, in the order of the translation. */
  button(message: string, ...values: string[]) {
    const name = values.reduce((text, value) => text.replace(/\{\w+\}/, () => value), pt(message))
    return this.#page.getByRole('button', { name, exact: true }).first()
  }

  field(message: string) {
    return this.dialog.getByLabel(pt(message), { exact: true }).first()
  }

  /** Opens all menus and panels of the page; row menus only of the first `rows` rows. */
  async openMenus(rows = 0) {
    const buttons = this.#page.locator('main :is([aria-haspopup=menu], [aria-haspopup=dialog]):not(:is(tbody, li) *)')
    const rowButtons = this.#page.locator('main tbody [aria-haspopup=menu]')
    await expect(
      rowButtons
        .nth(rows - 1)
        .or(buttons.first())
        .first(),
    ).toBeVisible()
    const all = [...(await buttons.all()), ...(await rowButtons.all()).slice(0, rows)]
    for (const one of all) await this.openMenu(one)
  }

  async openMenu(trigger: ReturnType<Page['locator']>) {
    await trigger.click()
    const panel = this.#page.locator(':is([role=menu], [role=dialog])').last()
    await expect(panel).toBeVisible()
    await this.#page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
  }

  async shows(message: string) {
    await expect(this.#page.getByText(pt(message)).first()).toBeAttached()
  }

  /** All texts shown so far that are not Portuguese, with their location. */
  foreign(): string[] {
    const isKnown = (text: string) => isPortuguese(text, this.data)
    return this.#texts()
      .filter(({ text, nodes }) => !isKnown(text) && !(nodes.length > 1 && nodes.every(isKnown)))
      .map(({ text, where }) => `${JSON.stringify(text)} at ${where}`)
  }
}

export const test = base.extend<{ reader: Reader }>({
  reader: async ({ page, owner }, use) => {
    const reader = await Reader.at(page)
    const { username, appName } = owner
    for (const one of [username, `${username}@example.com`, appName, 'Basic']) reader.data.add(one)
    reader.data.add(username.slice(0, 2).toUpperCase())
    await use(reader)
    expect(reader.foreign()).toEqual([])
  },
})
