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

/** Fields that name an object, whatever else a schema says of them. */
function named(field: string, objects: Objects, call: CallDefinition): unknown {
  // Without an app it is an account that a username names.
  if (field === 'username' && call.app) return objects.username
  if (field === 'usernames') return [objects.username]
  if (field === 'licenseKey' || field === 'license') return objects.licenseKey
  if (field === 'licenses') return [objects.licenseKey]
  if (field === 'sessionId') return objects.sessionId
  if (field === 'sessionIds' && objects.sessionId) return [objects.sessionId]
  if (field === 'logId') return objects.logId
  if (field === 'logIds' && objects.logId) return [objects.logId]
  if (field === 'sellerKey') return objects.sellerKey
  if (field === 'sellerKeys' && objects.sellerKey) return [objects.sellerKey]
  if (field === 'id' && call.path.startsWith('/alerts/')) return objects.alertId
  if (field === 'webhookId') return objects.webhookId
  if (field === 'webhookIds' && objects.webhookId) return [objects.webhookId]
  if (field === 'deliveryId') return objects.deliveryId
  if (field === 'appId') return objects.appId
  if (field === 'id' && call.path.startsWith('/resellers/')) return objects.resellerId
  if (field === 'app') return objects.appName
  // A plan is no owner's: two callers of one server name two.
  if (field === 'name' && call.path === '/admin/plans') return objects.appName.replaceAll(' ', '-')
  if (field === 'u') return objects.username
  if (field === 'id' && call.path.startsWith('/reseller/licenses')) return objects.licenseKey
  return undefined
}

/** The smallest input that a call's schemas allow, naming these objects wherever it can name one. */
export function sampleInput(call: CallDefinition, objects: Objects) {
  const params = sampleObject(call.params, objects, call)
  if (params && objects.downloadId && /\/download(s\/file)?\/\{/.test(call.path)) {
    params[call.path.startsWith('/downloads') ? 'name' : 'id'] = objects.downloadId
  }
  return {
    ...(call.upload && { file: new Blob(['bytes']) }),
    body: call.method === 'GET' ? undefined : sampleObject(call.body, objects, call),
    query: sampleObject(call.query, objects, call) as Record<string, string> | undefined,
    params,
  }
}

function sampleObject(schema: TSchema | undefined, objects: Objects, call: CallDefinition) {
  if (!schema) return undefined
  const { properties = {}, required = [] } = schema as JsonSchema
  const fields: Record<string, unknown> = {}
  for (const [field, property] of Object.entries(properties)) {
    // The app of an app-scoped call comes by the header.
    const scoping = call.app && (field === 'appId' || field === 'appName')
    const object = scoping ? undefined : named(field, objects, call)
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
