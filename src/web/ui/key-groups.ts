/** First and last characters, which people compare. */
export function truncateMiddle(value: string, keep = 8): string {
  return value.length <= keep * 2 + 1 ? value : `${value.slice(0, keep)}…${value.slice(-keep)}`
}

export const truncateEnd = (value: string, keep = 8): string =>
  value.length <= keep + 1 ? value : `${value.slice(0, keep)}…`

/** The text of a group and the separator before it. Joined, they are the original value. */
export function keyGroups(value: string): { text: string; start: number }[] {
  const parts = value.includes('-') ? value.match(/-*[^-]+|-+$/g) : value.match(/.{1,4}/gs)
  let start = 0
  return (parts ?? []).map((text) => {
    const group = { text, start }
    start += text.length
    return group
  })
}
