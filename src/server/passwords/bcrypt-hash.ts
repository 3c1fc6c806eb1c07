/** Hashes of other services (`$2a$`, `$2b$`, `$2y$`), stored as they came until their user signs in (IMP-15). */

const shape = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

const minCost = 4

/** The cost of a bcrypt hash; undefined for anything else. */
export function bcryptCost(hash: string): number | undefined {
  const cost = Number(shape.exec(hash)?.[1] ?? Number.NaN)
  return cost >= minCost && cost <= 31 ? cost : undefined
}
