import type { Page } from '@playwright/test'

/** Names of columns of which less than the whole is shown. */
export const cutHeaders = (page: Page) =>
  page.locator('thead th').evaluateAll((headers) =>
    headers.flatMap((header) => {
      const isCut = [header, ...header.querySelectorAll('*')].some((each) => each.scrollWidth > each.clientWidth + 1)
      return isCut && !header.querySelector('.sr-only') ? [header.textContent] : []
    }),
  )

/** Of search boxes that are empty: what can be searched, if less than the whole is shown. */
export const cutHints = (page: Page) =>
  page.getByRole('searchbox').evaluateAll((boxes) =>
    boxes.flatMap((box) => {
      const { placeholder, clientWidth } = box as HTMLInputElement
      const { paddingLeft, paddingRight } = getComputedStyle(box)
      const { font } = getComputedStyle(box, '::placeholder')
      const canvas = document.createElement('canvas').getContext('2d')
      if (!canvas) throw new Error('No canvas')
      canvas.font = font
      const room = clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      return canvas.measureText(placeholder).width > room + 1 ? [placeholder] : []
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
