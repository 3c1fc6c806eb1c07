/**
 * Text of the server and of its customers. A terminal executes control characters, and characters that change the
 * direction of text make one name look like another, so both are shown as escapes.
 */

const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu
const names: Record<string, string> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` }

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x100) return names[character] ?? `\\x${code.toString(16).padStart(2, '0')}`
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`
}

export const printable = (text: string): string => text.replace(unsafe, escapeOf)

/** For texts of several lines. */
export const printableLines = (text: string): string =>
  text.replace(unsafe, (character) => (character === '\n' || character === '\t' ? character : escapeOf(character)))

/** The same document: JSON has escapes of its own for the characters that it allows in texts. */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(unsafe, (character) =>
    character === '\n'
      ? character
      : [...Array(character.length).keys()]
          .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join(''),
  )

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

function widthOfCharacter(character: string): number {
  if (/^\p{M}/u.test(character)) return 0
  return wide.test(character) ? 2 : 1
}

/** Columns that a text takes in a terminal. */
export const widthOf = (text: string): number =>
  [...text].reduce((width, character) => width + widthOfCharacter(character), 0)

/** At most `width` columns, with `…` where something is missing. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let taken = 1
  for (const character of text) {
    taken += widthOfCharacter(character)
    if (taken > width) break
    kept += character
  }
  return `${kept}…`
}
