import { expect, type Page } from '@playwright/test'

/** Toast texts no test has checked yet, because on a slow machine they disappear before they are checked. */
const seenTexts = new WeakMap<Page, string[]>()

/** Starts recording the toasts of the page. */
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

/** Expects a toast with this text, either new or recorded but not checked yet. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  const texts = seenTexts.get(page) ?? []
  const at = () => texts.findIndex((one) => (typeof text === 'string' ? one.includes(text) : text.test(one)))
  // The texts are in this process: to look at them often costs nothing.
  const often = { message: `a toast says ${text}`, intervals: [20] }
  await expect.poll(() => (at() < 0 ? texts : 'shown'), often).toBe('shown')
  texts.splice(at(), 1)
}
