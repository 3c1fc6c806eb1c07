import { Type } from 'typebox'

export const Level = Type.Integer({ minimum: 1, maximum: 1_000_000 })

/** The level field of forms. */
export const LevelField = Type.Integer({ minimum: 1, maximum: 1_000_000, rejection: 'SUBSCRIPTION_REQUIRED' })
