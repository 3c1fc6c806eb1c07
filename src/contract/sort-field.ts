import { Type } from 'typebox'

/** A column, or the same with a minus for descending order. */
export type SortBy<C extends string> = C | `-${C}`

/** The order of a list: one of its columns, ascending, or descending with a minus. */
export const sortField = <const C extends string>(columns: readonly C[]) =>
  Type.Optional(
    Type.Unsafe<SortBy<C>>(
      Type.Union(
        columns.flatMap((column) => [Type.Literal(column), Type.Literal(`-${column}`)]),
        { description: 'Ascending, or descending with `-`' },
      ),
    ),
  )

interface ReadSort<C extends string> {
  column: C
  descending: boolean
}

export const readSort = <C extends string>(sort: SortBy<C>): ReadSort<C> =>
  sort.startsWith('-') ? { column: sort.slice(1) as C, descending: true } : { column: sort as C, descending: false }
