/** A key as the mask would give it; only to look at, the server makes the real ones. */
export function sampleKey(mask: string, alphabet: string): string {
  const random = crypto.getRandomValues(new Uint32Array(mask.length))
  return [...mask]
    .map((character, index) => (character === '#' ? alphabet[(random[index] ?? 0) % alphabet.length] : character))
    .join('')
}
