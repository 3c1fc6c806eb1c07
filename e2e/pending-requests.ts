import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** What a page waits for. */
export class PendingRequests {
  readonly #page: Page
  readonly #pending = new Set<unknown>()

  constructor(page: Page) {
    this.#page = page
    page.on('request', (request) => this.#pending.add(request))
    page.on('requestfinished', (request) => this.#pending.delete(request))
    page.on('requestfailed', (request) => this.#pending.delete(request))
  }

  /** All answers are there and drawn. */
  async settled(): Promise<void> {
    await expect.poll(() => this.#pending.size).toBe(0)
    await this.#page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    await expect.poll(() => this.#pending.size).toBe(0)
  }
}
