const start = /^[\p{White_Space}\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]+/u
const isEdge = /[\p{White_Space}\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/u

/** A license key without the white space, line ends, and invisible characters that come with pasting it. */
export function trimKey(key: string): string {
  const rest = key.replace(start, '')
  let end = rest.length
  // Not a pattern: one that is anchored at the end takes quadratic time for spaces in the middle.
  while (end > 0 && isEdge.test(rest[end - 1] ?? '')) end--
  return rest.slice(0, end)
}
