import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Tracks the pending requests of a page. */
export class PendingRequests {
  readonly #page: Page
  readonly #pending = new Set<unknown>()

  constructor(page: Page) {
    this.#page = page
    // An event stream stays open.
    page.on('request', (request) => request.resourceType() !== 'eventsource' && this.#pending.add(request))
    page.on('requestfinished', (request) => this.#pending.delete(request))
    page.on('requestfailed', (request) => this.#pending.delete(request))
  }

  /** Resolves when all replies have arrived and are rendered, also those that others led to. */
  async settled(): Promise<void> {
    do {
      // The set is of this process: to look at it often costs nothing.
      await expect.poll(() => this.#pending.size, { intervals: [20] }).toBe(0)
      await this.#page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      )
    } while (this.#pending.size > 0)
  }
}
