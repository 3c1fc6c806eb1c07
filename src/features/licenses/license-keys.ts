import { randomText } from '#server/random-text.ts'

/** Keys of a mask: each `#` becomes a random character of the alphabet, the rest stays. */
export function randomKeys(mask: string, alphabet: string, amount: number): string[] {
  const places = [...mask].filter((character) => character === '#').length
  const random = randomText(places * amount, alphabet)
  let at = 0
  return Array.from({ length: amount }, () => mask.replace(/#/g, () => random[at++] as string))
}
