import type { TryItCall, TryItField } from './call.ts'

/** From the values of a form to a request. */

export interface Values {
  /** By the field's place and name. */
  fields: ReadonlyMap<TryItField, string | File | undefined>
  /** JSON. */
  body: string | undefined
}

export interface BuiltRequest {
  method: string
  /** Path with query. */
  address: string
  headers: Record<string, string>
  body: string | FormData | undefined
}

/** What is wrong with the values, for a person; undefined if nothing is. */
export function problemOf(call: TryItCall, { fields, body }: Values): string | undefined {
  for (const field of call.fields) {
    const problem = problemOfField(field, fields.get(field))
    if (problem) return problem
  }
  if (body === undefined) return undefined
  try {
    JSON.parse(body)
    return undefined
  } catch (error) {
    return `The body is not JSON: ${(error as Error).message}`
  }
}

function problemOfField({ name, place, isRequired }: TryItField, value: string | File | undefined): string | undefined {
  if (isRequired && !value) return `Enter “${name}”.`
  // A browser would take them for parts of the path.
  if (place === 'path' && /^\.{1,2}$/.test(String(value))) return `“${name}” can't be only dots.`
  if (place === 'header' && !/^[\x20-\x7e]*$/.test(String(value ?? '')))
    return `“${name}” can have printable ASCII only.`
  return undefined
}

export function buildRequest(call: TryItCall, { fields, body }: Values): BuiltRequest {
  const textsOf = (place: TryItField['place']) =>
    [...fields].flatMap(([field, value]) =>
      field.place === place && typeof value === 'string' && value !== '' ? [[field.name, value] as const] : [],
    )
  let path = call.path
  for (const [name, value] of textsOf('path')) path = path.replace(`{${name}}`, () => encodeURIComponent(value))
  const query = new URLSearchParams(Object.fromEntries(textsOf('query'))).toString()
  const form = formOf(call, fields)
  return {
    method: call.method,
    address: query === '' ? path : `${path}?${query}`,
    headers: {
      ...Object.fromEntries(textsOf('header')),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: form ?? body,
  }
}

function formOf(call: TryItCall, fields: Values['fields']): FormData | undefined {
  if (!call.fields.some(({ place }) => place === 'file')) return undefined
  const form = new FormData()
  const given = [...fields].filter(([{ place }, value]) => (place === 'form' || place === 'file') && value)
  // The server reads the fields before the file.
  for (const [field, value] of given.toSorted(([a], [b]) => Number(a.place === 'file') - Number(b.place === 'file'))) {
    if (value) form.append(field.name, value)
  }
  return form
}

/** What a second press confirms; undefined if the call needs none. */
export function confirmationOf(call: TryItCall, { method, address, body }: BuiltRequest): string | undefined {
  const count = countOf(call, body)
  if (!call.needsConfirmation && count < 2) return undefined
  const what = count < 2 ? call.summary : `It creates ${count} at once. ${call.summary}`
  return `This sends ${method} ${decodeURI(address)} to the app of your key. ${what}`
}

function countOf({ countField }: TryItCall, body: BuiltRequest['body']): number {
  if (countField === undefined || typeof body !== 'string') return 0
  return Number((JSON.parse(body) as Record<string, unknown> | null)?.[countField]) || 0
}
