import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export const tabListStyle = '-mx-1 -mt-1 mb-2 flex gap-0.5 overflow-x-auto p-1'

/** Of a tab, and of a link between pages that look like tabs. */
export const tabStyle = [
  'flex h-7.5 shrink-0 items-center rounded-md px-2.5 text-ui text-text-2 hover:text-text pointer-coarse:h-11',
  'data-[state=active]:bg-surface-2 data-[state=active]:font-medium data-[state=active]:text-text',
  'aria-[current=page]:bg-surface-2 aria-[current=page]:font-medium aria-[current=page]:text-text',
].join(' ')

export interface Tab {
  value: string
  label: ReactNode
  content: ReactNode
}

export interface TabsProps {
  label: string
  tabs: readonly Tab[]
  value: string
  onChange: (value: string) => void
}

export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onChange}>
      <Radix.List aria-label={label} className={tabListStyle}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} value={tab.value} className={tabStyle}>
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} tabIndex={-1}>
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
