import { useSyncExternalStore } from 'react'

/** Bold enough for names; the size of the smallest text in cells. */
const font = "500 13px 'Geist'"
const root = getComputedStyle(document.documentElement)

let context: CanvasRenderingContext2D | null | undefined
const widths = new Map<string, number>()
const maxWidths = 5000

/** Width of a text in a cell, in px, in the font that the page has now. */
export function textWidth(text: string): number {
  const known = widths.get(text)
  if (known !== undefined) return known
  context ??= document.createElement('canvas').getContext('2d')
  if (!context) return 0
  context.font = font
  context.fontKerning = 'none'
  const width = context.measureText(text).width * (parseFloat(root.getPropertyValue('--text-ui')) / 13 || 1)
  if (widths.size >= maxWidths) widths.clear()
  widths.set(text, width)
  return width
}

function subscribe(listener: () => void) {
  const onLoaded = () => {
    widths.clear()
    listener()
  }
  document.fonts.addEventListener('loadingdone', onLoaded)
  return () => document.fonts.removeEventListener('loadingdone', onLoaded)
}

/** Whether the font of the page is there: before, texts have other widths. */
export const useHasFont = () => useSyncExternalStore(subscribe, () => document.fonts.check(font))
