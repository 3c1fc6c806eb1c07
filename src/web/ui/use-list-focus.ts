import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'
import { focusHeading, isGivingBack } from './use-opener.ts'

const controls = 'button, a[href], input, select, textarea'
const controlsIn = (element: Element) => [...element.querySelectorAll<HTMLElement>(controls)]

interface Focused {
  row: Element
  index: number
  /** Index of the control in the row; -1 for the row itself. */
  control: number
  /** What the list stands in, which may show another text without it. */
  beside: Element | null
  /** By a dialog about the row: without the row, the heading gets it. */
  givenBack: boolean
}

/**
 * When the row that has the focus is removed from a list, the same control of the next row gets it; without another row,
 * the first control beside the list, or else the heading.
 */
export function useListFocus(list: RefObject<HTMLElement | null>, rowSelector = ':scope > li') {
  const focused = useRef<Focused>(undefined)
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>(rowSelector) ?? [])]
  // After each render, because any of them may have removed the row.
  useEffect(() => {
    const { current: left } = focused
    if (left === undefined || left.row.contains(document.activeElement)) return
    focused.current = undefined
    if (left.row.isConnected) return
    if (document.activeElement !== document.body) return
    const next = rows()
      .slice(0, left.index + 1)
      .at(-1)
    const other = next ? controlIn(next, left.control) : left.beside?.isConnected && controlsIn(left.beside)[0]
    const target = !left.givenBack && other
    if (target) target.focus({ preventScroll: true })
    else focusHeading()
  })
  return {
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      const all = rows()
      const index = all.findIndex((row) => row.contains(target))
      const row = all[index]
      const beside = list.current?.parentElement ?? null
      focused.current = row && {
        row,
        index,
        control: controlsIn(row).indexOf(target),
        beside,
        givenBack: isGivingBack(),
      }
    },
    // Not called when the row is removed.
    onBlur: () => {
      focused.current = undefined
    },
  }
}

function controlIn(row: HTMLElement, index: number): HTMLElement | undefined {
  if (index < 0) return row
  const all = controlsIn(row)
  return all[index] ?? all.at(-1)
}
