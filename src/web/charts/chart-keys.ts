/** Index of the point that a key moves to; undefined for other keys. */
export function pointAfterKey(key: string, from: number, last: number): number | undefined {
  const moves: Record<string, number> = {
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    PageUp: from + 7,
    PageDown: from - 7,
    Home: 0,
    End: last,
  }
  const to = moves[key]
  return to === undefined ? undefined : Math.min(last, Math.max(0, to))
}
