/** Emoji are made of visible characters and invisible joints; only the known ones, in their full spelling. */
const emoji = /\p{RGI_Emoji}/gv

/** Joiners shape letters of these scripts, and are part of how names in them are spelt. */
const joiners =
  /(?<=[\p{scx=Arab}\p{scx=Beng}\p{scx=Deva}\p{scx=Gujr}\p{scx=Guru}\p{scx=Knda}\p{scx=Mlym}\p{scx=Orya}\p{scx=Sinh}\p{scx=Syrc}\p{scx=Taml}\p{scx=Telu}])[\u200C\u200D](?=[\p{L}\p{M}])/gv

/** Controls, direction marks, fillers, lone surrogates, unassigned characters, line ends and characters that are blank. */
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\u{1D159}]/v

/**
 * Whether a text holds characters that nobody sees: two names that look alike would be two, and one of them alone
 * would be no name at all. Spaces count as seen. Texts are to be bounded in length before.
 */
export const hasInvisible = (text: string): boolean => invisible.test(text.replace(emoji, '').replace(joiners, ''))
