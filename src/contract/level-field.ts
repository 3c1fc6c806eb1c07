type Level = number | string | { level: number } | undefined

interface LevelFields {
  subscription?: Level
  subscriptionLevel?: Level
  plan?: Level
  level?: Level
}

/** The level under any of its names: a number, its text, or the object that lists give (conflicts C01). */
export function levelOf(body: LevelFields): number | undefined {
  const level = body.subscription ?? body.subscriptionLevel ?? body.plan ?? body.level
  if (level === undefined) return undefined
  return typeof level === 'object' ? level.level : Number(level)
}
