import type { MouseEvent } from 'react'

/**
 * A click on a control inside the row is for that control, and dragging over text selects it. React also bubbles clicks
 * in the row's menu to the row, although the menu is rendered elsewhere.
 */
export const isForRow = (event: MouseEvent) =>
  event.currentTarget.contains(event.target as Node) &&
  (event.target as HTMLElement).closest('a, button, input, select, textarea, label') === null &&
  window.getSelection()?.isCollapsed !== false
