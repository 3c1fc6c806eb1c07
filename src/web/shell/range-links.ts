import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { selectedAppStore } from '../api/app-selection.ts'
import { createStore, useStore } from '../browser/store.ts'
import type { RangeSearch, Visited } from './chosen-range.ts'

/** Gives the parameters with which a page shows the period chosen in another one. */
const rangeLinksStore = createStore<RangeSearch>(() => ({}))

export const useRangeSearch = (): RangeSearch => useStore(rangeLinksStore)

const loadChosenRange = () => import('./chosen-range.ts')

/** So that links have a period as soon as it is chosen. Never rejects. */
export const preloadChosenRange = () =>
  loadChosenRange().then(
    () => undefined,
    () => undefined,
  )

const period = /\d\.\.\d|T\d\d:00Z$/

/** Notes the period of each address; the code for it is loaded with the first one that has any. */
export function useNotedRange(): void {
  const { pathname: path, search } = useRouterState({ select: ({ location }) => location })
  const app = useStore(selectedAppStore)
  const before = useRef<Visited>(undefined)
  const isNeeded = useRef(false)
  useEffect(() => {
    const visit = { appId: app?.appId, path }
    const previous = before.current
    before.current = visit
    isNeeded.current ||= Object.values(search).some((value) => period.test(String(value)))
    if (!isNeeded.current) return
    // Without a connection, the period stays on its page.
    void loadChosenRange().then(
      ({ noteAddress }) => rangeLinksStore.set(noteAddress(visit, search, previous)),
      () => undefined,
    )
  }, [path, search, app])
}
