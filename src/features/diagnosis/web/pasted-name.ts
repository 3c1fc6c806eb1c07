import { trimPasted } from '#contract/visible-text.ts'

const quotes = ['""', "''", '``', '“”', '„“', '‘’', '«»', '<>']

/** A pasted name without the spaces and quotes around it. */
export function pastedName(text: string): string {
  const name = trimPasted(text)
  const isQuoted = name.length > 2 && quotes.some((pair) => pair === `${name.at(0)}${name.at(-1)}`)
  return isQuoted ? pastedName(name.slice(1, -1)) : name
}

/**
 * The key that a text names: the same one, or the only one of these in other letter case. Undefined if several differ
 * only in case.
 */
export function namedKey(text: string, keys: readonly string[]): string | undefined {
  if (keys.includes(text)) return text
  const [key, ...others] = keys.filter((each) => each.toLowerCase() === text.toLowerCase())
  return others.length === 0 ? key : undefined
}
