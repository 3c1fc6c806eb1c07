import type { TryItCall, TryItField } from '../../../site/try-it/call.ts'
import type { Operation, Schema } from './documents.ts'
import type { Example } from './examples.ts'
import { typeText } from './field-types.ts'
import { titleOf } from './groups.ts'
import { escaped } from './html.ts'

/** What the form of an operation is made from in the browser. */

/** Operations other than deleting ones that take something away from customers, or reach all of them. */
const takesAway = new Set(['banLicense', 'banUser', 'pauseUser', 'resetUserHwid', 'subtractUser', 'updateSettings'])

export function tryItCall(operation: Operation, example: Example): TryItCall {
  const { id, method, path, summary, parameters, body, isUpload } = operation
  const fields = parameters.map(({ name, in: place, required, schema }): TryItField => ({
    name,
    place,
    isRequired: required,
    value: { ...example.path, ...example.query }[name] ?? '',
    type: plain(typeText(schema)),
  }))
  const hasFields = Object.keys(body?.properties ?? {}).length > 0
  return {
    id,
    title: titleOf(operation),
    method,
    path,
    summary: plain(summary),
    fields: isUpload ? [...fields, ...formFields(body ?? {}, example.body ?? {})] : fields,
    ...(hasFields && !isUpload && { body: JSON.stringify(example.body ?? {}, null, 2) }),
    ...((method === 'DELETE' || takesAway.has(id)) && { needsConfirmation: true }),
    ...(body?.properties?.['amount'] && { countField: 'amount' }),
  }
}

function formFields({ properties = {}, required = [] }: Schema, values: Record<string, unknown>): TryItField[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    place: schema.format === 'binary' ? 'file' : 'form',
    isRequired: required.includes(name),
    value: schema.format === 'binary' ? '' : String(values[name] ?? ''),
    type: plain(typeText(schema)),
  }))
}

const plain = (markdown: string): string => markdown.replaceAll('`', '')

export const tryItForm = (call: TryItCall): string =>
  `<div><signet-try-it data-call="${escaped(JSON.stringify(call))}"></signet-try-it></div>`
