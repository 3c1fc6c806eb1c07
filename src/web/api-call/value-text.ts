/** A value that is never shown: whoever runs the text has it in this variable. */
export class FromEnvironment {
  readonly variable: string

  constructor(variable: string) {
    this.variable = variable
  }
}

/** How a language writes JSON values. */
export interface Writing {
  /** A text, a number, a truth value or nothing. */
  leaf: (value: string | number | boolean | null) => string
  environment: (variable: string) => string
  indent: string
  /** What stands after the last element of a list. */
  afterLast: string
}

/** A value laid out over lines; fields without a value are left out, as JSON does. */
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
