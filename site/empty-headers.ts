import type { HastPluginEntry } from 'satteri'

/** A header cell without a text is no header: screen readers would announce an empty one. */
export const emptyHeaders: HastPluginEntry = {
  name: 'empty-headers',
  element: {
    filter: ['th'],
    visit(node, context) {
      if (context.textContent(node).trim() !== '') return
      context.replaceNode(node, { type: 'element', tagName: 'td', properties: {}, children: [] })
    },
  },
}
