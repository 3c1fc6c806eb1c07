import { t } from '@lingui/core/macro'
import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { MenuEntry, MenuProps } from './menu-entry.ts'
import { recordMenuChoice } from './use-opener.ts'

const item = [
  'flex min-h-8 cursor-default select-none items-center gap-2.5 rounded-sm px-2 py-1 text-ui outline-none',
  'data-highlighted:bg-surface-3 data-disabled:opacity-50 pointer-coarse:min-h-11',
  '[&_svg]:size-4 [&_svg]:shrink-0',
].join(' ')

function Entry({ entry }: { entry: MenuEntry }) {
  switch (entry.kind) {
    case 'separator':
      return <DropdownMenu.Separator className="my-1 h-px bg-line" />
    case 'heading':
      return <DropdownMenu.Label className="px-2 pt-2 pb-1 text-meta text-text-3">{entry.label}</DropdownMenu.Label>
    case 'link':
      return (
        <DropdownMenu.Item asChild className={item}>
          <a href={entry.href} target="_blank" rel="noreferrer">
            {entry.icon}
            {entry.label}
          </a>
        </DropdownMenu.Item>
      )
    case 'choice': {
      const isCheck = entry.mode === 'check'
      return (
        <DropdownMenu.CheckboxItem
          className={item}
          role={isCheck ? 'menuitemcheckbox' : 'menuitemradio'}
          checked={entry.checked}
          onSelect={(event) => {
            if (isCheck) event.preventDefault()
            entry.onSelect()
          }}
        >
          <span className="flex size-4 items-center justify-center">
            {entry.checked && <Check className="text-accent-text!" />}
          </span>
          <span className="min-w-0 grow">{entry.label}</span>
          {entry.note !== undefined && <span className="pl-3 text-meta text-text-3 tabular-nums">{entry.note}</span>}
        </DropdownMenu.CheckboxItem>
      )
    }
    default:
      return (
        <DropdownMenu.Item
          className={`${item} ${entry.danger ? 'text-danger' : '[&_svg]:text-text-2'}`}
          data-danger={entry.danger || undefined}
          disabled={entry.disabledReason !== undefined}
          onSelect={(event) => {
            recordMenuChoice(event.target as Element)
            entry.onSelect()
          }}
        >
          {entry.icon}
          <span className="min-w-0 grow">
            {entry.label}
            {entry.disabledReason && <span className="block text-meta text-text-2">{entry.disabledReason}</span>}
          </span>
          {entry.shortcut && <kbd className="text-meta text-text-3">{entry.shortcut}</kbd>}
        </DropdownMenu.Item>
      )
  }
}

/** People name some entries, so a label may occur twice. */
const keyOf = (entry: MenuEntry, index: number) => `${index} ${'label' in entry ? entry.label : ''}`

/** Open on its first render, because the plain button has just been pressed. */
export function MenuPanel(props: MenuProps) {
  const { label, entries, children, className, align = 'end', header, onOpen } = props
  return (
    <DropdownMenu.Root modal={false} defaultOpen onOpenChange={(isOpen) => isOpen && onOpen?.()}>
      <DropdownMenu.Trigger aria-label={label} className={className}>
        {children}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        {/* A landmark of its own: portals stand outside the page's. */}
        <section aria-label={t`Menu`}>
          <DropdownMenu.Content
            align={align}
            sideOffset={6}
            collisionPadding={8}
            // The page or dialog that an entry opened may have the focus already.
            onCloseAutoFocus={(event) => document.activeElement !== document.body && event.preventDefault()}
            className="z-[55] max-h-(--radix-dropdown-menu-content-available-height) min-w-44 max-w-80 animate-rise overflow-y-auto rounded-lg border border-line bg-surface-2 p-1 shadow-overlay outline-none"
          >
            {header && <div className="border-b border-line px-2 pt-1.5 pb-2.5 mb-1">{header}</div>}
            {entries().map((entry, index) => (
              <Entry key={keyOf(entry, index)} entry={entry} />
            ))}
          </DropdownMenu.Content>
        </section>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
