type Level = number | string | { level: number } | undefined

/** The level under either of its names: a number, its text, or the object that lists give (conflicts C01). */
export function levelOf(body: { subscription?: Level; subscriptionLevel?: Level; level?: Level }): number | undefined {
  const level = body.subscription ?? body.subscriptionLevel ?? body.level
  if (level === undefined) return undefined
  return typeof level === 'object' ? level.level : Number(level)
}
