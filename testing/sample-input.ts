import type { TSchema } from 'typebox'
import type { CallDefinition } from '#contract/define-call.ts'

/** Objects a call may refer to: the caller's own, somebody else's, or nonexistent ones. */
export interface Objects {
  appId: string
  appName: string
  licenseKey: string
  /** An end user of the app. */
  username: string
  /** ID of a seller key of the app. */
  sellerKey?: string
  /** ID of a program session of the app. */
  sessionId?: string
  /** ID of a log entry of the app. */
  logId?: number
  alertId?: string
  /** ID of a file of the app. */
  downloadId?: string
  webhookId?: string
  /** ID of a delivery to that webhook. */
  deliveryId?: number
  /** ID of a listener of the seller key. */
  listenerId?: string
  /** ID of a reseller of the owner who is assigned the app. */
  resellerId?: string
  resellerName?: string
  /** ID of a saved view of the owner. */
  viewId?: string
  resellerViewId?: string
  /** ID of the owner's account. */
  accountId?: string
  accountSessionId?: string
  /** ID of a session of the reseller. */
  resellerSessionId?: string
  /** ID of an audit entry. */
  auditId?: number
  planId?: string
  /** A level of the app; levels may be the same in all apps. */
  level?: number
  /** Undo IDs of bulk actions. */
  userUndoId?: string
  licenseUndoId?: string
  sellerKeyUndoId?: string
  variableUndoId?: string
  /** ID of a deleted item. */
  binItemId?: number
  binUndoId?: string
  importId?: string
  /** ID of a job that failed. */
  jobId?: number
}

export interface JsonSchema {
  type?: string
  /** Numbers as text are not accepted. */
  exact?: boolean
  const?: unknown
  default?: unknown
  minimum?: number
  minLength?: number
  /** For text with a pattern. */
  examples?: readonly string[]
  anyOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  /** Of a record. */
  patternProperties?: Record<string, JsonSchema>
  required?: string[]
}

type Kind = keyof Objects

const kinds: Readonly<Record<string, Kind>> = {
  appId: 'appId',
  assignedAppId: 'appId',
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
  ids: 'binItemId',
  alertIds: 'alertId',
  webhookId: 'webhookId',
  importId: 'importId',
  webhookIds: 'webhookId',
  deliveryId: 'deliveryId',
  jobIds: 'jobId',
  listenerId: 'listenerId',
  actorId: 'accountId',
  ownerId: 'accountId',
}

type Part = 'params' | 'query' | 'body'

/** The kind of `id` in a path, and of other path fields that hold an ID. */
const kindsByPath: readonly [path: RegExp, field: string, kind: Kind][] = [
  [/^\/profile\/sessions\//, 'id', 'accountSessionId'],
  [/^\/reseller\/profile\/sessions\//, 'id', 'resellerSessionId'],
  [/^\/views\//, 'viewId', 'viewId'],
  [/^\/reseller\/views\//, 'viewId', 'resellerViewId'],
  [/^\/user\/\{username\}\/subscriptions\//, 'id', 'level'],
  [/^\/download\//, 'id', 'downloadId'],
  [/^\/downloads\/file\//, 'name', 'downloadId'],
  [/^\/log\//, 'id', 'logId'],
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
  [/^\/variables\//, 'variableUndoId'],
  [/^\/bin\//, 'binUndoId'],
  [/^\/imports\//, 'importId'],
]

/** The kind of object a field refers to; undefined if it refers to none. */
export function kindOfField(field: string, part: Part, call: CallDefinition): Kind | undefined {
  const { path } = call
  const inPath = part === 'params' && kindsByPath.find(([of, name]) => name === field && of.test(path))
  if (inPath) return inPath[2]
  if (field === 'undoId') return undoKinds.find(([of]) => of.test(path))?.[1]
  // Rows of a file.
  if (path.startsWith('/imports/') && field === 'licenses') return undefined
  // Without an app, the username is that of an account.
  if (field === 'username') return call.app ? 'username' : undefined
  return kinds[field]
}

function named(field: string, schema: JsonSchema, part: Part, objects: Objects, call: CallDefinition): unknown {
  // Plans belong to the platform, so two callers on one server need two names.
  if (field === 'name' && call.path === '/admin/plans') return objects.appName.replaceAll(' ', '-')
  const kind = kindOfField(field, part, call)
  const object = kind && objects[kind]
  return object !== undefined && isList(schema) ? [object] : object
}

const isList = ({ type, anyOf }: JsonSchema): boolean => type === 'array' || (anyOf?.some(isList) ?? false)

let files = 0

/** The minimal input of a call's schemas, with these objects wherever it can refer to one. */
export function sampleInput(call: CallDefinition, objects: Objects) {
  return {
    // Names of files are unique in an app.
    ...(call.upload && { file: new File(['bytes'], `file ${++files}`) }),
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
    // The app of an app-scoped call is sent in the header.
    const scoping = call.app && (field === 'appId' || field === 'appName')
    const object = scoping ? undefined : named(field, property, part, objects, call)
    if (object !== undefined) fields[field] = object
    else if (required.includes(field)) fields[field] = ofApp(field, objects) ?? smallest(property)
  }
  return fields
}

/** For calls that create an app, or must name theirs. */
const ofApp = (field: string, { appId, appName }: Objects) =>
  field === 'appId' ? appId : field === 'appName' ? appName : undefined

/** The minimal value a schema allows. */
export function smallest(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.anyOf) return smallest(schema.anyOf[0] as JsonSchema)
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return false
  if (schema.type === 'array') return schema.items ? [smallest(schema.items)] : []
  if (schema.type === 'object')
    return Object.fromEntries((schema.required ?? []).map((name) => [name, smallest(schema.properties?.[name] ?? {})]))
  if (schema.examples) return schema.examples[0]
  return 'x'.repeat(Math.max(1, schema.minLength ?? 1))
}
