const isCut = (element: Element) =>
  element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX !== 'visible'

/** Shows truncated text in a tooltip, unless the cell's content has its own. */
export function showWhole({ currentTarget: cell }: { currentTarget: HTMLElement }): void {
  const needsTitle =
    cell.querySelector('[title], time') === null && [cell, ...cell.querySelectorAll('*')].some((each) => isCut(each))
  if (needsTitle) cell.title = cell.textContent
  else cell.removeAttribute('title')
}
