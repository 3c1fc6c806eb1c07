import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { maxEpochSeconds } from '#contract/epoch-seconds.ts'
import { root } from '../../outdated.ts'
import type { Operation, Schema } from './documents.ts'

/**
 * Examples of requests and replies: those of docs/seller-api.md, whose commands a test runs. Replies that the page
 * doesn't show are made from the schema, with the values that it shows elsewhere.
 */

export interface Example {
  /** As on the page; undefined if the page has none. */
  command: string | undefined
  path: Record<string, string>
  query: Record<string, string>
  /** Fields of a JSON body, or of a form. */
  body: Record<string, unknown> | undefined
  reply: unknown
  /** JSON of the reply, as on the page. */
  replyText: string
  /** Anchor of the page's section. */
  anchor: string | undefined
}

interface Shown {
  command: string
  method: string
  path: string
  query: Record<string, string>
  body: Record<string, unknown> | undefined
  replyText: string | undefined
  reply: unknown
  anchor: string
}

const parts =
  /^#{2,3} (?<heading>.+)$|```(?<kind>\w+)\n(?<text>[\s\S]*?)```|Keep `(?<place>[^`]+)` of the reply as `\$(?<variable>\w+)`/gm
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-')

/** The commands of the page, and the values that it says to keep. */
function readPage(page: string): { shown: Shown[]; kept: Record<string, string> } {
  const shown: Shown[] = []
  const kept: Record<string, string> = {}
  let anchor = ''
  for (const { groups = {} } of page.matchAll(parts)) {
    const { heading, kind, text = '', place, variable } = groups
    const last = shown.at(-1)
    if (heading) anchor = anchorOf(heading)
    else if (kind === 'sh' && text.startsWith('curl ')) shown.push(readCommand(text.trim(), anchor))
    else if (kind === 'json' && last?.anchor === anchor) addReply(last, text)
    else if (variable && place) kept[variable] = valueAt(last?.reply, place)
  }
  return { shown, kept }
}

function addReply(shown: Shown, text: string): void {
  if (shown.replyText !== undefined) return
  Object.assign(shown, { replyText: text.trim(), reply: JSON.parse(text) })
}

function readCommand(command: string, anchor: string): Shown {
  const line = command.replaceAll(/\\\n\s*/g, '')
  const [, path = '', query = ''] = / "\$SIGNET_URL([^"?]+)\??([^"]*)"/.exec(line) ?? []
  const [, method = 'GET'] = / -X (\w+)/.exec(line) ?? []
  const [, json] = / -d '([^']*)'/.exec(line) ?? []
  const form = [...line.matchAll(/ -F "(\w+)=([^"]*)"/g)].map(([, name = '', value = '']) => [name, value] as const)
  return {
    command,
    method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    body: json === undefined ? (form.length > 0 ? Object.fromEntries(form) : undefined) : JSON.parse(json),
    replyText: undefined,
    reply: undefined,
    anchor,
  }
}

function valueAt(value: unknown, place: string): string {
  const names = place.split(/[.[\]]+/).filter(Boolean)
  return String(names.reduce((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value) ?? '')
}

const page = readPage(readFileSync(join(root, 'docs/seller-api.md'), 'utf8'))
const filled = (text: string): string => text.replaceAll(/\$(\w+)/g, (whole, name: string) => page.kept[name] ?? whole)

export function exampleOf(operation: Operation, message?: { code: string; message: string }): Example {
  const pattern = new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
  const own = page.shown.filter(({ method, path }) => method === operation.method && pattern.test(path))
  const [found] = own
  const replied = own.find(({ replyText }) => replyText !== undefined)
  const reply = replied?.reply ?? sampleReply(operation, message)
  return {
    command: found?.command,
    path: mapValues(pattern.exec(found?.path ?? '')?.groups ?? {}, filled),
    query: mapValues(found?.query ?? {}, filled),
    body: found?.body,
    reply,
    replyText: replied?.replyText ?? JSON.stringify(reply, null, 2),
    anchor: found?.anchor,
  }
}

const mapValues = (record: Record<string, string>, change: (value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

/** Values of fields as the page shows them, by object and name, and by name: `user.email`, `email`. The first counts. */
const knownValues = new Map<string, unknown>()

const singular = (name: string): string => name.replace(/s$/, '')

for (const { reply } of page.shown) remember(reply, '')

function remember(value: unknown, object: string): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (Array.isArray(value)) remember(inner, object)
    else if (typeof inner === 'object') remember(inner, singular(name))
    else for (const key of [`${object}.${name}`, name]) if (!knownValues.has(key)) knownValues.set(key, inner)
  }
}

/** Values that the page shows nowhere, or otherwise than this operation replies. */
const ownValues: Record<string, Record<string, unknown>> = {
  banUser: { banned: true },
  pauseUser: { paused: true },
  disableDownload: { active: false },
  listLogs: {
    id: 4711,
    call: 'init',
    code: '',
    message: 'init',
    logData: 'init',
    credential: 'ana',
    ip: '203.0.113.7',
    country: 'BR',
    session: '0b0ad2c1-6a44-4a53-9f3e-0f1c7f2b8f4d',
    requestId: '',
  },
}

function sampleReply({ id, reply }: Operation, message?: { code: string; message: string }): unknown {
  const sample = sampleOf(reply, ownValues[id] ?? {}, ['', ''])
  if (typeof sample !== 'object' || sample === null || Array.isArray(sample)) return sample
  const { success, ...fields } = sample as Record<string, unknown>
  return { success, ...message, ...fields }
}

/** `place` is the name of the field, after that of its object. */
function sampleOf(
  schema: Schema,
  own: Record<string, unknown>,
  place: readonly [object: string, name: string],
): unknown {
  const [object, name] = place
  if (schema.const !== undefined) return schema.const
  if (schema.anyOf) return schema.anyOf[0] && sampleOf(schema.anyOf[0], own, place)
  if (schema.properties) {
    const required = Object.entries(schema.properties).filter(([each]) => schema.required?.includes(each))
    return Object.fromEntries(required.map(([each, inner]) => [each, sampleOf(inner, own, [singular(name), each])]))
  }
  if (schema.items) return [sampleOf(schema.items, own, place)]
  if (schema.type === 'object') return {}
  const known = own[name] ?? knownValues.get(`${object}.${name}`) ?? knownValues.get(name)
  const isOfType = schema.type === (Number.isInteger(known) ? 'integer' : typeof known)
  return isOfType ? known : plainSample(schema)
}

function plainSample({ type, minimum = 0, maximum }: Schema): unknown {
  if (maximum === maxEpochSeconds) return 1_767_225_600
  if (type === 'integer' || type === 'number') return minimum
  return type === 'boolean' ? false : ''
}
