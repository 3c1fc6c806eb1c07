/** A value that is never shown; the generated text reads it from this variable. */
export class FromEnvironment {
  readonly variable: string

  constructor(variable: string) {
    this.variable = variable
  }
}

/** Syntax of a language for JSON values. */
export interface Writing {
  /** A string, a number, a boolean or null. */
  leaf: (value: string | number | boolean | null) => string
  environment: (variable: string) => string
  indent: string
  /** Text after the last element of a list. */
  afterLast: string
}

/** A value formatted over several lines; undefined fields are omitted, as in JSON. */
export function valueText(value: unknown, writing: Writing, indent = ''): string {
  if (value instanceof FromEnvironment) return writing.environment(value.variable)
  if (typeof value === 'string' || typeof value === 'boolean') return writing.leaf(value)
  if (typeof value === 'number') return writing.leaf(Number.isFinite(value) ? value : null)
  if (typeof value !== 'object' || value === null) return writing.leaf(null)
  const inner = indent + writing.indent
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((each) => valueText(each, writing, inner))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([name, each]) => `${writing.leaf(name)}: ${valueText(each, writing, inner)}`)
  const [open, close] = isList ? '[]' : '{}'
  if (parts.length === 0) return `${open}${close}`
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}${writing.afterLast}\n${indent}${close}`
}
