/**
 * Runs parts of a unit of work at once; on PostgreSQL, their statements share a round trip (docs/decisions/028). The
 * parts must not depend on each other's order. Unlike `Promise.all`, waits for all of them, so that nothing of a
 * rejected unit of work still runs after its rollback; then throws the error of the first part that failed.
 */
export async function atOnce<const T extends readonly unknown[]>(
  parts: T,
): Promise<{ -readonly [Part in keyof T]: Awaited<T[Part]> }> {
  const outcomes = await Promise.allSettled(parts)
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }) as { -readonly [Part in keyof T]: Awaited<T[Part]> }
}
