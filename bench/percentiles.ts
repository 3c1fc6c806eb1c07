/** The value below which `share` (0 to 1) of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** Durations of these calls, made in sequence, in milliseconds. */
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
