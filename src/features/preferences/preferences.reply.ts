import type { Static } from 'typebox'
import type { preferencesContract } from './preferences.contract.ts'
import type { SavedView } from './preferences.reads.ts'

type Reply<K extends keyof typeof preferencesContract> = Static<(typeof preferencesContract)[K]['reply']>
type Preferences = Pick<Reply<'readPreferences'>, 'density' | 'columns' | 'followLogs'>
type ViewReply = Reply<'createView'>['view']

export const columnsPrefix = 'columns.'
export const followLogsName = 'follow-logs'

export function preferencesReply(rows: readonly { name: string; value: string }[]): Preferences {
  const density = rows.find(({ name }) => name === 'density')
  const followLogs = rows.find(({ name }) => name === followLogsName)
  return {
    density: density ? (JSON.parse(density.value) as Preferences['density']) : null,
    columns: rows
      .filter(({ name }) => name.startsWith(columnsPrefix))
      .map(({ name, value }) => ({
        table: name.slice(columnsPrefix.length) as Preferences['columns'][number]['table'],
        columns: JSON.parse(value) as ViewReply['columns'],
      })),
    followLogs: followLogs ? (JSON.parse(followLogs.value) as boolean) : null,
  }
}

export const viewReply = (view: SavedView): ViewReply => ({
  viewId: view.id,
  name: view.name,
  query: view.query,
  columns: JSON.parse(view.columns) as ViewReply['columns'],
  created: view.created_at,
})
