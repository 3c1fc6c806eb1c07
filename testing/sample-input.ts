import type { TSchema } from 'typebox'
import type { CallDefinition } from '#contract/define-call.ts'

/** Things a call may name: the caller's own, somebody else's, or ones that never were. */
export interface Objects {
  appId: string
  appName: string
  licenseKey: string
  /** An end user of the app. */
  username: string
  /** The id of a seller key of the app. */
  sellerKey?: string
  /** The session of a program of the app. */
  sessionId?: string
  /** A row of the log of the app. */
  logId?: number
  alertId?: string
  /** The id of a file of the app. */
  downloadId?: string
  webhookId?: string
  /** Of that webhook. */
  deliveryId?: number
  /** A reseller of the owner, who has the app. */
  resellerId?: string
  resellerName?: string
  /** The owner's own. */
  accountId?: string
  accountSessionId?: string
  /** Of the reseller's own. */
  resellerSessionId?: string
  /** An event of the audit. */
  auditId?: number
  planId?: string
  /** A level of the app; every app may have the same. */
  level?: number
  /** Of bulk acts that can be undone. */
  userUndoId?: string
  licenseUndoId?: string
  sellerKeyUndoId?: string
}

export interface JsonSchema {
  type?: string
  /** The text of a number is none. */
  exact?: boolean
  const?: unknown
  default?: unknown
  minimum?: number
  minLength?: number
  anyOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}

type Kind = keyof Objects

const kinds: Readonly<Record<string, Kind>> = {
  appId: 'appId',
  app: 'appName',
  usernames: 'username',
  u: 'username',
  license: 'licenseKey',
  licenses: 'licenseKey',
  licenseKey: 'licenseKey',
  sellerKey: 'sellerKey',
  sellerKeys: 'sellerKey',
  sessionId: 'sessionId',
  sessionIds: 'sessionId',
  logId: 'logId',
  logIds: 'logId',
  alertIds: 'alertId',
  webhookId: 'webhookId',
  webhookIds: 'webhookId',
  deliveryId: 'deliveryId',
  actorId: 'accountId',
  ownerId: 'accountId',
}

type Part = 'params' | 'query' | 'body'

/** What `id` means in a path, and a name in it that is an id too. */
const kindsByPath: readonly [path: RegExp, field: string, kind: Kind][] = [
  [/^\/profile\/sessions\//, 'id', 'accountSessionId'],
  [/^\/reseller\/profile\/sessions\//, 'id', 'resellerSessionId'],
  [/^\/user\/\{username\}\/subscriptions\//, 'id', 'level'],
  [/^\/download\//, 'id', 'downloadId'],
  [/^\/downloads\/file\//, 'name', 'downloadId'],
  [/^\/alerts\//, 'id', 'alertId'],
  [/^\/resellers\//, 'id', 'resellerId'],
  [/^\/resellers\/by-username\//, 'username', 'resellerName'],
  [/^\/reseller\/licenses/, 'id', 'licenseKey'],
  [/^\/admin\/owners\//, 'id', 'accountId'],
  [/^\/admin\/plans\//, 'id', 'planId'],
  [/^\/(admin\/)?audit\//, 'id', 'auditId'],
]

const undoKinds: readonly [path: RegExp, kind: Kind][] = [
  [/^\/users\//, 'userUndoId'],
  [/^\/licenses\//, 'licenseUndoId'],
  [/^\/seller_keys\//, 'sellerKeyUndoId'],
]

/** What kind of object a field of a call names; undefined where it names none. */
export function kindOfField(field: string, part: Part, call: CallDefinition): Kind | undefined {
  const { path } = call
  const inPath = part === 'params' && kindsByPath.find(([of, name]) => name === field && of.test(path))
  if (inPath) return inPath[2]
  if (field === 'undoId') return undoKinds.find(([of]) => of.test(path))?.[1]
  // Without an app it is an account that a username names.
  if (field === 'username') return call.app ? 'username' : undefined
  return kinds[field]
}

function named(field: string, schema: JsonSchema, part: Part, objects: Objects, call: CallDefinition): unknown {
  // A plan is no owner's: two callers of one server name two.
  if (field === 'name' && call.path === '/admin/plans') return objects.appName.replaceAll(' ', '-')
  const kind = kindOfField(field, part, call)
  const object = kind && objects[kind]
  return object !== undefined && isList(schema) ? [object] : object
}

const isList = ({ type, anyOf }: JsonSchema): boolean => type === 'array' || (anyOf?.some(isList) ?? false)

/** The smallest input that a call's schemas allow, naming these objects wherever it can name one. */
export function sampleInput(call: CallDefinition, objects: Objects) {
  return {
    ...(call.upload && { file: new Blob(['bytes']) }),
    body: call.method === 'GET' ? undefined : sampleObject(call, 'body', objects),
    query: sampleObject(call, 'query', objects) as Record<string, string> | undefined,
    params: sampleObject(call, 'params', objects),
  }
}

function sampleObject(call: CallDefinition, part: Part, objects: Objects) {
  const schema: TSchema | undefined = call[part]
  if (!schema) return undefined
  const { properties = {}, required = [] } = schema as JsonSchema
  const fields: Record<string, unknown> = {}
  for (const [field, property] of Object.entries(properties)) {
    // The app of an app-scoped call comes by the header.
    const scoping = call.app && (field === 'appId' || field === 'appName')
    const object = scoping ? undefined : named(field, property, part, objects, call)
    if (object !== undefined) fields[field] = object
    else if (required.includes(field)) fields[field] = ofApp(field, objects) ?? smallest(property)
  }
  return fields
}

/** For calls that make an app, or must name theirs. */
const ofApp = (field: string, { appId, appName }: Objects) =>
  field === 'appId' ? appId : field === 'appName' ? appName : undefined

/** The smallest value that a schema allows. */
export function smallest(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.anyOf) return smallest(schema.anyOf[0] as JsonSchema)
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return false
  if (schema.type === 'array') return schema.items ? [smallest(schema.items)] : []
  if (schema.type === 'object')
    return Object.fromEntries((schema.required ?? []).map((name) => [name, smallest(schema.properties?.[name] ?? {})]))
  return 'x'.repeat(Math.max(1, schema.minLength ?? 1))
}
