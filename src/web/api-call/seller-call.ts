import type { ApiCall, DashboardInput } from './api-call.ts'

/** A call of the seller API, and the dashboard call that it replaces; see `ReplacedCall` in `#contract`. */
export interface SellerCall {
  call: string
  when: Readonly<Record<string, string | boolean>>
  /** Fields of the dashboard call that this one doesn't need. */
  implied: readonly string[]
  method: string
  path: string
  scope: string | null
  idempotent: boolean
  upload: boolean
  params: SellerFields
  query: SellerFields
  body?: SellerFields
}

/** Each field with its names in the dashboard call. */
type SellerFields = Readonly<Record<string, readonly string[]>>

type Fields = Record<string, unknown>

/** The fields of the dashboard call in one object; those of `settings` are fields of the seller call. */
function fieldsOf({ query = {}, body }: DashboardInput, implied: readonly string[]): Fields {
  const { settings = {}, ...rest } = (typeof body === 'object' ? body : {}) as Fields
  return Object.fromEntries(
    Object.entries({ ...query, ...rest, ...(settings as Fields) }).filter(
      ([name, value]) => value !== undefined && !implied.includes(name),
    ),
  )
}

/** Undefined if the seller call lacks a field of the dashboard call, or the other way round. */
function translated(seller: SellerCall, input: DashboardInput, origin: string): ApiCall[] | undefined {
  const fields = fieldsOf(input, seller.implied)
  if (!Object.entries(seller.when).every(([name, value]) => fields[name] === value)) return undefined
  for (const name of Object.keys(seller.when)) delete fields[name]
  const take = (names: readonly string[], ...places: Fields[]): unknown => {
    for (const place of places) {
      const source = names.find((name) => name in place)
      if (source === undefined) continue
      const value = place[source]
      delete place[source]
      return value
    }
    return undefined
  }
  const pick = (wanted: SellerFields, ...places: Fields[]): Fields => {
    const picked = Object.entries(wanted).map(([name, names]) => [name, take(names, ...places)] as const)
    return Object.fromEntries(picked.filter(([, value]) => value !== undefined))
  }
  const place = Object.entries(pick(seller.params, { ...input.params }, fields))
  const query = pick(seller.query, fields)
  const body = seller.body && pick(seller.body, fields)
  if (Object.keys(fields).length > 0 || place.length < Object.keys(seller.params).length) return undefined

  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const lists = place.map(([name, value]) => [name, Array.isArray(value) ? (value as unknown[]) : [value]] as const)
  const count = Math.max(1, ...lists.map(([, values]) => values.length))
  return Array.from({ length: count }, (_, index) => {
    const filled = lists.reduce(
      (path, [name, values]) =>
        path.replace(`{${name}}`, () => encodeURIComponent(String(values[index] ?? values[0] ?? ''))),
      seller.path,
    )
    return {
      method: seller.method,
      url: `${origin}${filled}${search.size > 0 ? `?${search}` : ''}`,
      scope: seller.scope ?? undefined,
      upload: seller.upload,
      idempotent: seller.idempotent && seller.method === 'POST',
      body,
    }
  })
}

/** The calls with which a seller key does the same; undefined if the seller API has none. */
export function sellerCallsFor(call: ApiCall, table: readonly SellerCall[]): ApiCall[] | undefined {
  const { dashboard } = call
  if (!dashboard) return undefined
  const origin = new URL(call.url).origin
  for (const seller of table) {
    if (seller.call !== dashboard.key) continue
    const calls = translated(seller, dashboard.input, origin)
    if (calls) return calls
  }
  return undefined
}
