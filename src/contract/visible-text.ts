/** Emoji consist of visible characters and invisible joiners; only fully qualified, known sequences are allowed. */
const emoji = /\p{RGI_Emoji}/gv

/** Joiners shape letters in these scripts and are part of the spelling of names. */
const joiners =
  /(?<=[\p{scx=Arab}\p{scx=Beng}\p{scx=Deva}\p{scx=Gujr}\p{scx=Guru}\p{scx=Knda}\p{scx=Mlym}\p{scx=Orya}\p{scx=Sinh}\p{scx=Syrc}\p{scx=Taml}\p{scx=Telu}])[\u200C\u200D](?=[\p{L}\p{M}])/gv

/** Controls, direction marks, fillers, lone surrogates, unassigned characters, line separators and blank characters. */
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\u{1D159}]/v

/**
 * Whether a text contains invisible characters: they would allow two different names to look the same, or a name to
 * look empty. Spaces count as visible. Limit the length of the text before.
 */
export const hasInvisible = (text: string): boolean => invisible.test(text.replace(emoji, '').replace(joiners, ''))

const atEdges = /[\p{White_Space}\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/u

/**
 * A pasted text without the white space, line ends and invisible characters around it, as mails and chats add them. The
 * clients trim license keys by the same rule (docs/protocol.md).
 */
export function trimPasted(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && atEdges.test(text.charAt(start))) start++
  while (end > start && atEdges.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}
