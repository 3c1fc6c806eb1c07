const formats = new Map<string, Intl.NumberFormat>()

function percent(lang: string): Intl.NumberFormat {
  const made = formats.get(lang) ?? new Intl.NumberFormat(lang, { style: 'percent', maximumFractionDigits: 0 })
  formats.set(lang, made)
  return made
}

/** `46%`; a part that is there is never 0%, and one that isn't all is never 100%. */
export function shareText(part: number, all: number, lang: string): string {
  const share = all === 0 ? 0 : part / all
  if (part > 0 && share < 0.01) return `<${percent(lang).format(0.01)}`
  if (part < all && share > 0.99) return `>${percent(lang).format(0.99)}`
  return percent(lang).format(share)
}

/** `8%`, `<1%`, `1,250%`: the size of a change, without its sign. */
export function changeText(count: number, before: number, lang: string): string {
  const size = Math.abs(count - before) / before
  if (size > 0 && size < 0.01) return `<${percent(lang).format(0.01)}`
  // Almost nothing left is not nothing.
  if (count > 0 && count < before && size > 0.99) return `>${percent(lang).format(0.99)}`
  return percent(lang).format(size)
}
