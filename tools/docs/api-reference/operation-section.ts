import type { Operation, Parameter, Schema } from './documents.ts'
import { errorTable } from './errors.ts'
import { type Field, fieldsOf, typeText } from './field-types.ts'
import { htmlTable, type Row, withBreaks, withCode } from './html.ts'

/** What the sections of both APIs share. */

/** The heading has the operation's ID as its anchor. */
export const heading = (title: string, id: string): string => `## ${title} {#${id}}`

export const callLine = ({ method, path }: Operation): string =>
  `<p class="api-call"><span class="api-method" data-method="${method}">${method}</span> <code>${withBreaks(path)}</code></p>`

const nameCell = (name: string, isRequired: boolean): string =>
  `<code>${withBreaks(name)}</code>${isRequired ? ' <span class="api-required">required</span>' : ''}`

const meaning = (type: string, description: string, otherNames: readonly string[] = []): string => {
  const also = otherNames.length === 0 ? '' : `Also called ${otherNames.map((name) => `\`${name}\``).join(', ')}`
  const sentences = [description, also].filter(Boolean).map((text) => `${withCode(text)}.`)
  return [`<span class="api-type">${withCode(type)}</span>`, ...sentences].join('<br>')
}

const fieldRow = ({ name, isRequired, type, description, otherNames }: Field): Row => ({
  head: nameCell(name, isRequired),
  cells: [meaning(type, description.replace(/\.$/, ''), otherNames)],
})

const parameterRow = ({ name, required, description = '', schema }: Parameter): Row => ({
  head: nameCell(name, required),
  cells: [meaning(typeText(schema), description.replace(/\.$/, ''))],
})

const places = { path: 'In the path', query: 'In the query', header: 'Headers' } as const

export function parameterTables({ parameters }: Operation): string[] {
  return Object.entries(places).flatMap(([place, caption]) => {
    const rows = parameters.filter((each) => each.in === place).map(parameterRow)
    return rows.length === 0 ? [] : [htmlTable(caption, ['Name', 'Meaning'], rows)]
  })
}

export function fieldTable(caption: 'Body' | 'Reply', schema: Schema | undefined): string[] {
  const isReply = caption === 'Reply'
  const rows = fieldsOf(schema ?? {}).map((field) => fieldRow(isReply ? { ...field, isRequired: false } : field))
  return rows.length === 0 ? [] : [htmlTable(caption, ['Field', 'Meaning'], rows)]
}

const replyFieldsOfAll = new Set(['success', 'message', 'code', 'values'])

/** Fields of the reply, closed at first: an example shows most of them. */
export function replyFields({ reply }: Operation): string[] {
  const rows = fieldsOf(reply)
    .filter(({ name }) => !replyFieldsOfAll.has(name))
    .map((field) => fieldRow({ ...field, isRequired: false }))
  if (rows.length === 0) return []
  return [
    `<details class="api-fields"><summary>Fields of the reply</summary>\n${htmlTable('Fields of the reply', ['Field', 'Meaning'], rows)}\n</details>`,
  ]
}

export const errorSection = (codes: readonly string[], api: 'seller' | 'programs'): string[] =>
  codes.length === 0 ? [] : [errorTable(codes, api)]
