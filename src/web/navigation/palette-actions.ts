import { useEffect } from 'react'
import { createStore } from '../browser/store.ts'

export interface PaletteAction {
  label: string
  /** ID of the shortcut that does the same. */
  shortcut?: string
  run: () => void
}

/** Command palette entries of the current page. */
export const paletteActionsStore = createStore<readonly PaletteAction[]>([])

/** Several parts of a page have entries. */
const parts = new Set<readonly PaletteAction[]>()

const publish = () => paletteActionsStore.set([...parts].flat())

/** `actions` must be memoized; they are removed with the component. */
export function usePaletteActions(actions: readonly PaletteAction[]) {
  useEffect(() => {
    parts.add(actions)
    publish()
    return () => {
      parts.delete(actions)
      publish()
    }
  }, [actions])
}
