import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

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

/** The tab that a key leads to, as in the ARIA pattern of tabs: arrows wrap around. */
const nextTab: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at, last) => (at === 0 ? last : at - 1),
  ArrowRight: (at, last) => (at === last ? 0 : at + 1),
  Home: () => 0,
  End: (_, last) => last,
}

/** Keys move the focus and the selection together. Only the content of the selected tab is rendered. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const tabId = (tab: Tab) => `${id}tab-${tab.value}`
  const contentId = (tab: Tab) => `${id}content-${tab.value}`
  const select = (next: string) => next !== value && onChange(next)
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const next = nextTab[event.key]?.(at, tabs.length - 1)
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    event.preventDefault()
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
    const tab = tabs[next]
    if (tab) select(tab.value)
  }
  return (
    <div>
      <div ref={list} role="tablist" aria-label={label} className={tabListStyle}>
        {tabs.map((tab, at) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={tabId(tab)}
            aria-selected={tab.value === value}
            aria-controls={contentId(tab)}
            data-state={tab.value === value ? 'active' : 'inactive'}
            tabIndex={tab.value === value ? 0 : -1}
            className={tabStyle}
            onClick={() => select(tab.value)}
            onKeyDown={(event) => onKeyDown(event, at)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={contentId(tab)}
          aria-labelledby={tabId(tab)}
          hidden={tab.value !== value}
          tabIndex={-1}
        >
          {tab.value === value && tab.content}
        </div>
      ))}
    </div>
  )
}
