import type { Page } from '@playwright/test'

export interface ShownText {
  /** The whole text between two elements, which React may split into several nodes. */
  text: string
  nodes: string[]
  where: string
}

/**
 * Records all texts a page shows from its next load on, even briefly, because toasts may disappear before they are
 * checked.
 */
export async function recordTexts(page: Page): Promise<() => readonly ShownText[]> {
  const shown = new Map<string, ShownText>()
  await page.exposeFunction('recordText', (one: ShownText) => void shown.set(one.text, shown.get(one.text) ?? one))
  await page.addInitScript(watchTexts)
  return () => [...shown.values()]
}

/** Runs in the browser. */
function watchTexts() {
  const { recordText } = globalThis as unknown as { recordText: (one: ShownText) => Promise<void> }
  const attributes = [
    'aria-label',
    'aria-description',
    'aria-roledescription',
    'aria-valuetext',
    'placeholder',
    'title',
    'alt',
    'label',
  ]
  const elsewhere =
    'script, style, noscript, template, code, pre, kbd, textarea, [translate=no], [lang=en], body [lang=pt-BR]'
  const known = new Set<string>()

  const record = (text: string, nodes: string[], element: Element, attribute = '') => {
    if (!/\p{L}/u.test(text) || known.has(text)) return
    known.add(text)
    const path = [element.parentElement?.parentElement, element.parentElement, element]
    const names = path.map((each) => each && `${each.localName}${each.role ? `[${each.role}]` : ''}`)
    void recordText({ text, nodes, where: `${location.pathname}${location.search} ${names.join('>')} ${attribute}` })
  }
  const readElement = (element: Element) => {
    if (element.closest(elsewhere)) return
    for (const name of attributes) record(element.getAttribute(name) ?? '', [], element, name)
    let nodes: string[] = []
    const end = () => {
      record(nodes.join(''), nodes, element)
      nodes = []
    }
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) nodes.push(node.nodeValue ?? '')
      else if (node.nodeType === Node.ELEMENT_NODE) end()
    }
    end()
  }
  const observer = new MutationObserver((changes) => {
    const elements = new Set<Element>()
    for (const { target, addedNodes } of changes) {
      const changed = target instanceof Element ? target : target.parentElement
      if (changed) elements.add(changed)
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue
        elements.add(node)
        for (const inner of node.querySelectorAll('*')) elements.add(inner)
      }
    }
    for (const element of elements) if (element.isConnected) readElement(element)
  })
  observer.observe(document, { childList: true, subtree: true, characterData: true, attributeFilter: attributes })
}
