import type { Page } from '@playwright/test'

/** Names of columns of which less than the whole is shown. */
export const cutHeaders = (page: Page) =>
  page.locator('thead th').evaluateAll((headers) =>
    headers.flatMap((header) => {
      const isCut = [header, ...header.querySelectorAll('*')].some((each) => each.scrollWidth > each.clientWidth + 1)
      return isCut && !header.querySelector('.sr-only') ? [header.textContent] : []
    }),
  )

/** Times of which less than the words and, where it is promised, the date is shown. */
export const cutTimes = (page: Page) =>
  page.locator('tbody tr[data-row] time').evaluateAll((times) =>
    times.flatMap((time) => {
      const [first] = time.children
      return first && first.scrollWidth > first.clientWidth ? [time.textContent] : []
    }),
  )

/** Badges that leave the padding of their cell. */
export const cutBadges = (page: Page) =>
  page.locator('tbody tr[data-row] td').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const edge = cell.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(cell).paddingRight)
      const badges = [...cell.querySelectorAll('.badge')]
      return badges.filter((badge) => badge.getBoundingClientRect().right > edge + 1).map((badge) => badge.textContent)
    }),
  )

/** By how many px tables scroll sideways. */
export const tableOverflow = (page: Page) =>
  page
    .locator('table')
    .evaluateAll((tables) =>
      tables.map(({ parentElement: frame }) => (frame?.scrollWidth ?? 0) - (frame?.clientWidth ?? 0)),
    )
