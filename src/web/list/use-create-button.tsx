import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { usePaletteActions } from '../navigation/palette-actions.ts'
import { useShortcuts } from '../navigation/shortcuts.ts'
import { Button } from '../ui/button.tsx'
import type { DialogState } from '../navigation/use-dialog.ts'

/** The primary button of the page, its shortcut `n` and its command palette entry: all open `?dialog=create`. */
export function useCreateButton({ open }: DialogState, label: string, group: string, disabledReason?: string) {
  const isOff = disabledReason !== undefined
  const run = useMemo(() => () => void (isOff || open('create')), [open, isOff])
  useShortcuts([{ id: 'create', keys: 'n', label, group, run }])
  usePaletteActions(useMemo(() => [{ label, shortcut: 'create', run }], [label, run]))
  return (
    <Button variant="primary" icon={<Plus />} onClick={run} disabledReason={disabledReason}>
      {label}
    </Button>
  )
}
