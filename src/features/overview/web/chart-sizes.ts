/** Sizes of the charts, in pixels, also of what stands in for them while they load. */

export const smallHeight = 132
/** A row of a ranked list, with its gap. */
export const rowHeight = 30
/** The line about further rows. */
export const moreHeight = 18
export const maxRows = 6

/** Two columns of charts in one card, separated by hairlines. */
export const partsGrid =
  'mt-4 grid [&>*]:border-line [&>*:not(:first-child)]:border-t lg:grid-cols-2 lg:[&>*:nth-child(2)]:border-t-0 lg:[&>*:nth-child(even)]:border-l'
