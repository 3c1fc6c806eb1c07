import { t } from '@lingui/core/macro'
import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useEffect, useRef } from 'react'
import { announce } from '../browser/announce.ts'
import { useStore } from '../browser/store.ts'
import { Button } from '../ui/button.tsx'
import { CheckboxField } from '../ui/checkbox.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { isOptional } from './column-order.ts'
import { viewButton } from './density-menu.tsx'
import type { ColumnChoice } from './preferences.ts'

/** Open on its first render, because the plain button has just been pressed. */
export function ColumnPanel({ choice }: { choice: ColumnChoice<unknown> }) {
  return (
    <Popover.Root defaultOpen>
      <Popover.Trigger aria-label={t`Columns`} className={viewButton}>
        <Columns3 />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={t`Columns`}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-[55] flex max-h-(--radix-popover-content-available-height) w-72 animate-rise flex-col rounded-lg border border-line bg-surface-2 shadow-overlay outline-none"
        >
          <ColumnList choice={choice} />
          <div className="flex justify-end border-t border-line p-2">
            <Button size="sm" variant="ghost" disabled={!choice.reset} onClick={choice.reset}>
              {t`Reset`}
            </Button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function ColumnList({ choice: { columns, visibility, leftOut, toggle, move } }: { choice: ColumnChoice<unknown> }) {
  const optional = columns.filter(isOptional)
  const withoutSpace = useStore(leftOut)
  const pressed = useRef<HTMLElement>(null)
  // A row that is moved in the DOM loses the focus.
  useEffect(() => pressed.current?.focus(), [columns])

  const press = (button: HTMLElement, index: number, by: number) => {
    const column = optional[index]
    const place = index + by + 1
    if (!column || place < 1 || place > optional.length) return
    pressed.current = button
    move(column.id, by)
    const { header: name } = column
    const count = optional.length
    announce(t`${name}: ${place} of ${count}`)
  }
  return (
    <ul className="min-h-0 overflow-y-auto p-1">
      {optional.map(({ id, header }, index) => (
        <li key={id} className="flex min-h-8 items-center gap-1 rounded-sm pl-2 hover:bg-surface-3">
          <div className="min-w-0 grow">
            <CheckboxField
              label={header}
              help={withoutSpace.includes(id) && t`No space at this width`}
              checked={visibility[id] !== false}
              onChange={() => toggle(id)}
            />
          </div>
          <IconButton
            size="sm"
            label={t`Move ${header} up`}
            icon={<ArrowUp />}
            disabled={index === 0}
            onClick={(event) => press(event.currentTarget, index, -1)}
          />
          <IconButton
            size="sm"
            label={t`Move ${header} down`}
            icon={<ArrowDown />}
            disabled={index === optional.length - 1}
            onClick={(event) => press(event.currentTarget, index, 1)}
          />
        </li>
      ))}
    </ul>
  )
}
