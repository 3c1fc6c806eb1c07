const isCut = (element: Element) =>
  element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX !== 'visible'

/** A text that has no room is whole in a tooltip, unless what the cell holds has its own. */
export function showWhole({ currentTarget: cell }: { currentTarget: HTMLElement }): void {
  const needsTitle =
    cell.querySelector('[title], time') === null && [cell, ...cell.querySelectorAll('*')].some((each) => isCut(each))
  if (needsTitle) cell.title = cell.textContent
  else cell.removeAttribute('title')
}
