import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type CallDefinition, areaPrefix } from '#contract/define-call.ts'
import { otherNamesIn } from '#contract/field-names.ts'

/**
 * The calls of the contracts that replace dashboard calls in "Show as API call", without their schemas: what the browser
 * needs to write such a call (`seller-calls-module.ts`).
 */

/** Each field with its names in the dashboard call. */
type Fields = Record<string, readonly string[]>

export interface ReplacingCall {
  /** The dashboard call. */
  call: string
  when: Readonly<Record<string, string | boolean>>
  /** Fields of the dashboard call that the other one doesn't need. */
  implied: readonly string[]
  method: string
  /** With the prefix of its area; parameters as `{name}`. */
  path: string
  /** The permission that a key needs. */
  scope: string | null
  idempotent: boolean
  /** The body is a form with a file. */
  upload: boolean
  params: Fields
  query: Fields
  /** Undefined for a call without a body. */
  body: Fields | undefined
}

const contracts = join(import.meta.dirname, '../src/features')

export const contractFiles = (): string[] =>
  globSync('*/*.contract.ts', { cwd: contracts })
    .toSorted()
    .map((file) => join(contracts, file))

function fieldsOf(schema: unknown, names: Readonly<Record<string, string>>): Fields {
  const fields = (schema as { properties?: object } | undefined)?.properties ?? {}
  const sources = (name: string) => [names[name] ?? name, ...otherNamesIn(fields, name)]
  return Object.fromEntries(Object.keys(fields).map((name) => [name, sources(name)]))
}

function replacing(definition: CallDefinition): ReplacingCall[] {
  const { method, path, area = 'website', scope = null, idempotent = false, upload = false } = definition
  return (definition.replaces ?? []).map(({ call, names = {}, when = {}, implied = [] }) => ({
    call,
    when,
    implied,
    method,
    path: `${areaPrefix[area]}${path}`,
    scope,
    idempotent,
    upload,
    params: fieldsOf(definition.params, names),
    query: fieldsOf(definition.query, names),
    body: definition.body && fieldsOf(definition.body, names),
  }))
}

export async function replacingCalls(): Promise<ReplacingCall[]> {
  const calls: ReplacingCall[] = []
  // Sequentially: if two imports load a module at once, Lingui's loader returns it half initialized.
  for (const file of contractFiles()) {
    const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>
    for (const [name, value] of Object.entries(module)) {
      if (name.endsWith('Contract'))
        calls.push(...Object.values(value as Record<string, CallDefinition>).flatMap(replacing))
    }
  }
  return calls
}
