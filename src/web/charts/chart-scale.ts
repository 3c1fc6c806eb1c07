/** A few round tick values from 0 to at least `max`, for charts of counts. */
export function scaleTicks(max: number, atMost = 4): number[] {
  if (max <= 0) return [0, 1]
  const rough = max / atMost
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, ([1, 2, 2.5, 5, 10].find((each) => each * magnitude >= rough) ?? 10) * magnitude)
  // Counts are integers.
  const whole = Math.ceil(step)
  return Array.from({ length: Math.ceil(max / whole) + 1 }, (_, index) => index * whole)
}

/** Indexes of the points with a label: at most `atMost`, including the last one. */
export function labeledPoints(count: number, atMost: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, atMost)))
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % step === 0)
}
