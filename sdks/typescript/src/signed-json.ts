const maxDepth = 64

/** The JSON object in a body whose signature was checked; undefined when it is something else. */
export function fieldsOf(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    if (isDeep(body)) return undefined
    const fields: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
    const isObject = typeof fields === 'object' && fields !== null && !Array.isArray(fields)
    return isObject ? (fields as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Counted first: other parsers of this protocol run out of stack, and all clients must read the same. */
function isDeep(body: Uint8Array): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (isText) {
      if (byte === 0x5c) at++
      else if (byte === 0x22) isText = false
    } else if (byte === 0x22) isText = true
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > maxDepth) return true
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return false
}
