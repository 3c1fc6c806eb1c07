import { type Static, Type } from 'typebox'

export const Level = Type.Integer({ minimum: 1, maximum: 1_000_000 })

/** A level as a number, as text, or as the object that lists give (conflicts C01). */
export const LevelField = Type.Union(
  [Level, Type.String({ pattern: '^[0-9]{1,7}$' }), Type.Object({ level: Level, name: Type.Optional(Type.String()) })],
  { refusal: 'SUBSCRIPTION_REQUIRED' },
)

/** The level under any of its names. */
export const levelFields = {
  subscription: Type.Optional(LevelField),
  subscriptionLevel: Type.Optional(LevelField),
  level: Type.Optional(LevelField),
}

type LevelFields = Partial<Record<keyof typeof levelFields | 'plan', Static<typeof LevelField>>>

export function levelOf(body: LevelFields): number | undefined {
  const level = body.subscription ?? body.subscriptionLevel ?? body.plan ?? body.level
  if (level === undefined) return undefined
  return typeof level === 'object' ? level.level : Number(level)
}
