const key = 'ABCD-1234-efgh-5678'

/** Every character that is trimmed: white space of Unicode, and invisible characters that come along when copying. */
const trimmed = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0x85, 0x85],
  [0xa0, 0xa0],
  [0xad, 0xad],
  [0x1680, 0x1680],
  [0x180e, 0x180e],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x2064],
  [0x2066, 0x2069],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
].flatMap(([first = 0, last = 0]) => Array.from({ length: last - first + 1 }, (_, n) => first + n))

const named = (point: number) => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`

const cases: [name: string, typed: string, sent: string][] = [
  ['nothing to trim', key, key],
  ['empty', '', ''],
  ['only white space', ' \t\r\n\u00A0', ''],
  ['only invisible characters', '\u200B\u2060\uFEFF', ''],
  ['a line end', `${key}\r\n`, key],
  ['a mixture at both ends', `\uFEFF \u200B\t${key}\u00A0\u2028 \u200E\n`, key],
  ['case and hyphens stay', 'aBc-DeF', 'aBc-DeF'],
  ['a space in the middle stays', 'ABCD 1234', 'ABCD 1234'],
  ['an invisible character in the middle stays', ' ABCD\u200B1234 ', 'ABCD\u200B1234'],
  ['a soft hyphen in the middle stays', 'ABCD\u00AD1234', 'ABCD\u00AD1234'],
  ['a line end in the middle stays', 'ABCD\n1234', 'ABCD\n1234'],
  ['letters outside ASCII', ' ключ-🦭 ', 'ключ-🦭'],
  ['quotes stay', `"${key}"`, `"${key}"`],
  ['a combining accent at the end stays', 'e\u0301', 'e\u0301'],
  ['a full stop at the end stays', `${key}.`, `${key}.`],
  ...trimmed.map((point): [string, string, string] => {
    const character = String.fromCodePoint(point)
    return [`${named(point)} at both ends`, `${character}${key}${character}`, key]
  }),
]

export function keyVectors() {
  return {
    about:
      'License keys as a customer types or pastes them, and as a client must send them in license, register, and ' +
      'upgrade. A client trims both ends and nothing else: characters with the Unicode property White_Space, and ' +
      'U+00AD, U+180E, U+200B to U+200F, U+202A to U+202E, U+2060 to U+2064, U+2066 to U+2069, U+FEFF.',
    cases: cases.map(([name, typed, sent]) => ({ name, typed, sent })),
  }
}
