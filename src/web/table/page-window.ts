export const maxPageButtons = 5

/** At most five page numbers around the current one, within the valid range. */
export function pageWindow(page: number, pages: number, size = maxPageButtons): number[] {
  const length = Math.min(size, pages)
  const first = Math.min(Math.max(page - Math.floor(size / 2), 1), Math.max(pages - length + 1, 1))
  return Array.from({ length }, (_, index) => first + index)
}
