import { Type } from 'typebox'
import { Level } from './level-field.ts'

/** Filters that take one value, or several separated by commas: in a query and in the filter of a bulk action alike. */

export type ListOf<T extends string> = T | `${T},${string}`

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** One of the values, or several separated by commas. */
export function listField<const T extends string>(values: readonly T[]) {
  const value = `(?:${values.map(escaped).join('|')})`
  const names = values.map((each) => `\`${each}\``).join(', ')
  return Type.Unsafe<ListOf<T>>(
    Type.String({
      maxLength: values.join(',').length,
      pattern: `^${value}(?:,${value})*$`,
      description: `${names}, or several of them, separated by commas`,
    }),
  )
}

/** The values of a list, each once. */
export const valuesOf = <T extends string>(list: ListOf<T> | undefined): T[] =>
  list === undefined ? [] : ([...new Set(list.split(','))] as T[])

const maxLevelsInFilter = 20

export type LevelList = number | string

/** A level, or several separated by commas. */
export const LevelListField = Type.Unsafe<LevelList>(
  Type.Union([
    Level,
    Type.String({
      pattern: `^[1-9][0-9]{0,6}(?:,[1-9][0-9]{0,6}){0,${maxLevelsInFilter - 1}}$`,
      description: `Up to ${maxLevelsInFilter} levels, separated by commas`,
    }),
  ]),
)

export const levelsOf = (list: LevelList | undefined): number[] =>
  list === undefined ? [] : [...new Set(String(list).split(',').map(Number))]
