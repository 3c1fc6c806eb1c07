/** The value below which `share` (0…1) of them lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** How long each of these calls took, one after the other, in milliseconds. */
export async function timeEach<T>(inputs: readonly T[], call: (input: T) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (const input of inputs) times.push(await timeOf(() => call(input)))
  return times
}

export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
