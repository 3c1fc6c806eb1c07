import { useShortcuts } from '../navigation/shortcuts.ts'
import { Button } from '../ui/button.tsx'
import type { MenuAction, MenuEntry } from '../ui/menu-entry.ts'
import { MoreActions } from '../ui/more-actions.tsx'
import { usePanel } from './use-panel.ts'

interface PanelMenuProps {
  /** The menu of the row, which begins with its actions. */
  entries: readonly MenuEntry[]
  /** Number of actions that are buttons; the others are behind "More actions". */
  buttons: number
  /** Group and label of the shortcut `e`, which opens `?action=edit`. */
  group: string
  editLabel: string
}

const isAction = (entry: MenuEntry): entry is MenuAction => entry.kind === undefined || entry.kind === 'action'

/** The actions of a row in its panel. */
export function PanelMenu({ entries, buttons, group, editLabel }: PanelMenuProps) {
  const { setAction } = usePanel()
  useShortcuts([{ id: 'edit-in-panel', keys: 'e', label: editLabel, group, run: () => setAction('edit') }])
  const rest = entries.slice(buttons)
  return (
    <>
      {entries
        .slice(0, buttons)
        .filter(isAction)
        .map(({ label, icon, danger, onSelect }) => (
          <Button key={label} variant={danger ? 'danger' : 'secondary'} icon={icon} onClick={onSelect}>
            {label}
          </Button>
        ))}
      {rest.length > 0 && <MoreActions entries={() => (rest[0]?.kind === 'separator' ? rest.slice(1) : rest)} />}
    </>
  )
}
