import { expect, test } from 'vitest'
import { hasInvisible, trimPasted } from './visible-text.ts'

test.each([
  'Maria',
  'Ação não é açaí',
  '日本語　テスト',
  'عربى',
  'علی\u200Cرضا',
  'क्\u200Dष',
  '🦊 👩‍👩‍👧 ❤️ 🇧🇷 👍🏽 1️⃣',
  'e\u0301',
  '<script>',
  'two  spaces',
])('%j shows all that it holds', (text) => expect(hasInvisible(text)).toBe(false))

test.each([
  ['a Hangul filler', '\u3164'],
  ['a half-width Hangul filler', 'a\uFFA0b'],
  ['Hangul Jamo fillers', '\u115F\u1160'],
  ['a blank Braille pattern', '\u2800'],
  ['a soft hyphen', 'ad\u00ADmin'],
  ['a zero-width space', 'ad\u200Bmin'],
  ['a joiner between Latin letters', 'ad\u200Dmin'],
  ['a joiner at the end', 'علی\u200C'],
  ['a combining grapheme joiner', 'ad\u034Fmin'],
  ['a word joiner', 'ad\u2060min'],
  ['a byte order mark', '\uFEFFadmin'],
  ['a direction override', '\u202Egnp.exe'],
  ['a direction mark', 'admin\u200E'],
  ['a variation selector after a letter', 'a\uFE0F'],
  ['tags', `a${String.fromCodePoint(0xe0061, 0xe0064)}`],
  ['a supplementary variation selector', `a${String.fromCodePoint(0xe0100)}`],
  ['a musical null', String.fromCodePoint(0x1d159)],
  ['Khmer inherent vowels', '\u17B4\u17B5'],
  ['a Mongolian vowel separator', 'a\u180Eb'],
  ['a NUL', 'a\0'],
  ['a line break', 'a\nb'],
  ['a line separator', 'a\u2028b'],
  ['half of a character', 'a\uD800'],
  ['an unassigned character', 'a\u0378'],
  ['a private one', 'a\uE000'],
])('%s is seen by nobody', (_name, text) => expect(hasInvisible(text)).toBe(true))

test.each([
  ['AAAA-BBBB', 'AAAA-BBBB'],
  [' \t\r\nAAAA-BBBB\r\n', 'AAAA-BBBB'],
  ['\uFEFFAAAA-BBBB\u200B', 'AAAA-BBBB'],
  ['\u00A0\u202AAAAA-BBBB\u202C\u2069\u2060 ', 'AAAA-BBBB'],
  ['AAAA \u200B BBBB', 'AAAA \u200B BBBB'],
  ['🦊', '🦊'],
  [' \u200B\uFEFF', ''],
])('%j is pasted as %j', (pasted, trimmed) => expect(trimPasted(pasted)).toBe(trimmed))

test('a long run of spaces in the middle is trimmed at once', () => {
  const text = `a${' '.repeat(1_000_000)}b`
  expect(trimPasted(text)).toBe(text)
})
