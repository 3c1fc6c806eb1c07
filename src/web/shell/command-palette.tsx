import { t } from '@lingui/core/macro'
import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ComponentType, useCallback, useRef, useState } from 'react'
import { paths } from '../navigation/paths.ts'
import { useOpener } from '../ui/use-opener.ts'
import type { NavItem } from './nav-items.tsx'
import type { PaletteFinderProps } from './palette-items.tsx'
import { PagePaletteActions, PalettePages } from './palette-pages.tsx'
import { PaletteApps, PalettePreferences } from './palette-preferences.tsx'
import { PaletteRecent } from './palette-recent.tsx'

interface CommandPaletteProps {
  /** Pages of the current area. */
  pages: readonly NavItem[]
  finder?: ComponentType<PaletteFinderProps> | undefined
  onClose: () => void
}

export function CommandPalette({ pages, finder: Finder, onClose }: CommandPaletteProps) {
  const label = t`Command palette`
  const focusOpener = useOpener()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState('')
  // What is found later is chosen, unless another entry was chosen meanwhile.
  const hasChosen = useRef(false)
  const type = (typed: string) => {
    hasChosen.current = false
    setText(typed)
  }
  const onFound = useCallback(
    (label: string) => {
      if (!hasChosen.current) setChosen(label)
    },
    [setChosen],
  )
  const search = text.trim()
  const isOwnerArea = pages.some(({ to }) => to === paths.licenses())
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 animate-fade bg-[rgb(0_0_0/60%)]" />
        <Dialog.Content
          aria-label={label}
          aria-describedby={undefined}
          className="fixed inset-x-3 top-3 z-50 mx-auto max-w-[600px] animate-rise overflow-hidden rounded-lg border border-line bg-surface-2 shadow-overlay outline-none md:top-[14vh]"
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            focusOpener()
          }}
        >
          <Command
            label={label}
            value={chosen}
            onValueChange={setChosen}
            onKeyDown={({ key }) => {
              if (key === 'ArrowDown' || key === 'ArrowUp') hasChosen.current = true
            }}
          >
            <label className="flex items-center gap-3 border-b border-line px-4">
              <Search className="size-4 shrink-0 text-text-3" />
              <Command.Input
                value={text}
                onValueChange={type}
                placeholder={placeholder(Finder !== undefined, isOwnerArea)}
                className="h-12 w-full bg-transparent text-section outline-none"
              />
            </label>
            <Command.List label={t`Results`} className="max-h-[min(420px,60dvh)] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-8 text-center text-ui text-text-2">{t`No results`}</Command.Empty>
              {Finder && <Finder search={search} onFound={onFound} onClose={onClose} />}
              {isOwnerArea && search === '' && <PaletteRecent onClose={onClose} />}
              <PagePaletteActions onClose={onClose} />
              <PalettePages pages={pages} search={search} onClose={onClose} />
              <PaletteApps onClose={onClose} />
              <PalettePreferences onClose={onClose} />
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function placeholder(finds: boolean, isOwnerArea: boolean): string {
  if (!finds) return t`Go to a page, change the theme`
  return isOwnerArea ? t`Paste a key, name, HWID or IP, or go to a page` : t`Find an owner, or go to a page`
}
