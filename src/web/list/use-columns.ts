import { useMemo } from 'react'
import { localeStore } from '../browser/locale.ts'
import { useStore } from '../browser/store.ts'
import type { Column } from '../table/column.ts'

/** Headers are translated texts, so columns are created once per language. `make` must be at module level. */
export function useColumns<R>(make: (locale: string) => readonly Column<R>[]): readonly Column<R>[] {
  const locale = useStore(localeStore)
  return useMemo(() => make(locale), [make, locale])
}
