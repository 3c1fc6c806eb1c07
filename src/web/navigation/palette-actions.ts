import { useEffect } from 'react'
import { createStore } from '../browser/store.ts'

export interface PaletteAction {
  label: string
  run: () => void
}

/** Command palette entries of the current page. */
export const paletteActionsStore = createStore<readonly PaletteAction[]>([])

/** `actions` must be memoized; they are removed with the component. */
export function usePaletteActions(actions: readonly PaletteAction[]) {
  useEffect(() => {
    paletteActionsStore.set(actions)
    return () => paletteActionsStore.set([])
  }, [actions])
}
