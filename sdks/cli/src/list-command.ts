import { type Command, numberOf, type Option, pageOf, pageOptions, type Run, textOf, type Values } from './command.ts'
import type { Query } from './seller-api.ts'
import type { Column } from './table.ts'

/** Lists of the seller API: one page, or all of them. */

interface List<T> {
  /** In the path, the reply, and messages, such as `licenses`. */
  noun: string
  columns: readonly Column<T>[]
}

interface Page {
  totalPages: number
  total: number
}

export const filterOptions = (search: string, status: string): readonly Option[] => [
  { name: 'search', value: 'TEXT', summary: search },
  { name: 'status', value: 'STATUS', summary: status },
  { name: 'level', value: 'N', summary: 'Of one level' },
]

export const filterOf = (values: Values) => ({
  search: textOf(values, 'search'),
  status: textOf(values, 'status'),
  level: numberOf(values, 'level'),
})

export async function showPage<T>({ values, output, api }: Run, { noun, columns }: List<T>, query: Query) {
  const { page, limit } = pageOf(values)
  const reply = await api().get<Page & Record<string, T[]>>(`/${noun}`, { ...query, page, limit })
  if (output.isJson) return output.json(reply)
  output.table(columns, reply[noun] ?? [])
  if (reply.totalPages > 1) output.note(`Page ${page} of ${reply.totalPages}, ${reply.total} ${noun} in all`)
}

export const listCommand = <T>(list: List<T> & { filters: readonly Option[]; idOf: (row: T) => string }): Command => ({
  name: `${list.noun} list`,
  summary: `List ${list.noun}, newest first`,
  options: [...list.filters, ...pageOptions, { name: 'all', summary: 'All pages' }],
  async run(run) {
    const { values, output, api } = run
    const { noun, columns, idOf } = list
    const query = filterOf(values)
    if (!values['all']) return showPage(run, list, query)
    const rows: T[] = []
    for await (const more of api().pages(`/${noun}`, query, noun, idOf)) rows.push(...more)
    if (output.isJson) output.json({ success: true, [noun]: rows, total: rows.length })
    else output.table(columns, rows)
  },
})
