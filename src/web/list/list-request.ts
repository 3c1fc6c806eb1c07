import type { TableState } from '../table/use-table-state.ts'

/** What the URL asks a list for. */
export type ListRequest = Pick<TableState, 'search' | 'page' | 'limit' | 'sort' | 'filters' | 'countAll'>
