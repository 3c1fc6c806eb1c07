import { Type, type TSchema, type TSchemaOptions } from 'typebox'
import { maxEpochSeconds } from './epoch-seconds.ts'

/** Schemas that several contracts share. */

export const Success = {
  success: Type.Literal(true),
  message: Type.Optional(Type.String()),
  code: Type.Optional(Type.String({ description: 'Stable code of the message, for programs and translations' })),
  values: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
}

/** `{success, code?, message?, ...fields}`: the shape of every dashboard reply. */
export function reply<P extends Record<string, TSchema>>(fields: P) {
  return Type.Object({ ...Success, ...fields })
}

/** A body or query that rejects unknown fields (R-TEN-05). */
export function strict<P extends Record<string, TSchema>>(fields: P) {
  return Type.Object(fields, { additionalProperties: false })
}

export const EpochSeconds = Type.Integer({ minimum: 0, maximum: maxEpochSeconds })

/** Of an IP address. */
export const CountryCode = Type.String({ description: 'Country code, ISO 3166-1 alpha-2; empty if unknown' })

/** One of these values. */
export const oneOf = <const V extends string>(values: readonly V[], options: TSchemaOptions = {}) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  ) as unknown as Type.TUnsafe<V>

export const Text = (maxLength: number, minLength = 0) => Type.String({ minLength, maxLength })

/** If it is missing, the call is rejected with this code, which is that of an empty text. */
export const RequiredText = (maxLength: number, rejection: string) => Type.String({ maxLength, rejection })

export const pageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000, default: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
  search: Type.Optional(Type.String({ maxLength: 200 })),
}

/** The pages of a list; an empty list has one. */
export const pageCount = (total: number, limit: number): number => Math.max(1, Math.ceil(total / limit))

/** Long lists count their matching rows up to this number: counting hundreds of thousands takes longer than a page. */
export const maxCounted = 10_000

/** For lists that stop counting at `maxCounted`. */
export const countQuery = {
  count: Type.Optional(
    Type.Literal('all', { description: 'Count all matching rows; without it, counting stops at 10,000' }),
  ),
}

export const countedFields = {
  total: Type.Integer({ description: 'Number of matching rows, as far as they were counted' }),
  totalPages: Type.Integer(),
  isMore: Type.Boolean({ description: 'Whether more rows match than were counted' }),
}

/** Codes that a search should also match: the caller knows their texts, the server does not. */
export const searchCodesField = Type.Optional(
  Type.String({
    maxLength: 8000,
    pattern: '^[A-Za-z_-]+(,[A-Za-z_-]+)*$',
    description: 'With `search`: also match rows with one of these codes, separated by commas',
  }),
)

export const searchedCodes = (codes: string | undefined): string[] => codes?.split(',') ?? []

/** For lists that are documented without paging: without `page` and `limit`, up to 1000 rows are returned. */
export const wholeListQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Default: 10 with `page`, otherwise 1000' }),
  ),
  search: pageQuery.search,
}

export const wholeListFields = {
  total: Type.Integer({ description: 'Number of matching rows' }),
  totalPages: Type.Integer(),
  limit: Type.Integer({ description: 'Maximum number of rows in this reply' }),
}

/** The requested page of a list. */
export const wholeListPage = ({ page, limit }: { page?: number | undefined; limit?: number | undefined }) => ({
  page: page ?? 1,
  limit: limit ?? (page === undefined ? 1000 : 10),
})

/** Processes a whole filter in several calls, so that the caller can show progress and no proxy times out. */
export const batchFields = {
  maxRows: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Stop after this many rows and return `next`. Without it, all rows are processed',
    }),
  ),
  after: Type.Optional(Type.Integer({ minimum: 1, maximum: 1e15, description: 'The `next` of the previous reply' })),
}

/** Where the next call continues; null at the end. */
export const Next = Type.Union([Type.Integer(), Type.Null()])

/** The app of a call that acts on one; the header `X-App-Id` takes precedence. */
export const appFields = {
  appName: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  appId: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
}

/**
 * The values the caller saw in the fields it changes. The call is rejected with `FIELD_CHANGED` if they have changed
 * since.
 */
export const beforeField = <P extends Record<string, TSchema>>(fields: P) => ({
  before: Type.Optional(Type.Partial(Type.Object(fields), { additionalProperties: false })),
})
