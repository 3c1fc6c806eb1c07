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
