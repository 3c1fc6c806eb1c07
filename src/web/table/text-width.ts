import { useSyncExternalStore } from 'react'

/** Bold enough for names. */
const fontAt = (size: number) => `500 ${size}px 'Geist'`

let context: CanvasRenderingContext2D | null | undefined
const widths = new Map<string, number>()
const maxWidths = 5000

/** Measures the width of a text in a cell, in px, with the font and its size that the page has now. */
export function textMeasure(): (text: string) => number {
  const size = parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--text-ui')) || 13
  return (text) => widthAtSize(text, size)
}

/** Not scaled from another size: at each, letters are rounded to whole pixels. */
function widthAtSize(text: string, size: number): number {
  const key = `${size} ${text}`
  const known = widths.get(key)
  if (known !== undefined) return known
  context ??= document.createElement('canvas').getContext('2d')
  if (!context) return 0
  context.font = fontAt(size)
  context.fontKerning = 'none'
  const { width } = context.measureText(text)
  if (widths.size >= maxWidths) widths.clear()
  widths.set(key, width)
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
export const useHasFont = () => useSyncExternalStore(subscribe, () => document.fonts.check(fontAt(13)))
