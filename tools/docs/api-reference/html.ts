/** HTML within Markdown. A blank line would end it, so there is none. */

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (mark) => entities[mark] ?? mark)

/** Long paths, names, and codes break at their marks. */
export const withBreaks = (text: string): string => escaped(text).replaceAll(/([/.[_])(?=\w|\{|\])/g, '$1<wbr>')

/** A text whose only marks are those of code. */
export const withCode = (text: string): string => escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

export interface Row {
  /** HTML. */
  head: string
  /** HTML. */
  cells: string[]
}

export function htmlTable(caption: string, head: readonly string[], rows: readonly Row[]): string {
  const headers = head.map((each) => `<th scope="col">${escaped(each)}</th>`).join('')
  const lines = rows.map(
    (row) => `<tr><th scope="row">${row.head}</th>${row.cells.map((each) => `<td>${each}</td>`).join('')}</tr>`,
  )
  return [
    '<table class="api-table">',
    `<caption>${escaped(caption)}</caption>`,
    `<thead><tr>${headers}</tr></thead>`,
    '<tbody>',
    ...lines,
    '</tbody></table>',
  ].join('\n')
}
