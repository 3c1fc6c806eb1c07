import { hostileBodyTexts, hostileContentTypes, hostileValues } from '#testing/faults/hostile-values.ts'
import type { SeededRandom } from '../../bench/seeded-random.ts'

/** Input of a call: objects to be encoded by a client, or the text of a raw body. */
export interface FuzzInput {
  params: Record<string, unknown> | undefined
  query: Record<string, unknown> | undefined
  body: unknown
  headers: Record<string, string>
}

const maxMutations = 4
const maxDepth = 5

/** Random JSON of any shape. */
export function randomJson(random: SeededRandom, depth = 0): unknown {
  const kind = random.below(depth < maxDepth ? 8 : 6)
  if (kind === 0) return random.pick(hostileValues)
  if (kind === 1) return randomText(random)
  if (kind === 2) return random.below(2 ** 31) - 2 ** 30
  if (kind === 3) return random.below(1000) / 7
  if (kind === 4) return random.below(2) === 0
  if (kind === 5) return null
  const items = Array.from({ length: random.below(5) }, () => randomJson(random, depth + 1))
  if (kind === 6) return items
  return Object.fromEntries(items.map((item) => [randomName(random), item]))
}

const names = ['id', 'name', 'length', '__proto__', 'constructor', 'toString', '', '$where', 'appId', 'limit']
const randomName = (random: SeededRandom): string => (random.below(2) === 0 ? random.pick(names) : randomText(random))

/** Characters of all planes, including lone surrogates and control characters. */
function randomText(random: SeededRandom): string {
  const planes = [0x20, 0x80, 0x3000, 0xd800, 0x10000]
  return Array.from({ length: random.below(20) }, () => {
    const from = random.pick(planes)
    return String.fromCodePoint(random.below(8) === 0 ? random.below(32) : from + random.below(0x5f))
  }).join('')
}

/** A copy of the value with one field replaced, removed or added. */
function mutated(value: unknown, random: SeededRandom, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return randomJson(random)
  if (Array.isArray(value)) {
    if (value.length === 0 || random.below(4) === 0) return [...(value as unknown[]), randomJson(random)]
    const at = random.below(value.length)
    return value.with(at, mutated(value[at], random, depth + 1))
  }
  const fields = Object.entries(value)
  if (fields.length === 0 || random.below(5) === 0) {
    return Object.fromEntries([...fields, [randomName(random), randomJson(random)]])
  }
  const at = random.below(fields.length)
  if (random.below(5) === 0) return Object.fromEntries(fields.filter((_, index) => index !== at))
  return Object.fromEntries(
    fields.map(([name, field], index) => [name, index === at ? mutated(field, random, depth + 1) : field]),
  )
}

/** A body damaged as by a broken client or network. */
function damaged(text: string, random: SeededRandom): string {
  const at = random.below(text.length + 1)
  const kind = random.below(4)
  if (kind === 0) return text.slice(0, at)
  if (kind === 1) return text.slice(0, at) + randomText(random) + text.slice(at)
  if (kind === 2) return text + text
  return text.slice(0, at) + text.slice(at + 1 + random.below(4))
}

const oddHeaders: [name: string, values: readonly string[]][] = [
  ['x-app-id', ['', 'x', '../..', 'ap_'.padEnd(300, '1')]],
  ['idempotency-key', ['', '1001', 'x'.repeat(500), 'a b', '%00']],
  ['authorization', ['Bearer', 'Bearer ', 'Basic x', `Bearer ${'x'.repeat(2000)}`]],
  ['x-csrf-token', ['', 'x', '.'.repeat(100)]],
  ['cookie', ['session=', `session=${'a'.repeat(43)}`, '=;=;=', 'session=%E0%A4%A']],
  ['accept-language', ['pt-BR', '*;q=9', ','.repeat(300)]],
  ['range', ['bytes=', 'bytes=-0', 'bytes=9-1', 'bytes=0-0,1-1,2-2', 'lines=1']],
  ['origin', ['null', 'https://evil.example', 'x']],
  ['x-forwarded-for', ['', '1.2.3.4', '::1%eth0', "' or 1=1 --"]],
  ['if-none-match', ['*', '"x"', 'W/']],
  ['content-encoding', ['gzip', 'br', 'identity', 'x']],
]

/** An input that violates the contract of a call in a few places; occasionally a valid one. */
export function mutatedInput(valid: Omit<FuzzInput, 'headers'>, random: SeededRandom, method: string): FuzzInput {
  const input: FuzzInput = { ...valid, headers: {} }
  const parts = (['params', 'query', 'body'] as const).filter((part) => part !== 'body' || method !== 'GET')
  for (let count = random.below(maxMutations); count > 0; count--) {
    const part = random.pick(parts)
    const changed = mutated(input[part] ?? {}, random)
    if (part === 'body') input.body = changed
    else if (typeof changed === 'object' && changed !== null) input[part] = { ...valid[part], ...textFields(changed) }
  }
  if (method !== 'GET' && random.below(6) === 0) {
    input.body =
      random.below(3) === 0 ? random.pick(hostileBodyTexts) : damaged(JSON.stringify(input.body ?? {}), random)
  }
  if (random.below(8) === 0) {
    const [name, values] = random.pick(oddHeaders)
    input.headers[name] = random.pick(values)
  }
  if (method !== 'GET' && random.below(12) === 0) input.headers['content-type'] = random.pick(hostileContentTypes)
  return input
}

/** Fields that a URL can contain: no objects and no lone surrogates. */
const textFields = (value: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name.toWellFormed(),
      (typeof field === 'string' ? field : JSON.stringify(field)).toWellFormed().slice(0, 8000),
    ]),
  )
