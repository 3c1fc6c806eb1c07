const maxLevels = 20

/** The levels of a filter in the URL, which may contain anything, as the calls take them: `1,2`. */
export function levelFilter(text: string | undefined): string | undefined {
  const levels = (text ?? '').split(',').filter((level) => /^[1-9][0-9]{0,6}$/.test(level))
  return [...new Set(levels)].slice(0, maxLevels).join(',') || undefined
}
