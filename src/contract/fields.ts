import { Type, type TSchema } from 'typebox'

/** Schemas that several contracts share. */

export const maxEpochSeconds = 253_402_300_799 // the end of the year 9999

export const Success = {
  success: Type.Literal(true),
  message: Type.Optional(Type.String()),
  code: Type.Optional(Type.String({ description: 'Names the message; for programs and translations' })),
  values: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
}

/** `{success, code?, message?, ...fields}`: what every website reply looks like. */
export function reply<P extends Record<string, TSchema>>(fields: P) {
  return Type.Object({ ...Success, ...fields })
}

/** A body or query that takes these fields and no others (R-TEN-05). */
export function strict<P extends Record<string, TSchema>>(fields: P) {
  return Type.Object(fields, { additionalProperties: false })
}

export const EpochSeconds = Type.Integer({ minimum: 0, maximum: maxEpochSeconds })

export const Text = (maxLength: number, minLength = 0) => Type.String({ minLength, maxLength })

export const pageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000, default: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
  search: Type.Optional(Type.String({ maxLength: 200 })),
}

/** What a list searches for beside `search`: codes whose texts the caller knows and the server doesn't. */
export const searchCodesField = Type.Optional(
  Type.String({
    maxLength: 8000,
    pattern: '^[A-Za-z_-]+(,[A-Za-z_-]+)*$',
    description: 'With `search`: also what has one of these codes, separated by commas',
  }),
)

export const searchedCodes = (codes: string | undefined): string[] => codes?.split(',') ?? []

/** Of a list that is documented without paging: asked for without `page` and `limit`, it gives all rows. */
export const wholeListQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: '10 with `page` alone; without both, 1000' }),
  ),
  search: pageQuery.search,
}

export const wholeListFields = {
  total: Type.Integer({ description: 'How many match' }),
  totalPages: Type.Integer(),
  limit: Type.Integer({ description: 'The most rows that this reply holds' }),
}

/** Which page of a whole list is asked for. */
export const wholeListPage = ({ page, limit }: { page?: number | undefined; limit?: number | undefined }) => ({
  page: page ?? 1,
  limit: limit ?? (page === undefined ? 1000 : 10),
})

/** Works through a whole filter in several calls, so that one sees it move and no proxy gives up waiting. */
export const batchFields = {
  maxRows: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Stop after so many rows and give `next`. Without it: all',
    }),
  ),
  after: Type.Optional(Type.Integer({ minimum: 1, maximum: 1e15, description: 'Go on where `next` says' })),
}

/** Where the next call goes on; null at the end. */
export const Next = Type.Union([Type.Integer(), Type.Null()])

/** Names the app in calls that act on one; the header `X-App-Id` wins over both. */
export const appFields = {
  appName: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  appId: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
}

/** What the caller saw of the fields it changes: refused with `FIELD_CHANGED` when that is no longer so. */
export const beforeField = <P extends Record<string, TSchema>>(fields: P) => ({
  before: Type.Optional(Type.Partial(Type.Object(fields), { additionalProperties: false })),
})
