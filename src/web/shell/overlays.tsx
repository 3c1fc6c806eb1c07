import { t } from '@lingui/core/macro'
import { lazy, Suspense } from 'react'
import { reauthStore } from '../reauth.ts'
import { useShortcuts } from '../shortcuts.ts'
import { createStore, useStore } from '../store.ts'
import type { NavItem } from './nav-items.tsx'

export const paletteStore = createStore(false)
export const sheetStore = createStore(false)

export const loadPalette = () => import('./command-palette.tsx')
const CommandPalette = lazy(() => loadPalette().then((module) => ({ default: module.CommandPalette })))
const ShortcutSheet = lazy(() => import('./shortcut-sheet.tsx').then((module) => ({ default: module.ShortcutSheet })))

const ReauthDialog = lazy(() => import('./reauth-dialog.tsx').then((module) => ({ default: module.ReauthDialog })))

/** The palette and the sheet of shortcuts: loaded when first opened. */
export function Overlays({ pages }: { pages: readonly NavItem[] }) {
  const paletteOpen = useStore(paletteStore)
  const sheetOpen = useStore(sheetStore)
  const asksPassword = useStore(reauthStore) !== undefined
  const group = t`General`
  useShortcuts([
    {
      id: 'palette',
      keys: 'mod+k',
      label: t`Command palette`,
      group,
      run: () => paletteStore.set(!paletteStore.get()),
    },
    { id: 'shortcuts', keys: '?', label: t`Keyboard shortcuts`, group, run: () => sheetStore.set(true) },
  ])
  return (
    <Suspense fallback={null}>
      {paletteOpen && <CommandPalette pages={pages} onClose={() => paletteStore.set(false)} />}
      {asksPassword && <ReauthDialog />}
      {sheetOpen && <ShortcutSheet onClose={() => sheetStore.set(false)} />}
    </Suspense>
  )
}
