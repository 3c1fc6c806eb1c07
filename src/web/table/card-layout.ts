import type { Column } from './column.ts'

export interface CardLayout<R> {
  titles: readonly Column<R>[]
  asides: readonly Column<R>[]
  /** The second line. */
  facts: readonly Column<R>[]
  /** In the opened card: the other columns, and those that are shorter above. */
  more: readonly Column<R>[]
}

const maxFacts = 3

/** Where the columns stand in the card of a row; `columns` are those that are shown, and `first` is that of the table. */
export function cardLayout<R>(columns: readonly Column<R>[], first: Column<R> | undefined): CardLayout<R> {
  const placeOf = (column: Column<R>) => column.card ?? (column === first ? 'title' : undefined)
  const inPlace = (...places: Column<R>['card'][]) => columns.filter((column) => places.includes(placeOf(column)))
  const numbered = [...inPlace(1), ...inPlace(2), ...inPlace(3)]
  const others = inPlace(undefined)
  const facts = numbered.length > 0 ? numbered.slice(0, maxFacts) : others.slice(0, maxFacts)
  return {
    titles: inPlace('title'),
    asides: inPlace('aside'),
    facts,
    more: columns.filter((column) => {
      const isWhole = ['title', 'aside'].includes(String(placeOf(column))) || facts.includes(column)
      return placeOf(column) !== 'hidden' && (!isWhole || column.cardCell !== undefined)
    }),
  }
}
