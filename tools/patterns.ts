import { readFileSync } from 'node:fs'
import { analyse } from 'scslre'
import { parseAst } from 'vite'

/** A regular expression in the code, with its location. */
export interface Pattern {
  place: string
  source: string
  flags: string
}

export interface Patterns {
  found: Pattern[]
  /** Locations that build one from a value, which cannot be analyzed. */
  made: string[]
}

/** The used fields of a syntax node. */
interface Node {
  type?: string
  start?: number
  regex?: { pattern: string; flags: string }
  callee?: Node
  key?: Node
  name?: string
  value?: unknown
}

/** The regular expressions of a file: literals, and `pattern` in schemas. */
export function patternsOf(file: string, text = readFileSync(file, 'utf8')): Patterns {
  const patterns: Patterns = { found: [], made: [] }
  const placeOf = ({ start = 0 }: Node) => `${file}:${text.slice(0, start).split('\n').length}`
  const visit = (node: Node) => {
    const { type, regex, callee, key } = node
    if (regex) patterns.found.push({ place: placeOf(node), source: regex.pattern, flags: regex.flags })
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp')
      patterns.made.push(placeOf(node))
    if (type === 'Property' && key?.name === 'pattern') {
      const { value } = node.value as Node
      if (typeof value === 'string') patterns.found.push({ place: placeOf(node), source: value, flags: 'u' })
    }
    for (const inner of Object.values(node).flat())
      if (typeof inner === 'object' && inner !== null && 'type' in inner) visit(inner as Node)
  }
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node)
  return patterns
}

/** Reasons why a pattern may take superlinear time; empty if it cannot. */
export function slownessOf({ place, source, flags }: Pattern): string[] {
  return analyse({ source, flags }).reports.map(
    ({ exponential }) => `${place} /${source}/${flags} is ${exponential ? 'exponential' : 'polynomial'}`,
  )
}
