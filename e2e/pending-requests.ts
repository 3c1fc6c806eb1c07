import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Tracks the pending requests of a page. */
export class PendingRequests {
  readonly #page: Page
  readonly #pending = new Set<unknown>()

  constructor(page: Page) {
    this.#page = page
    page.on('request', (request) => this.#pending.add(request))
    page.on('requestfinished', (request) => this.#pending.delete(request))
    page.on('requestfailed', (request) => this.#pending.delete(request))
  }

  /** Resolves when all replies have arrived and are rendered. */
  async settled(): Promise<void> {
    await expect.poll(() => this.#pending.size).toBe(0)
    await this.#page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    await expect.poll(() => this.#pending.size).toBe(0)
  }
}
