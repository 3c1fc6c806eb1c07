import { type Static, Type } from 'typebox'

export const Level = Type.Integer({ minimum: 1, maximum: 1_000_000 })

/** The level field of forms. */
export const LevelField = Type.Integer({ minimum: 1, maximum: 1_000_000, rejection: 'SUBSCRIPTION_REQUIRED' })

/** Number of rows of each level of an app, counted up to `maxCounted`. */
export const LevelCounts = Type.Array(
  Type.Object({
    level: Type.Integer(),
    count: Type.Integer({ description: 'As far as they were counted: up to 10,000' }),
    isMore: Type.Boolean({ description: 'Whether there are more than were counted' }),
  }),
)

export type LevelCount = Static<typeof LevelCounts>[number]
