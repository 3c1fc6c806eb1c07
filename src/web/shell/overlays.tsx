import { t } from '@lingui/core/macro'
import type { ComponentType, ReactNode } from 'react'
import { activityStore } from './activity-store.ts'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { reauthPrompt } from '../api/reauth.ts'
import { useShortcuts } from '../navigation/shortcuts.ts'
import { createStore, useStore } from '../browser/store.ts'
import type { NavItem } from './nav-items.tsx'
import type { PaletteFinderProps } from './palette-items.tsx'

export const paletteStore = createStore(false)
export const sheetStore = createStore(false)

export const CommandPalette = lazyPart(() => import('./command-palette.tsx'), 'CommandPalette', { whenIdle: 'first' })
export const ActivityDrawer = lazyPart(() => import('./activity-drawer.tsx'), 'ActivityDrawer')
const ShortcutSheet = lazyPart(() => import('./shortcut-sheet.tsx'), 'ShortcutSheet')
const ReauthDialog = lazyPart(() => import('./reauth-dialog.tsx'), 'ReauthDialog')

interface OverlaysProps {
  pages: readonly NavItem[]
  finder?: ComponentType<PaletteFinderProps> | undefined
  /** The actions of the account, in the activity drawer. */
  activity?: ReactNode
}

/** The command palette and the list of shortcuts, loaded on first use. */
export function Overlays({ pages, finder, activity }: OverlaysProps) {
  const paletteOpen = useStore(paletteStore)
  const sheetOpen = useStore(sheetStore)
  const asksPassword = useStore(reauthPrompt.question)
  const activityOpen = useStore(activityStore)
  const openActivity = () => activityStore.set(true)
  const closeActivity = () => activityStore.set(false)
  const openSheet = () => sheetStore.set(true)
  const group = t`General`
  useShortcuts([
    {
      id: 'palette',
      keys: 'mod+k',
      label: t`Command palette`,
      group,
      run: () => paletteStore.set(!paletteStore.get()),
    },
    { id: 'activity', keys: 'g y', label: t`Activity`, group: t`Go to`, run: openActivity },
    { id: 'shortcuts', keys: '?', label: t`Keyboard shortcuts`, group, run: openSheet },
  ])
  const openPalette = () => paletteStore.set(true)
  const closePalette = () => paletteStore.set(false)
  const closeSheet = () => sheetStore.set(false)
  return (
    <>
      {paletteOpen && (
        <CommandPalette
          pages={pages}
          finder={finder}
          onClose={closePalette}
          onFailed={closePalette}
          onReopen={openPalette}
        />
      )}
      {asksPassword && <ReauthDialog onFailed={() => reauthPrompt.answer(false)} />}
      {activityOpen && (
        <ActivityDrawer activity={activity} onClose={closeActivity} onFailed={closeActivity} onReopen={openActivity} />
      )}
      {sheetOpen && <ShortcutSheet onClose={closeSheet} onFailed={closeSheet} onReopen={openSheet} />}
    </>
  )
}
