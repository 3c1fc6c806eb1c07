/** A token of code and its kind. The copied text and the displayed code use the same tokens, so they cannot differ. */
export interface CodeToken {
  text: string
  kind?: 'keyword' | 'string'
  /** Displayed truncated, copied completely. */
  long?: boolean
}

export type CodeLine = readonly CodeToken[]

const strings = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\`(?:[^\`\\]|\\.)*\``

/** Marks the strings and the given keywords of each line; a string doesn't continue on the next line. */
export function codeLines(text: string, keywords: readonly string[]): CodeLine[] {
  const pattern = new RegExp(`(?<string>${strings})|(?<keyword>(?<![\\w.-])(?:${keywords.join('|')})(?![\\w-]))`, 'g')
  return text.split('\n').map((line) => {
    const tokens: CodeToken[] = []
    let at = 0
    for (const match of line.matchAll(pattern)) {
      if (match.index > at) tokens.push({ text: line.slice(at, match.index) })
      const isString = match.groups?.['string'] !== undefined
      const [found] = match
      // A key has no spaces; a sentence stays readable.
      const long = isString && found.length > 40 && !found.includes(' ')
      tokens.push({ text: found, kind: isString ? 'string' : 'keyword', ...(long && { long }) })
      at = match.index + found.length
    }
    if (at < line.length) tokens.push({ text: line.slice(at) })
    return tokens
  })
}

export const snippetText = (lines: readonly CodeLine[]): string =>
  lines.map((line) => line.map(({ text }) => text).join('')).join('\n')
