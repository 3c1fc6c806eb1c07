import { expect, type Page } from '@playwright/test'

/** What the toasts of a page said and no test has asked for yet: on a slow machine they leave before one looks. */
const seenTexts = new WeakMap<Page, string[]>()

/** From now on each toast of the page is recorded. */
export async function recordToasts(page: Page): Promise<void> {
  const texts: string[] = []
  seenTexts.set(page, texts)
  await page.exposeFunction('recordToast', (text: string) => void texts.push(text))
  await page.addInitScript(() => {
    const { recordToast } = globalThis as unknown as { recordToast: (text: string) => Promise<void> }
    const recorded = new WeakSet<Element>()
    new MutationObserver(() => {
      for (const toast of document.querySelectorAll('[data-print=no] > :is([role=status], [role=alert]) p')) {
        if (recorded.has(toast)) continue
        recorded.add(toast)
        void recordToast(toast.textContent)
      }
    }).observe(document, { childList: true, subtree: true })
  })
}

/** A toast with this text appears, or did and no test has asked for it. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  const texts = seenTexts.get(page) ?? []
  const at = () => texts.findIndex((one) => (typeof text === 'string' ? one.includes(text) : text.test(one)))
  await expect.poll(() => (at() < 0 ? texts : 'shown'), { message: `a toast says ${text}` }).toBe('shown')
  texts.splice(at(), 1)
}
