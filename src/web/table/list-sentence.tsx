import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { createContext, useContext, useId, useLayoutEffect, useState } from 'react'
import { createStore, type Store, useStore } from '../browser/store.ts'
import type { Column } from './column.ts'
import type { TableList } from './table-list.ts'
import type { TableSort } from './table-params.ts'

type Phrases = ReadonlyMap<string, string | undefined>

/** What the filters of a table say about its rows, in their order. */
export const FilterPhrases = createContext<Store<Phrases> | undefined>(undefined)

export function useFilterPhrases(): Store<Phrases> {
  return useState(() => createStore<Phrases>(new Map()))[0]
}

/** Adds a filter to the sentence of its table; `undefined` while it is off. */
export function useFilterPhrase(phrase: string | undefined): void {
  const phrases = useContext(FilterPhrases)
  const id = useId()
  useLayoutEffect(() => phrases?.set(new Map(phrases.get()).set(id, phrase)), [phrases, id, phrase])
  // Only a filter that is gone loses its place.
  useLayoutEffect(() => () => phrases?.set(new Map([...phrases.get()].filter(([key]) => key !== id))), [phrases, id])
}

const listOf = (names: readonly string[]) => new Intl.ListFormat(i18n.locale, { type: 'disjunction' }).format(names)

/** "used or banned": names of states that go on a sentence. */
export const statesPhrase = (names: readonly string[]): string =>
  listOf(names.map((name) => (/^.\p{Lu}/u.test(name) ? name : name.charAt(0).toLocaleLowerCase() + name.slice(1))))

/** "level “Basic”" */
export function valuesPhrase(label: string, names: readonly string[]): string {
  const [filter, values] = [statesPhrase([label]), listOf(names.map((name) => t`“${name}”`))]
  return t`${filter} ${values}`
}

const times = new Set(['created', 'date', 'time'])

function orderPhrase<R>(sort: TableSort | undefined, columns: readonly Column<R>[], newestFirst: boolean) {
  if (!sort) return newestFirst ? t`newest first` : undefined
  if (times.has(sort.id)) return sort.descending ? t`newest first` : t`oldest first`
  const header = columns.find(({ id }) => id === sort.id)?.header
  if (header === undefined) return undefined
  const column = statesPhrase([header])
  return sort.descending ? t`sorted by ${column}, descending` : t`sorted by ${column}`
}

interface ListSentenceProps<R> {
  label: string
  list: TableList<R>
  columns: readonly Column<R>[]
  phrases: Store<Phrases>
  newestFirst: boolean
}

/** Says which rows a narrowed or sorted list shows, in its order, and how many: "Licenses, used, newest first: 312". */
export function ListSentence<R>({ label, list, columns, phrases, newestFirst }: ListSentenceProps<R>) {
  const { state, rows, total, isMore, view } = list
  const { search, sort, isFiltered } = state
  const filters = [...useStore(phrases).values()]
  const order = orderPhrase(sort, columns, newestFirst)
  const found = search === '' ? undefined : t`containing “${search}”`
  const said = [label, ...filters, found, order].filter((part) => part !== undefined).join(', ')
  const count = total.toLocaleString(i18n.locale)
  const sentence = isMore ? t`${said}: more than ${count}` : t`${said}: ${count}`
  // While other rows load, those in view are still the ones that the sentence before is about.
  const [shown, setShown] = useState(sentence)
  const isOfRows = view.mismatch === 'none'
  if (isOfRows && shown !== sentence) setShown(sentence)
  if (rows === undefined || total === 0 || (!isFiltered && sort === undefined)) return null
  return (
    <p
      data-print="no"
      className="-mt-1.5 mb-2.5 truncate text-meta text-text-3 max-sm:mt-0 max-sm:mb-1.5"
      title={shown}
    >
      {shown}
    </p>
  )
}
