import { Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { defineCall } from '#contract/define-call.ts'
import { EpochSeconds, reply, strict, Text, oneOf } from '#contract/fields.ts'
import { maxViewQueryLength } from '#contract/saved-view.ts'
import { tableIds } from '#contract/table-ids.ts'
import { preferencesErrors } from './preferences.errors.ts'

/**
 * How a signed-in person arranges the tables of the dashboard, whether the log follows new entries, and the filters saved
 * under a name.
 */

const Density = Type.Union([Type.Literal('compact'), Type.Literal('regular'), Type.Literal('relaxed')])
const Table = oneOf(tableIds, { description: 'A table of the dashboard' })
const ColumnIds = Type.Array(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,39}$' }), {
  maxItems: 50,
  uniqueItems: true,
})
const Columns = Type.Object(
  { shown: ColumnIds, hidden: ColumnIds, order: ColumnIds },
  {
    additionalProperties: false,
    description:
      'Columns that are shown or hidden against their default, and all movable ones in their order, if moved',
  },
)
const View = Type.Object({
  viewId: Type.String(),
  name: Type.String(),
  query: Type.String({ description: 'Search, filters, order, and page size, as in the address of the table' }),
  columns: Columns,
  created: EpochSeconds,
})
/** The rules of the actions name the exact limit. */
const Name = Text(500)
const Query = Text(maxViewQueryLength * 4)
const ViewId = strict({ viewId: Text(100, 1) })
const Nothing = Type.Optional(strict({}))

type SignedIn = 'account' | 'reseller'

/** The calls for one kind of account; those of resellers begin with `/reseller`. */
export const preferenceCalls = <const P extends string, const A extends SignedIn>(area: P, access: A) => ({
  readPreferences: defineCall(`GET ${area}/preferences` as const, {
    access,
    summary:
      'Get how the caller arranges tables: the row height, and the columns of each table that was arranged; and whether the log follows new entries.',
    reply: reply({
      density: Type.Union([Density, Type.Null()]),
      columns: Type.Array(Type.Object({ table: Table, columns: Columns })),
      followLogs: Type.Union([Type.Boolean(), Type.Null()], {
        description:
          'Whether the log follows new entries; null if it was never chosen, and for resellers, who have no log',
      }),
    }),
  }),
  saveDensity: defineCall(`POST ${area}/preferences/density` as const, {
    access,
    summary: 'Save the row height of all tables.',
    body: strict({ density: Density }),
    reply: reply({}),
  }),
  saveColumns: defineCall(`POST ${area}/preferences/columns` as const, {
    access,
    summary: 'Save which columns of a table are visible, and their order. Null restores the defaults.',
    body: strict({ table: Table, columns: Type.Union([Columns, Type.Null()]) }),
    reply: reply({}),
  }),
  listViews: defineCall(`GET ${area}/views` as const, {
    access,
    summary: 'List the saved views of a table, by name. They are the same in all apps.',
    query: strict({ table: Table }),
    reply: reply({ views: Type.Array(View) }),
  }),
  createView: defineCall(`POST ${area}/views` as const, {
    access,
    idempotent: true,
    summary: 'Save the filter and columns of a table under a name.',
    body: strict({ table: Table, name: Name, query: Query, columns: Columns }),
    reply: reply({ view: View }),
    errors: preferencesErrors,
    successes: { VIEW_CREATE_OK: 'View saved successfully' },
  }),
  updateView: defineCall(`PUT ${area}/views/{viewId}` as const, {
    access,
    summary: 'Rename a saved view, or change its filter or columns. Omitted fields keep their value.',
    params: ViewId,
    body: strict({ name: Type.Optional(Name), query: Type.Optional(Query), columns: Type.Optional(Columns) }),
    reply: reply({ view: View }),
    errors: preferencesErrors,
    successes: { VIEW_UPDATE_OK: 'View updated successfully' },
  }),
  deleteView: defineCall(`DELETE ${area}/views/{viewId}` as const, {
    access,
    summary: 'Delete a saved view.',
    params: ViewId,
    body: Nothing,
    reply: reply({}),
    errors: { VIEW_NOT_FOUND: preferencesErrors.VIEW_NOT_FOUND },
    successes: { VIEW_DELETE_OK: 'View deleted successfully' },
  }),
})

export type PreferencesContract = ReturnType<typeof preferenceCalls<string, SignedIn>>

export const preferencesContract = {
  ...preferenceCalls('', 'account'),
  saveFollowLogs: defineCall('POST /preferences/follow_logs', {
    access: 'account',
    summary: 'Save whether the log follows new entries, in all apps and browsers.',
    body: strict({ followLogs: Type.Boolean() }),
    reply: reply({}),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof preferencesContract> {}
  interface Codes extends CodesOf<typeof preferencesContract> {}
}
