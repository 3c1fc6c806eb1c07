import type { Page } from '@playwright/test'
import { isPortuguese, pt } from './catalogue.ts'
import { expect, test as base } from './fixtures.ts'
import { PendingRequests } from './pending-requests.ts'
import { recordTexts } from './shown-texts.ts'

/** A reader of Portuguese: whatever the dashboard shows is in the Portuguese catalogue. */
class Reader {
  readonly #page: Page
  readonly #texts: Awaited<ReturnType<typeof recordTexts>>
  readonly #requests: PendingRequests
  /** What people typed and the server made: it has no language. */
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

  /** All answers are there and drawn. */
  settled() {
    return this.#requests.settled()
  }

  /** As a link in the page leads there. */
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

  /** Acts, and leaves once the dialog has. */
  async confirm() {
    await this.submit()
    await expect(this.dialog).toBeHidden()
  }

  /** By its English name; `values` stand in the placeholders, in the order of the translation. */
  button(message: string, ...values: string[]) {
    const name = values.reduce((text, value) => text.replace(/\{\w+\}/, () => value), pt(message))
    return this.#page.getByRole('button', { name, exact: true }).first()
  }

  field(message: string) {
    return this.dialog.getByLabel(pt(message), { exact: true }).first()
  }

  /** Opens each menu and panel of the page; of the rows' menus those of `rows` rows. */
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

  /** Each text that was shown so far and is not Portuguese, with its place. */
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
