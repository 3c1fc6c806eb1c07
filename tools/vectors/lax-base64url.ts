const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * Other spellings of a base64url text that a lax decoder reads as the same bytes. Those that the length or the
 * characters of the text don't allow are left out.
 */
export function laxSpellings(text: string): [name: string, spelling: string][] {
  const spellings: [string, string | undefined][] = [
    ['padding', padded(text)],
    ['other unused bits at its end', otherUnusedBits(text)],
    ['+ and / instead of - and _', text.replaceAll('-', '+').replaceAll('_', '/')],
    ['a space in the middle', inserted(text, ' ')],
    ['a tab in the middle', inserted(text, '\t')],
    ['a line end in the middle', inserted(text, '\n')],
    ['an equals sign in the middle', inserted(text, '=')],
    ['a percent-encoded letter', `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`],
  ]
  return spellings.flatMap(([name, spelling]) =>
    spelling === undefined || spelling === text ? [] : [[name, spelling] as [string, string]],
  )
}

const padded = (text: string): string | undefined => {
  const missing = (4 - (text.length % 4)) % 4
  return missing === 0 ? undefined : text + '='.repeat(missing)
}

const inserted = (text: string, character: string): string => {
  const middle = Math.floor(text.length / 2)
  return text.slice(0, middle) + character + text.slice(middle)
}

/** The last character carries 2 or 4 bits that no byte uses; the only correct spelling has zeros there. */
function otherUnusedBits(text: string): string | undefined {
  if (text.length % 4 === 0) return undefined
  const last = alphabet.indexOf(text.at(-1) ?? '')
  return text.slice(0, -1) + alphabet[last + 1]
}
