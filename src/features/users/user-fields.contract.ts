import { Type } from 'typebox'

/** Fields that the calls on users share. */

export const Username = Type.String({ minLength: 1, maxLength: 200, refusal: 'USERNAME_REQUIRED' })

export const Usernames = Type.Array(Username, { maxItems: 1000, refusal: 'NO_USERS_SELECTED' })

/** A level as a number, as text, or as the object that lists give (conflicts C01). */
export const LevelField = Type.Union(
  [
    Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    Type.String({ pattern: '^[0-9]{1,7}$' }),
    Type.Object({ level: Type.Integer({ minimum: 1, maximum: 1_000_000 }), name: Type.Optional(Type.String()) }),
  ],
  { refusal: 'SUBSCRIPTION_REQUIRED' },
)

/** The level under either of its names. */
export const levelFields = {
  subscription: Type.Optional(LevelField),
  subscriptionLevel: Type.Optional(LevelField),
  level: Type.Optional(LevelField),
}

export const Duration = Type.Integer({ minimum: 1, maximum: 1e9, refusal: 'DURATION_REQUIRED' })

const literals = <const L extends string>(values: readonly L[], options: Record<string, unknown> = {}) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  ) as unknown as Type.TUnsafe<L>

export const TimeUnitField = literals(['hours', 'days', 'weeks', 'months', 'years'], {
  refusal: 'TIME_UNIT_REQUIRED',
})

/** Which users a list, an export or a bulk act means. */
export const userFilter = {
  search: Type.Optional(Type.String({ maxLength: 200 })),
  status: Type.Optional(literals(['banned', 'paused', 'active', 'expired', 'any'])),
  level: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
}

export const BulkAction = literals(['ban', 'unban', 'pause', 'unpause', 'reset-hwid', 'delete', 'extend', 'subtract'])
