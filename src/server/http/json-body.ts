import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'

export const maxDepth = 20
export const maxKeys = 1000

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a JSON body. Depth and number of fields are checked before any object is built. A duplicate field,
 * or one named `__proto__`, is rejected because parsers disagree on its meaning.
 */
export function parseJsonBody(bytes: Uint8Array, maxFields = maxKeys): unknown {
  const text = decoded(bytes)
  const keys = countKeys(text, maxFields)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    reject(commonErrors, 'INVALID_JSON')
  }
  // JSON.parse keeps the last value of a duplicate field.
  if (countFields(value) !== keys) reject(commonErrors, 'FIELD_REPEATED')
  return value
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return reject(commonErrors, 'INVALID_JSON')
  }
}

/** Number of fields in the text; correct for every valid JSON text. */
function countKeys(text: string, maxFields: number): number {
  let depth = 0
  let keys = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    else if (character === ':') keys += 1
    if (depth > maxDepth || keys > maxFields) reject(commonErrors, 'JSON_TOO_COMPLEX')
  }
  return keys
}

/** Position of the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at
    if (text[at] === '\\') at += 1
  }
  return text.length
}

/** Recursion is safe: `countKeys` has limited the depth. */
function countFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce<number>((sum, inner) => sum + countFields(inner), 0)
  let count = 0
  for (const [name, inner] of Object.entries(value)) {
    if (name === '__proto__')
      reject(commonErrors, 'FIELD_UNKNOWN', { values: { field: name }, details: { field: name } })
    count += 1 + countFields(inner)
  }
  return count
}
