import { useEffect } from 'react'
import { createStore } from '../browser/store.ts'

export interface PaletteAction {
  label: string
  run: () => void
}

/** What the page in view adds to the command palette. */
export const paletteActionsStore = createStore<readonly PaletteAction[]>([])

/** `actions` must be memoised; they leave with the component. */
export function usePaletteActions(actions: readonly PaletteAction[]) {
  useEffect(() => {
    paletteActionsStore.set(actions)
    return () => paletteActionsStore.set([])
  }, [actions])
}
